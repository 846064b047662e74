"""Rotate the secret of a webhook: for a while both sign, so that no message is refused meanwhile."""

from __future__ import annotations

import uuid
from datetime import timedelta

from accounts import audit
from accounts.actor import Actor
from memories.adapters.factory import get_clock
from memories.models import Webhook
from memories.services.webhooks.create_webhook import new_secret
from memories.services.webhooks.read import CAPABILITY, locked_webhook
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import Invalid

MAX_OVERLAP = timedelta(days=30)


def rotate_webhook_secret(
    *, actor: Actor, webhook_id: uuid.UUID, overlap: timedelta = timedelta(days=1)
) -> tuple[Webhook, str]:
    """The endpoint and its new secret, shown once; the former one signs beside it for `overlap`, the one before that no more."""
    actor.require(CAPABILITY)
    if not timedelta() <= overlap <= MAX_OVERLAP:
        raise Invalid("the overlap is out of range", fields={"overlap_seconds": "0 to 30 days"})
    secret, now = new_secret(), get_clock().now()
    with tenant_transaction(actor.tenant_id):
        webhook = locked_webhook(actor, webhook_id)
        webhook.previous_secret = webhook.secret if overlap else None
        webhook.previous_until = now + overlap if overlap else None
        webhook.secret, webhook.version, webhook.updated_at = secret, webhook.version + 1, now
        webhook.save(update_fields=["secret", "previous_secret", "previous_until", "version", "updated_at"])
        audit.record(
            actor,
            "webhook.rotated",
            target_kind="webhook",
            target_id=webhook.pk,
            overlap_seconds=int(overlap.total_seconds()),
        )
    return webhook, secret
