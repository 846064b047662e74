"""Undo: take back what ended a memory, whichever it was: a replacement, or a merge of confirmations."""

from __future__ import annotations

import uuid

from accounts.actor import Actor
from memories.models import Memory, Status
from memories.services.get_memory import readable
from memories.services.merge_memories import unmerge
from memories.services.undo_supersession import undo_supersession
from memoryhub.common.db import tenant_transaction


def undo(*, actor: Actor, memory_id: uuid.UUID) -> Memory:
    """The memory, current again as it was. Raises MemoryNotFound, NotUndoable saying what stands in the way.

    A decision about a contradiction is undone by `undo_resolution`, forgetting and sweeps by `restore`.
    """
    with tenant_transaction(actor.tenant_id):
        status = readable(actor, memory_id).status
    if status == Status.MERGED:
        return unmerge(actor=actor, memory_id=memory_id)
    return undo_supersession(actor=actor, memory_id=memory_id)


def undoable(memory: Memory) -> bool:
    """Whether a page may offer it: another memory took its place; the undo itself looks closer."""
    return memory.status in {Status.SUPERSEDED, Status.MERGED} and memory.superseded_by_id is not None
