"""Which memories of a person confirm one another: the same fact, or the same claim, with nothing that tells them apart (R17)."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from memories.core.statement import FactPart
from memories.core.values.compare import hard_values, same_claim


@dataclass(frozen=True, slots=True)
class Confirmable:
    """A current memory as the merge looks at it; `proofs` is the number of its pieces of evidence."""

    id: uuid.UUID
    kind: str
    content: str
    reach: tuple[object, ...]
    claim: bytes | None
    facts: tuple[FactPart, ...]
    said_at: datetime
    pinned: bool = False
    proofs: int = 1
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    event_start: datetime | None = None


@dataclass(frozen=True, slots=True)
class Group:
    """Memories that say the same: the one that stays, and those that go into it."""

    survivor: uuid.UUID
    merged: tuple[uuid.UUID, ...]
    rule: str


def groups(memories: Iterable[Confirmable], *, least: int) -> list[Group]:
    """Groups of at least `least` memories that say the same, in the order of their survivors' ids.

    Never by likeness: equal facts or claims only, with the same polarity, numbers, names and times, of the same reach and
    kind. The survivor is a pinned one, else the one with most evidence, else the oldest. Two pinned ones both stay.
    """
    by_key: dict[tuple[object, ...], list[Confirmable]] = {}
    for memory in memories:
        key = _key(memory)
        if key is not None:
            by_key.setdefault(key, []).append(memory)
    alike = [same for rows in by_key.values() for same in _alike(rows) if len(same) >= least]
    found = [group for same in alike if (group := _group(same)) is not None]
    return sorted(found, key=lambda group: group.survivor)


def _key(memory: Confirmable) -> tuple[object, ...] | None:
    when = (memory.event_start, memory.valid_to)
    if memory.facts:
        facts = sorted((fact.slot, fact.value_form, fact.negated) for fact in memory.facts)
        return ("fact", memory.reach, when, *facts)
    if memory.claim is not None:
        return ("claim", memory.reach, when, memory.kind, memory.claim)
    return None


def _alike(rows: Sequence[Confirmable]) -> list[list[Confirmable]]:
    """The rows of one key in groups without a difference in a number, a name, a time or a negation."""
    made: list[list[Confirmable]] = []
    for row in sorted(rows, key=lambda one: one.id):
        for group in made:
            if all(_same(row, other) for other in group):
                group.append(row)
                break
        else:
            made.append([row])
    return made


def _same(one: Confirmable, other: Confirmable) -> bool:
    if one.facts and all(fact.single for fact in (*one.facts, *other.facts)):
        # The one value that can stand is the same; what else the sentences say may differ by what one leaves out.
        mine, theirs = hard_values(one.content), hard_values(other.content)
        return mine <= theirs or theirs <= mine
    return same_claim(one.content, other.content)


def _group(rows: Sequence[Confirmable]) -> Group | None:
    pinned = [row for row in rows if row.pinned]
    if pinned:
        survivor = min(pinned, key=lambda row: row.id)
    else:
        survivor = min(rows, key=lambda row: (-row.proofs, row.said_at, row.id))
    merged = tuple(row.id for row in rows if row.id != survivor.id and not row.pinned)
    rule = "merge.fact" if survivor.facts else "merge.claim"
    return Group(survivor.id, merged, rule) if merged else None
