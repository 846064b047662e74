"""Pin: keep a memory from sweeps and give it the last word among equals (R20)."""

from __future__ import annotations

import uuid

from accounts.actor import Actor
from memories.models import Memory


def pin(*, actor: Actor, memory_id: uuid.UUID, pinned: bool) -> Memory:
    """The memory as it is now."""
    raise NotImplementedError
