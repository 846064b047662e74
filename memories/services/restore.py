"""Restore: bring a forgotten, expired or archived memory back, as long as it was not purged (R25)."""

from __future__ import annotations

import json
import uuid
from datetime import datetime

from accounts import audit
from accounts.actor import Actor
from accounts.permissions import Capability
from memories.adapters.factory import get_clock
from memories.core.decay import starting_strength
from memories.core.errors import MemoryGone, MemoryNotFound, NotUndoable
from memories.core.policy import Policy
from memories.models import Approval, Contradiction, ForgetRule, Memory, Status, Tombstone
from memories.services.embedding import embed_passages
from memories.services.emptied import emptied
from memories.services.forget_cuts import put_back
from memories.services.forget_rules import prints_of, reach_prints
from memories.services.forget_wide import finish_texts
from memories.services.get_memory import readable, writable
from memories.services.index_memory import index_memory
from memories.services.policies import policy_of
from memories.services.tenant_subject import check_rules_writable
from memories.services.tombstones import open_one
from memories.services.undo_records import refuse_rival
from memories.services.versioning import Change, save_change
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
        previous = stone.previous_status if stone is not None else Status.CURRENT
        if previous in {Status.CURRENT, Status.ARCHIVED, Status.EXPIRED}:
            refuse_rival(memory, since=stone.at if stone is not None else memory.updated_at)
            _revive(memory, policy, now)
        else:
            memory.status = Status(previous)
            _ask_again(memory)
        if memory.status in {Status.CURRENT, Status.SUPERSEDED}:
            index_memory(memory, embedded if memory.content == before.content else None)
        fields = ["status", "strength", "last_hit_at", "expires_at"]
        save_change(
            memory, actor, Change("restored", f"restore.{stone.cause if stone else 'none'}"), now, fields
        )
        # Words of texts that changed since stay encrypted until the retention ends.
        missed = put_back(memory.subject_id, [stone.id]) if stone is not None else []
        Tombstone.objects.filter(memory_id=memory.id, restored_at__isnull=True).update(
            restored_at=now, undo=json.dumps(missed, ensure_ascii=False) if missed else None
        )
        _release(memory, now)
        audit.record(
            actor,
            "memory.restored",
            target_kind="memory",
            target_id=memory.id,
            subject_id=memory.subject_id,
            missed=len(missed),
        )
    return memory


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


def _ask_again(memory: Memory) -> None:
    """What waited for a yes waits again: forgetting it had closed the question."""
    Approval.objects.filter(memory_id=memory.id, state=Approval.State.REFUSED).update(
        state=Approval.State.WAITING, decided_at=None, decided_by=""
    )


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


def _revive(memory: Memory, policy: Policy, now: datetime) -> None:
    memory.status = Status.CURRENT
    memory.strength = max(memory.strength, starting_strength(policy, kind=memory.kind))
    memory.last_hit_at = now
    if memory.expires_at is not None and memory.expires_at <= now:
        memory.expires_at = None


def _release(memory: Memory, now: datetime) -> None:
    """Undo what forgetting did around the memory: its rules, and the contradictions closed."""
    prints = [fingerprint for _, fingerprint in prints_of(memory)]
    prints += reach_prints(memory)
    ForgetRule.objects.filter(
        subject_id=memory.subject_id, fingerprint__in=prints, removed_at__isnull=True
    ).exclude(binds_before__isnull=True).update(removed_at=now)
    Contradiction.objects.filter(undo__forgotten=str(memory.id), state=Contradiction.State.RESOLVED).update(
        state=Contradiction.State.OPEN, resolution="", resolved_at=None, resolved_by="", undo={}
    )
