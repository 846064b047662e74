"""Drops short-term slots that are past their end (R11)."""

from __future__ import annotations

from datetime import datetime

from accounts.actor import Actor
from memories.models import Slot
from memoryhub.common.db import tenant_transaction


def expire_slots(*, actor: Actor, now: datetime) -> int:
    """Number of the tenant's slots that are gone."""
    with tenant_transaction(actor.tenant_id):
        gone, _ = Slot.objects.filter(expires_at__lte=now).delete()
    return gone
