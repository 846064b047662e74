"""Pin: keep a memory from sweeps and give it the last word among equals (R20)."""

from __future__ import annotations

import uuid

from accounts.actor import Actor
from memories.models import Memory
from memories.services.edit import edit


def pin(*, actor: Actor, memory_id: uuid.UUID, pinned: bool, expected_version: int | None = None) -> Memory:
    """The memory as it is now; a pin also suspends its end, until it is taken away. Doing it twice changes nothing.

    Raises MemoryNotFound, NotPinnable for the kind sensitive, MemoryGone when it is not current any more, Conflict when
    `expected_version` is not the newest.
    """
    return edit(actor=actor, memory_id=memory_id, pinned=pinned, expected_version=expected_version)
