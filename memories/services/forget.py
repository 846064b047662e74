"""Forget: take a memory out of every recall at once, restorable until its retention ends (R25; R26 in its first form)."""

from __future__ import annotations

import uuid
from datetime import datetime

from accounts import audit
from accounts.actor import Actor
from memories.adapters.factory import get_clock
from memories.core.errors import MemoryGone
from memories.core.statement import FactPart
from memories.models import (
    Approval,
    Contradiction,
    Episode,
    Evidence,
    Fact,
    ForgetRule,
    Memory,
    Status,
    Tombstone,
)
from memories.services.fingerprints import fact_print
from memories.services.get_memory import readable, writable
from memories.services.policies import policy_of
from memories.services.tombstones import lay, open_one
from memories.services.versioning import Change, save_change
from memories.store.index import remove_from_index
from memories.store.locks import lock_subject
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import Invalid

CAUSES = ("user", "operator", "rule", "merge")
COVERED = 0.6
"""An episode of which a forgotten quote is at least this share is taken out of recall with it."""


def forget(*, actor: Actor, memory_id: uuid.UUID, reason: str = "", cause: str = "user") -> Tombstone:
    """The tombstone; forgetting twice returns the first one.

    In one transaction the memory leaves recall with its vector and postings, what was said so far is not learnt again
    (a later restatement is), and episodes that hold little else than its evidence are set aside. `reason` must hold no
    content. Raises MemoryNotFound, MemoryGone when it was redacted, Invalid for an unknown cause.
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
        lock_subject(readable(actor, memory_id).subject_id)
        memory = writable(actor, memory_id)
        stone = open_one(memory)
        if memory.status == Status.FORGOTTEN and stone is not None:
            return stone
        if memory.status == Status.REDACTED:
            raise MemoryGone("the memory was redacted", hint="Nothing of it is left to forget.")
        if stone is not None:
            # Swept before, forgotten now: the person's word replaces the sweep's.
            stone.restored_at = now
            stone.save(update_fields=["restored_at"])
        previous = memory.status
        memory.status = Status.FORGOTTEN
        save_change(memory, actor, Change("forgotten", f"forget.{cause}", reason), now, ["status"])
        remove_from_index([memory.id])
        made = lay(
            memory,
            actor=actor,
            previous=previous,
            cause=cause,
            rule="forget",
            reason=reason,
            policy=policy,
            now=now,
        )
        bind(memory, now)
        _set_aside(memory)
        Approval.objects.filter(memory_id=memory.id, state=Approval.State.WAITING).update(
            state=Approval.State.REFUSED, decided_at=now, decided_by=actor.id[:64]
        )
        _close_contradictions(memory, now)
        audit.record(
            actor,
            "memory.forgotten",
            target_kind="memory",
            target_id=memory.id,
            subject_id=memory.subject_id,
            cause=cause,
        )
    return made


def prints_of(memory: Memory) -> list[tuple[str, bytes]]:
    """(kind of rule, fingerprint) of the memory's words and of each of its facts."""
    prints = [("text", bytes(memory.fingerprint))]
    for row in Fact.objects.filter(memory_id=memory.id):
        part = FactPart(row.entity, row.attribute, row.value, row.single_valued, row.negated)
        prints.append(("fact", fact_print(memory.tenant_id, memory.subject_id, part)))
    return prints


def bind(memory: Memory, now: datetime) -> None:
    """What was said up to now is not to be learnt again, by whatever reads those turns later."""
    ForgetRule.objects.bulk_create(
        ForgetRule(
            subject_id=memory.subject_id,
            kind=kind,
            fingerprint=fingerprint,
            label=memory.content_encrypted or memory.content,
            binds_before=now,
            created_at=now,
        )
        for kind, fingerprint in prints_of(memory)
    )


def _set_aside(memory: Memory) -> None:
    """Turns that say this and nearly nothing else would go on answering; a restore brings them back."""
    quotes: dict[uuid.UUID, int] = {}
    for turn_id, quote in Evidence.objects.filter(memory_id=memory.id).values_list("turn_id", "quote"):
        if turn_id is not None:
            quotes[turn_id] = quotes.get(turn_id, 0) + len(quote)
    if not quotes:
        return
    rows = Episode.objects.of(memory.subject_id).current().filter(source_id__in=quotes)
    covered = [row.id for row in rows if quotes[row.source_id] >= COVERED * len(row.text.strip())]
    Episode.objects.filter(id__in=covered).update(status=Status.FORGOTTEN)
    remove_from_index(covered)


def _close_contradictions(memory: Memory, now: datetime) -> None:
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
