"""The doorbell of webhooks: rung after a commit that wrote events, and again for what is due (see docs/architecture.md)."""

from __future__ import annotations

import uuid
from datetime import datetime

import structlog
from django.core.cache import cache

from memories.services.every_tenant import every_tenant
from memories.store.webhooks import due_webhooks
from memoryhub.common.db import tenant_transaction

log = structlog.get_logger(__name__)

SOON = 1
"""Seconds between a commit and its bell: whatever else is committed meanwhile needs none of its own."""
FAR = 600.0
"""Seconds: for what is due later nobody is told to wait, beat rings then."""


def ring_soon(tenant_id: uuid.UUID) -> None:
    """After a commit that wrote events: one bell a second and tenant, however much is written."""
    # It is heard when the mark is gone again, so that it knows of every commit that found the mark.
    if cache.add(f"webhook-bell:{tenant_id}", 1, timeout=SOON):
        ring(tenant_id, delay=SOON)


def ring(tenant_id: uuid.UUID, *, delay: float = 0.0) -> bool:
    """Tell a worker. False when the broker does not answer, which loses nothing: beat rings again."""
    from memories.tasks import deliver_webhooks

    if delay > FAR:
        return False
    try:
        deliver_webhooks.apply_async((str(tenant_id),), countdown=max(0.0, delay) or None, retry=False)
    # The rows stand: whatever the broker's client raises must not undo the caller's commit.
    except Exception as error:  # noqa: BLE001
        log.warning("webhook.not_rung", tenant_id=str(tenant_id), error=type(error).__name__)
        return False
    return True


def ring_due(now: datetime) -> int:
    """Ring for every tenant in which something is due; how many."""

    def look(tenant_id: uuid.UUID) -> bool:
        with tenant_transaction(tenant_id):
            there = bool(due_webhooks(now))
        return there and ring(tenant_id)

    return sum(every_tenant(look).values())
