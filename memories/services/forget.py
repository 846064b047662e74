"""Forget: take memories, and the words of theirs in every text, out of recall at once; restorable until retention ends (R25, R26)."""

from __future__ import annotations

import uuid
from datetime import datetime

from accounts import audit
from accounts.actor import Actor
from memories.adapters.factory import get_clock
from memories.core.errors import MemoryGone
from memories.core.policy import Policy
from memories.models import (
    Approval,
    Contradiction,
    ForgetRequest,
    Memory,
    Status,
    Tombstone,
)
from memories.services.emptied import lay_for_emptied
from memories.services.forget_rules import bind_memory
from memories.services.forget_specs import spec_of
from memories.services.forget_texts import Taking, clear_kept_answers, keep_undo, take_out
from memories.services.get_memory import readable, writable
from memories.services.policies import policy_of
from memories.services.tenant_subject import check_writable
from memories.services.tombstones import lay, open_one
from memories.services.versioning import Change, save_change
from memories.store.index import remove_from_index
from memories.store.locks import lock_subject
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import Invalid

CAUSES = ("user", "operator", "rule", "merge")
BY_WILL = frozenset({"user", "operator"})
"""Somebody wants it gone: the words go, too. A rule or a merge removes a memory, not what was said."""


def forget(*, actor: Actor, memory_id: uuid.UUID, reason: str = "", cause: str = "user") -> Tombstone:
    """The tombstone; forgetting twice returns the first one.

    In one transaction the memory leaves recall with its vector and postings, its words are taken out of turns, episodes,
    digests, titles, slots and traces, and what was said so far is not learnt again (a later restatement is). `reason`
    must hold no content. Raises MemoryNotFound, MemoryGone when it was redacted, Invalid for an unknown cause.
    """
    if cause not in CAUSES:
        raise Invalid(
            f"there is no cause {cause!r}",
            hint=f"Use one of {', '.join(CAUSES)}.",
            fields={"cause": "unknown"},
        )
    now = get_clock().now()
    policy, _ = policy_of(actor.tenant_id)
    with tenant_transaction(actor.tenant_id):
        seen = readable(actor, memory_id)
        check_writable(actor, seen.subject_id)
        lock_subject(seen.subject_id)
        memory = writable(actor, memory_id)
        stone = open_one(memory)
        if memory.status == Status.FORGOTTEN and stone is not None:
            return stone
        if memory.status == Status.REDACTED:
            raise MemoryGone("the memory was redacted", hint="Nothing of it is left to forget.")
        spec = spec_of(memory)
        made = remove(memory, actor=actor, cause=cause, reason=reason, policy=policy, now=now)
        bind_memory(memory, now)
        if cause in BY_WILL:
            taken = take_out(memory.subject_id, [Taking(made.id, spec)], without=frozenset({memory.id}))
            keep_undo(taken)
            emptied = taken.places.get("memories", set())
            lay_for_emptied(emptied, actor=actor, cause=cause, policy=policy, now=now)
            clear_kept_answers(memory.subject_id, [spec])
    return made


def remove(
    memory: Memory,
    *,
    actor: Actor,
    cause: str,
    reason: str,
    policy: Policy,
    now: datetime,
    request: ForgetRequest | None = None,
) -> Tombstone:
    """Take one memory, locked with its subject, out of recall; its texts, its rules and the undo are the caller's."""
    stone = open_one(memory)
    previous: str = memory.status
    if stone is not None:
        # Swept before, forgotten now: the person's word replaces the sweep's.
        stone.restored_at = now
        stone.save(update_fields=["restored_at"])
    memory.status = Status.FORGOTTEN
    save_change(memory, actor, Change("forgotten", f"forget.{cause}", reason), now, ["status"])
    remove_from_index([memory.id])
    made = lay(
        memory,
        actor=actor,
        previous=previous,
        cause=cause,
        rule="forget" if request is None else "forget.words",
        reason=reason,
        policy=policy,
        now=now,
        request=request,
    )
    Approval.objects.filter(memory_id=memory.id, state=Approval.State.WAITING).update(
        state=Approval.State.REFUSED, decided_at=now, decided_by=actor.id[:64]
    )
    close_contradictions(memory, now)
    audit.record(
        actor,
        "memory.forgotten",
        target_kind="memory",
        target_id=memory.id,
        subject_id=memory.subject_id,
        cause=cause,
    )
    return made


def close_contradictions(memory: Memory, now: datetime) -> None:
    """Where one side is gone, the other stands; the record says so and a restore opens it again."""
    for side, kept in (
        ("older", Contradiction.Resolution.KEEP_NEW),
        ("newer", Contradiction.Resolution.KEEP_OLD),
    ):
        Contradiction.objects.filter(**{side: memory}, state=Contradiction.State.OPEN).update(
            state=Contradiction.State.RESOLVED,
            resolution=kept,
            resolved_at=now,
            resolved_by="forget",
            undo={"forgotten": str(memory.id)},
        )
