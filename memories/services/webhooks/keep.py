"""Keeps the outbox of webhooks bounded: too much for one endpoint is not taken in any more, and what is finished goes."""

from __future__ import annotations

from datetime import timedelta

import structlog
from django.conf import settings

from accounts import audit
from accounts.actor import Actor
from memories.adapters.factory import get_clock
from memories.models import Webhook
from memories.store.webhooks import drop_finished, waiting
from memoryhub.common.db import tenant_transaction

log = structlog.get_logger(__name__)

KEEP_DELIVERED = timedelta(days=7)
KEEP_DEAD = timedelta(days=60)
BATCH = 5_000


def keep_webhooks(*, actor: Actor) -> None:
    """One round over the tenant's endpoints, called by beat.

    One for which WEBHOOK_PENDING events wait is full: it takes in no more until half of them went out. `lost_since` says from when on events are
    missing, until an admin enables it again and so says that they know.
    """
    now = get_clock().now()
    limit = settings.WEBHOOK_PENDING
    with tenant_transaction(actor.tenant_id):
        live = Webhook.objects.exclude(state=Webhook.State.DISABLED).order_by("pk")
        for webhook_id, state in list(live.values_list("pk", "state")):
            number = waiting(webhook_id, limit)
            if state == Webhook.State.ENABLED and number >= limit:
                _turn(actor, webhook_id, Webhook.State.FULL, lost_since=now)
            elif state == Webhook.State.FULL and number < limit / 2:
                _turn(actor, webhook_id, Webhook.State.ENABLED)
        drop_finished(delivered_before=now - KEEP_DELIVERED, dead_before=now - KEEP_DEAD, limit=BATCH)


def _turn(actor: Actor, webhook_id: object, state: str, **values: object) -> None:
    Webhook.objects.filter(pk=webhook_id).update(state=state, **values)
    audit.record(actor, f"webhook.{state}", target_kind="webhook", target_id=str(webhook_id))
    log.warning("webhook.turned", webhook_id=str(webhook_id), state=state)
