"""Restore: bring a forgotten, expired or archived memory back (R25)."""

from __future__ import annotations

import uuid

from accounts.actor import Actor
from memories.models import Memory


def restore(*, actor: Actor, memory_id: uuid.UUID) -> Memory:
    """The memory as it is now."""
    raise NotImplementedError
