"""Forget: take a memory out of every recall at once, restorable until its retention ends (R25, R26)."""

from __future__ import annotations

import uuid

from accounts.actor import Actor
from memories.models import Tombstone


def forget(*, actor: Actor, memory_id: uuid.UUID, reason: str = "", cause: str = "user") -> Tombstone:
    """The tombstone."""
    raise NotImplementedError
