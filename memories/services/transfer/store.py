"""Stores prepared memories of one subject: what is known is passed over, what is forbidden refused, what disputes is marked."""

from __future__ import annotations

import uuid
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from django.db.models import Q

from accounts.actor import Actor
from memories.core.policy import Policy
from memories.models import Evidence, Fact, Memory, MemoryVersion, Status
from memories.services.fingerprints import everything_print, fact_print
from memories.services.forget_rules import forbidding, statement_prints
from memories.services.rivals import settle_edited
from memories.services.standing import rules_over
from memories.services.transfer.prepare import Prepared
from memories.store.index import Indexed, put_postings
from memoryhub.common.errors import Conflict

ROWS = 50
"""Rows of one statement: the driver takes a statement apart in time that grows with the square of its placeholders."""
_Reach = tuple[str, uuid.UUID | None, uuid.UUID | None]
_INDEXED = frozenset({Status.CURRENT, Status.SUPERSEDED})


@dataclass(slots=True)
class Stored:
    """(line, code, reason) of each memory; `same` gives, for what is known here under another id, that id."""

    told: list[tuple[int, str, str]] = field(default_factory=list)
    same: dict[uuid.UUID, uuid.UUID] = field(default_factory=dict)
    made: int = 0


def store(
    actor: Actor,
    subject_id: uuid.UUID,
    batch: Sequence[Prepared],
    policy: Policy,
    now: datetime,
    own: Collection[uuid.UUID],
) -> Stored:
    """Inside a transaction, under the subject's lock. `own` are the import's memories, which dispute nothing among themselves."""
    done = Stored()
    fresh = _allowed(actor, subject_id, _unknown(subject_id, batch, done), done)
    fresh = _undisputed(subject_id, fresh, policy, now, own, done)
    Memory.objects.bulk_create((one.memory for one in fresh), batch_size=ROWS)
    MemoryVersion.objects.bulk_create((row for one in fresh for row in one.versions), batch_size=ROWS)
    Evidence.objects.bulk_create((row for one in fresh for row in one.evidence), batch_size=ROWS)
    Fact.objects.bulk_create((row for one in fresh for row in one.facts), batch_size=ROWS)
    put_postings(
        [
            Indexed("memory", one.memory.pk, subject_id, one.memory.content, one.memory.speaker)
            for one in fresh
            if one.memory.status in _INDEXED
        ],
        fresh=True,
    )
    done.made = len(fresh)
    done.told += [(one.line, "stored", "") for one in fresh]
    return done


def _unknown(subject_id: uuid.UUID, batch: Sequence[Prepared], done: Stored) -> list[Prepared]:
    """Those of which no current memory says the same, and none has the id, the words' print or the key already."""
    rows = Memory.objects.filter(subject_id=subject_id)
    there = set(Memory.objects.filter(id__in=[one.memory.pk for one in batch]).values_list("id", flat=True))
    prints = [one.memory.fingerprint for one in batch]
    keys = [one.memory.key for one in batch if one.memory.key]
    current: dict[tuple[_Reach, bytes | str], uuid.UUID] = {}
    for row in rows.filter(
        Q(fingerprint__in=prints) | Q(kind="constraint", key__in=keys), status=Status.CURRENT
    ):
        current |= dict.fromkeys(_marks(row), row.pk)
    found = []
    for one in batch:
        if one.memory.pk in there:
            done.told.append((one.line, "known", "it was taken in before"))
            continue
        marks = _marks(one.memory) if one.memory.status == Status.CURRENT else []
        other = next((current[mark] for mark in marks if mark in current), None)
        if other is not None:
            done.same[one.memory.pk] = other
            done.told.append((one.line, "known", f"memory {other} says it, or has its key"))
            continue
        current |= dict.fromkeys(marks, one.memory.pk)
        found.append(one)
    return found


def _marks(memory: Memory) -> list[tuple[_Reach, bytes | str]]:
    """What only one current memory of a reach may have: the print of its words, and a rule's key."""
    reach = (str(memory.scope), memory.agent_id, memory.session_id)
    marks: list[tuple[_Reach, bytes | str]] = [(reach, bytes(memory.fingerprint))]
    if memory.kind == "constraint" and memory.key:
        marks.append((reach, memory.key))
    return marks


def _allowed(actor: Actor, subject_id: uuid.UUID, batch: Sequence[Prepared], done: Stored) -> list[Prepared]:
    """Without what the subject asked to forget after it was said, or never to keep, and without what was redacted."""
    tenant_id = actor.tenant_id
    everything = everything_print(tenant_id, subject_id)
    about = [
        {
            everything,
            bytes(one.memory.fingerprint),
            *statement_prints(tenant_id, subject_id, one.statement),
            *(fact_print(tenant_id, subject_id, part) for part in one.statement.facts),
        }
        for one in batch
    ]
    rules, standing = rules_over(subject_id, frozenset().union(*about))
    found = []
    for one, prints in zip(batch, about, strict=True):
        said = [
            one.statement.content,
            *(row.content for row in one.versions),
            *(row.quote for row in one.evidence),
        ]
        if forbidding(rules, one.memory.said_at, prints) is not None or standing.forbids(one.statement):
            done.told.append((one.line, "forgotten", "it was asked to be forgotten here after it was said"))
        elif any(text and standing.clean(text, said_at=one.memory.said_at) != text for text in said):
            done.told.append(
                (one.line, "forgotten", "a part of it was asked to be forgotten or redacted here")
            )
        else:
            found.append(one)
    return found


def _undisputed(
    subject_id: uuid.UUID,
    batch: Sequence[Prepared],
    policy: Policy,
    now: datetime,
    own: Collection[uuid.UUID],
    done: Stored,
) -> list[Prepared]:
    """Without what another current memory states already in other words; another value of the same thing is a contradiction."""
    slots = {
        row.slot_key
        for one in batch
        if one.memory.status == Status.CURRENT
        for row in one.facts
        if row.single_valued
    }
    holders = Fact.objects.filter(subject_id=subject_id, slot_key__in=slots, memory__status=Status.CURRENT)
    held = {slot for slot, holder in holders.values_list("slot_key", "memory_id") if holder not in own}
    found = []
    for one in batch:
        if one.memory.status == Status.CURRENT and any(row.slot_key in held for row in one.facts):
            try:
                settle_edited(one.memory, one.statement, policy, now)
            except Conflict:
                done.told.append((one.line, "known", "another memory states the same"))
                continue
        found.append(one)
    return found
