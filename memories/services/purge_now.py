"""Purge now: remove what a tombstone keeps before its retention has ended, for good (R25)."""

from __future__ import annotations

import uuid

from accounts import audit
from accounts.actor import Actor
from accounts.permissions import Capability
from memories.core.errors import MemoryGone
from memories.models import Memory, Status, Tombstone
from memories.services.purge import remove_for_good
from memories.store.locks import lock_any_subject
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import NotFound


def purge_now(*, actor: Actor, tombstone_id: uuid.UUID) -> uuid.UUID:
    """The id of the memory that is gone, with all that hung on it and the words that were taken out of texts for it.

    Nothing brings it back. The forget rules, which hold no words, stay, so that its turns are not learnt anew. Needs the
    capability to redact, since both destroy what a person could have had back. NotFound for another tenant's tombstone;
    MemoryGone for one whose memory was restored.
    """
    actor.require(Capability.REDACT)
    with tenant_transaction(actor.tenant_id):
        found: Tombstone | None = Tombstone.objects.filter(id=tombstone_id).defer("undo").first()
        if found is None:
            raise NotFound("no such tombstone")
        # What a restore at the same time brings back is not removed, and what is removed is not brought back.
        lock_any_subject(found.subject_id)
        stone = Tombstone.objects.filter(id=tombstone_id).defer("undo").first()
        alive = (
            stone is not None and Memory.objects.filter(id=stone.memory_id, status=Status.CURRENT).exists()
        )
        if stone is None or stone.restored_at is not None or alive:
            raise MemoryGone("the tombstone is not open any more", hint="Its memory was restored or purged.")
        remove_for_good(stone.subject_id, {stone.id: stone.memory_id})
        audit.record(
            actor,
            "memory.purged",
            target_kind="memory",
            target_id=stone.memory_id,
            subject_id=stone.subject_id,
            cause=stone.cause,
        )
    return uuid.UUID(str(stone.memory_id))
