"""Versions: a memory's history, from its first state on (R19)."""

from __future__ import annotations

import uuid

from accounts.actor import Actor
from accounts.reading import note_reading
from memories.models import MemoryVersion
from memories.services.get_memory import readable
from memoryhub.common.db import tenant_transaction


def versions(*, actor: Actor, memory_id: uuid.UUID) -> list[MemoryVersion]:
    """Every version, the first one first; MemoryNotFound when there is no such memory or it is not the actor's to see."""
    with tenant_transaction(actor.tenant_id):
        memory = readable(actor, memory_id)
        note_reading(actor, memory.subject_id, "memory.read", target_kind="memory", target_id=memory.id)
        return list(MemoryVersion.objects.filter(memory_id=memory.id).order_by("number"))
