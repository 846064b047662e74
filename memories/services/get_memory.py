"""Get one memory: the only way from an id in a request to a memory, with permission checked."""

from __future__ import annotations

import uuid

from accounts.actor import Actor
from accounts.models import Subject
from accounts.reading import note_reading
from memories.core.errors import MemoryNotFound
from memories.models import Memory
from memories.services.tenant_subject import check_rules_writable
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import NotFound


def get_memory(*, actor: Actor, memory_id: uuid.UUID) -> Memory:
    """The memory, whatever its status; MemoryNotFound when there is none or it is not the actor's to see."""
    with tenant_transaction(actor.tenant_id):
        memory = readable(actor, memory_id)
        note_reading(actor, memory.subject_id, "memory.read", target_kind="memory", target_id=memory.id)
        return memory


def readable(actor: Actor, memory_id: uuid.UUID) -> Memory:
    """The same within an open tenant transaction."""
    memory = Memory.objects.filter(id=memory_id).first()
    return _allowed(actor, memory, write=False)


def changeable(actor: Actor, memory_id: uuid.UUID) -> Memory:
    """The memory that the actor may change, without a lock; MemoryNotFound where not, so that no version is told."""
    return _allowed(actor, Memory.objects.filter(id=memory_id).first(), write=True)


def writable(actor: Actor, memory_id: uuid.UUID) -> Memory:
    """The memory that the actor may change, locked until the transaction ends; PermissionDenied for a rule of the tenant."""
    memory = Memory.objects.select_for_update().filter(id=memory_id).first()
    return _allowed(actor, memory, write=True)


def _allowed(actor: Actor, memory: Memory | None, *, write: bool) -> Memory:
    if memory is None:
        raise MemoryNotFound("no such memory")
    try:
        actor.require_subject(memory.subject_id, write=write)
    except NotFound:
        raise MemoryNotFound("no such memory") from None
    if Subject.objects.filter(id=memory.subject_id, erased_at__isnull=False).exists():
        raise MemoryNotFound("no such memory")  # It is being erased.
    if write:
        check_rules_writable(actor, memory.subject_id)
    return memory
