"""Create a webhook: an address of a tenant's own program, with a secret that is shown once."""

from __future__ import annotations

import secrets
from collections.abc import Sequence

from django.conf import settings

from accounts import audit
from accounts.actor import Actor
from memories.adapters.factory import get_clock
from memories.core.webhooks import secret_text
from memories.models import Webhook
from memories.services.webhooks.checks import check_content, check_events, check_name, check_url
from memories.services.webhooks.read import CAPABILITY
from memories.store.locks import lock_policy
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import Conflict

KEY_BYTES = 32


def create_webhook(
    *, actor: Actor, url: str, events: Sequence[str] = (), with_content: bool = False, name: str = ""
) -> tuple[Webhook, str]:
    """The endpoint and its secret, which cannot be had again. Without `events` it is told of all.

    Needs the capability to write keys; Invalid for an address that is not called; Conflict when the tenant has WEBHOOKS_PER_TENANT already.
    """
    actor.require(CAPABILITY)
    name, wanted = check_name(name), check_events(events)
    content = check_content(actor, with_content)
    url = check_url(url)
    secret, now = new_secret(), get_clock().now()
    with tenant_transaction(actor.tenant_id):
        lock_policy()
        if Webhook.objects.count() >= settings.WEBHOOKS_PER_TENANT:
            raise Conflict(
                f"there are {settings.WEBHOOKS_PER_TENANT} webhooks already",
                hint="Delete one that is not needed.",
            )
        made = Webhook(
            name=name,
            url=url,
            events=wanted,
            with_content=content,
            secret=secret,
            created_by=actor.id[:64],
            created_at=now,
            updated_at=now,
        )
        made.save(force_insert=True)
        audit.record(
            actor,
            "webhook.created",
            target_kind="webhook",
            target_id=made.pk,
            events=wanted,
            with_content=content,
        )
    return made, secret


def new_secret() -> str:
    """Of 256 random bits."""
    return secret_text(secrets.token_bytes(KEY_BYTES))
