"""Restore: bring a forgotten, expired or archived memory back, as long as it was not purged (R25)."""

from __future__ import annotations

import json
import uuid

from accounts import audit
from accounts.actor import Actor
from accounts.permissions import Capability
from memories.adapters.factory import get_clock
from memories.core.errors import MemoryGone, MemoryNotFound, NotUndoable
from memories.models import Memory, Status, Tombstone
from memories.services.bring_back import bring_back
from memories.services.embedding import embed_passages
from memories.services.emptied import emptied
from memories.services.forget_put_back import put_back
from memories.services.forget_rules import prints_of, release
from memories.services.forget_wide import finish_texts
from memories.services.get_memory import readable, writable
from memories.services.index_memory import index_memories
from memories.services.policies import policy_of
from memories.services.tenant_subject import check_rules_writable
from memories.services.tombstones import open_one
from memories.services.undo_records import stands_in_place
from memories.store.locks import lock_subject
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import NotFound

RESTORABLE = (Status.FORGOTTEN, Status.ARCHIVED, Status.EXPIRED)


def restore(*, actor: Actor, memory_id: uuid.UUID) -> Memory:
    """The memory with the status that it had before; restoring a current one changes nothing.

    One that waited for a yes waits for it again, and what a newer one had replaced is history again. Any other is recalled
    again, may be learnt again, and starts at a fresh strength, with an end that has passed taken away, so that no sweep
    takes it at once. The words that went from turns, digests, titles, slots and traces stand there again, exactly. Allowed to whoever may write the subject's memory, and to operators with the capability
    to restore. Raises MemoryNotFound, MemoryGone past its retention or after redaction, NotUndoable when something newer
    stands in its place.
    """
    now = get_clock().now()
    policy, _ = policy_of(actor.tenant_id)
    with tenant_transaction(actor.tenant_id):
        before = readable(actor, memory_id)
        _allow(actor, before)
        stone = open_one(before)
    if before.status == Status.CURRENT:
        return before
    # Words that a job has still to take out cannot be put back, nor be shown by what is.
    finish_texts(actor.tenant_id, before.subject_id)
    embedded = embed_passages([before.content], policy)
    with tenant_transaction(actor.tenant_id):
        lock_subject(before.subject_id)
        memory = _locked(actor, memory_id)
        if memory.status == Status.CURRENT:
            return memory
        stone = open_one(memory)
        if memory.status not in RESTORABLE or (stone is not None and stone.purge_after <= now):
            raise MemoryGone(f"the memory is {memory.status} and cannot be restored")
        if emptied(memory.content):
            raise NotUndoable(
                "the words of this memory were taken out by a request to forget",
                hint="Undo that request first; it brings them back.",
            )
        # Words of texts that changed since stay encrypted until the retention ends.
        missed = _words_back(memory, stone) if stone is not None else 0
        stones = {memory.pk: stone} if stone is not None else {}
        rivals = bring_back([memory], stones, actor=actor, rule=rule_of, policy=policy, now=now)
        if rivals:
            raise stands_in_place(rivals[memory.pk])
        index_memories([memory], embedded if memory.content == before.content else None)
        release(memory.subject_id, prints_of([memory]), now)
        audit.record(
            actor,
            "memory.restored",
            target_kind="memory",
            target_id=memory.id,
            subject_id=memory.subject_id,
            missed=missed,
        )
    return memory


def _words_back(memory: Memory, stone: Tombstone) -> int:
    """Put the words back that went with the memory; how many passages could not be."""
    but = {stone.request_id} if stone.request_id else set()
    missed = put_back(memory.subject_id, [stone.id], but=but).missed
    kept = json.dumps(missed, ensure_ascii=False) if missed else None
    Tombstone.objects.filter(id=stone.id).update(undo=kept)
    return len(missed)


def rule_of(stone: Tombstone | None) -> str:
    """By which rule a memory came back: what had taken it."""
    return f"restore.{stone.cause if stone else 'none'}"


def words_missing(actor: Actor, memory_id: uuid.UUID) -> int:
    """How many passages the memory's last restore could not put back, as their texts had changed."""
    with tenant_transaction(actor.tenant_id):
        memory = readable(actor, memory_id)
        stone = (
            Tombstone.objects.filter(memory_id=memory.id, restored_at__isnull=False).order_by("-at").first()
        )
        return len(json.loads(stone.undo)) if stone is not None and stone.undo else 0


def may_restore(actor: Actor, subject_id: uuid.UUID) -> bool:
    """Whether the actor may bring back memories of a subject that it may read."""
    try:
        actor.require_subject(subject_id, write=True)
    except NotFound:
        return Capability.RESTORE in actor.capabilities
    return True


def _allow(actor: Actor, memory: Memory) -> None:
    try:
        actor.require_subject(memory.subject_id, write=True)
    except NotFound:
        actor.require(Capability.RESTORE)
    check_rules_writable(actor, memory.subject_id)


def _locked(actor: Actor, memory_id: uuid.UUID) -> Memory:
    """The memory under a row lock, for an operator who may restore but not write, too."""
    try:
        return writable(actor, memory_id)
    except MemoryNotFound:
        actor.require(Capability.RESTORE)
        return Memory.objects.select_for_update().get(id=readable(actor, memory_id).id)
