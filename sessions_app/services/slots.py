"""Short-term slots across sessions."""

from __future__ import annotations

import uuid
from datetime import datetime

from accounts.actor import Actor
from memories.models import Slot



def note_slots(*, actor: Actor, turn_id: uuid.UUID, now: datetime) -> int:
    """Number of slots written."""
    raise NotImplementedError


def live_slots(*, actor: Actor, subject_id: uuid.UUID, now: datetime) -> list[Slot]:
    """Live slots."""
    raise NotImplementedError


def expire_slots(now: datetime) -> int:
    """Number of slots gone, over all tenants."""
    raise NotImplementedError
