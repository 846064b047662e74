"""Send to a webhook what is no change: a test, and dead letters once more."""

from __future__ import annotations

import uuid
from collections.abc import Collection

from django.db import transaction

from accounts import audit
from accounts.actor import Actor
from memories.adapters.factory import get_clock
from memories.core.webhooks import TEST
from memories.models import Webhook, WebhookDelivery
from memories.services.webhooks.bell import ring
from memories.services.webhooks.read import locked_webhook
from memories.store.webhooks import next_seq
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import Conflict

MOST = 1_000
"""Dead letters of one call."""


def send_test(*, actor: Actor, webhook_id: uuid.UUID) -> WebhookDelivery:
    """The delivery of an event `webhook.test`, on its way like any other. NotFound; Conflict for a disabled endpoint."""
    now = get_clock().now()
    with tenant_transaction(actor.tenant_id):
        webhook = locked_webhook(actor, webhook_id)
        if webhook.state == Webhook.State.DISABLED:
            raise Conflict("the webhook is disabled", hint="Enable it, then test it.")
        made = WebhookDelivery(webhook=webhook, seq=next_seq(), event=TEST, at=now, next_at=now)
        made.save(force_insert=True)
        audit.record(actor, "webhook.tested", target_kind="webhook", target_id=webhook.pk)
        tenant_id = actor.tenant_id
        transaction.on_commit(lambda: ring(tenant_id))
    return made


def replay_dead(
    *, actor: Actor, webhook_id: uuid.UUID, deliveries: Collection[uuid.UUID] | None = None
) -> int:
    """How many dead letters wait again, with all their attempts: those named, or the MOST oldest.

    They keep their place: of a subject they go out before what waits. NotFound; Conflict for a disabled endpoint.
    """
    now = get_clock().now()
    with tenant_transaction(actor.tenant_id):
        webhook = locked_webhook(actor, webhook_id)
        if webhook.state == Webhook.State.DISABLED:
            raise Conflict("the webhook is disabled", hint="Enable it, then replay.")
        dead = WebhookDelivery.objects.filter(webhook=webhook, state=WebhookDelivery.State.DEAD)
        if deliveries is not None:
            dead = dead.filter(pk__in=deliveries)
        ids = list(dead.order_by("seq").values_list("pk", flat=True)[:MOST])
        number: int = WebhookDelivery.objects.filter(pk__in=ids).update(
            state=WebhookDelivery.State.PENDING, attempts=0, next_at=now, finished_at=None
        )
        if number:
            # A person says that the receiver is well again.
            webhook.failures, webhook.next_at = 0, None
            webhook.save(update_fields=["failures", "next_at"])
            audit.record(
                actor, "webhook.replayed", target_kind="webhook", target_id=webhook.pk, deliveries=number
            )
        tenant_id = actor.tenant_id
        transaction.on_commit(lambda: ring(tenant_id))
    return number
