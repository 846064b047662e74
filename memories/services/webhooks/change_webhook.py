"""Change or delete a webhook, and enable it again."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Sequence
from typing import Any

from django.db import transaction

from accounts import audit
from accounts.actor import Actor
from memories.adapters.factory import get_clock
from memories.models import Webhook
from memories.services.webhooks.bell import ring
from memories.services.webhooks.checks import check_content, check_events, check_name, check_url
from memories.services.webhooks.read import CAPABILITY, locked_webhook
from memoryhub.common.db import tenant_transaction


def change_webhook(
    *,
    actor: Actor,
    webhook_id: uuid.UUID,
    url: str | None = None,
    events: Sequence[str] | None = None,
    with_content: bool | None = None,
    name: str | None = None,
    enabled: bool | None = None,
    check: Callable[[int], None] | None = None,
) -> Webhook:
    """The endpoint with what was given; None leaves a field as it is.

    While it is disabled nothing is taken in for it; what waits stays, and goes out when it is enabled. `check` is called with its version
    before anything changes. NotFound, Invalid.
    """
    actor.require(CAPABILITY)
    given: dict[str, Any] = {}
    if name is not None:
        given["name"] = check_name(name)
    if events is not None:
        given["events"] = check_events(events)
    if with_content is not None:
        given["with_content"] = check_content(actor, with_content)
    if url is not None:
        given["url"] = check_url(url)
    if enabled is not None:
        given["state"] = Webhook.State.ENABLED if enabled else Webhook.State.DISABLED
        given["disabled_why"] = "" if enabled else "by_hand"
        if enabled:
            given["lost_since"] = None
    if enabled or url is not None:
        given |= {"failures": 0, "next_at": None}
    now = get_clock().now()
    with tenant_transaction(actor.tenant_id):
        webhook = locked_webhook(actor, webhook_id)
        if check is not None:
            check(webhook.version)
        for field, value in given.items():
            setattr(webhook, field, value)
        webhook.version, webhook.updated_at = webhook.version + 1, now
        webhook.save(update_fields=[*given, "version", "updated_at"])
        # Names of fields only: an address may hold a token.
        audit.record(
            actor, "webhook.changed", target_kind="webhook", target_id=webhook.pk, fields=sorted(given)
        )
        tenant_id = actor.tenant_id
        transaction.on_commit(lambda: ring(tenant_id))
    return webhook


def delete_webhook(*, actor: Actor, webhook_id: uuid.UUID) -> None:
    """It goes, with everything that waits for it. NotFound."""
    with tenant_transaction(actor.tenant_id):
        webhook = locked_webhook(actor, webhook_id)
        webhook.delete()
        audit.record(actor, "webhook.deleted", target_kind="webhook", target_id=webhook_id)
