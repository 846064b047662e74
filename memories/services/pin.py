"""Pin: keep a memory from sweeps and give it the last word among equals (R20)."""

from __future__ import annotations

import uuid

from accounts import audit
from accounts.actor import Actor
from memories.adapters.factory import get_clock
from memories.core.errors import MemoryGone, NotPinnable
from memories.core.kinds import NEVER_PINNED
from memories.models import Memory, Status
from memories.services.get_memory import writable
from memories.services.versioning import Change, save_change
from memoryhub.common.db import tenant_transaction


def pin(*, actor: Actor, memory_id: uuid.UUID, pinned: bool) -> Memory:
    """The memory as it is now; doing it twice changes nothing.

    Raises MemoryNotFound, NotPinnable for the kind sensitive, MemoryGone when it is not current any more.
    """
    now = get_clock().now()
    with tenant_transaction(actor.tenant_id):
        memory = writable(actor, memory_id)
        if memory.status != Status.CURRENT:
            raise MemoryGone(f"the memory is {memory.status}", hint="Restore it first.")
        if pinned and memory.kind in NEVER_PINNED:
            raise NotPinnable(f"a memory of the kind {memory.kind} may not be pinned")
        if memory.pinned == pinned:
            return memory
        memory.pinned = pinned
        save_change(memory, actor, Change("pinned" if pinned else "unpinned"), now, ["pinned"])
        audit.record(
            actor,
            "memory.pinned" if pinned else "memory.unpinned",
            target_kind="memory",
            target_id=memory.id,
            subject_id=memory.subject_id,
        )
    return memory
