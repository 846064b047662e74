"""Reads which recalled turns, and which values, were superseded since."""

from __future__ import annotations

import uuid
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime

from memories.core.kinds import Kind
from memories.models import Evidence, Fact, Memory, Status
from memories.services.recall_result import RecallItem
from sessions_app.core.outdated import OldValue, Outdated

SHORTEST_VALUE = 2
MAX_STATEMENTS = 200


def read_outdated(subject_id: uuid.UUID, items: Sequence[RecallItem]) -> Outdated:
    """What is outdated among recalled items, within the open tenant transaction, where anything was superseded: a few narrow look-ups.

    A quote is outdated when the memory that rests on it is superseded and no current one rests on the same words. A value
    is, when a recalled memory holds another one for the same slot now: that finds it in echoes and digests, too, which no
    evidence links to it.
    """
    turn_ids = {turn_id for item in items for turn_id in item.source_ids if item.item_kind == "episode"}
    rows = Evidence.objects.filter(turn_id__in=turn_ids, memory__subject_id=subject_id)
    said: dict[uuid.UUID, dict[str, set[str]]] = {}
    for turn_id, quote, status in rows.values_list("turn_id", "quote", "memory__status"):
        said.setdefault(turn_id, {}).setdefault(status, set()).add(quote)
    quotes = {turn_id: _replaced(by_status) for turn_id, by_status in said.items()}
    quotes = {turn_id: found for turn_id, found in quotes.items() if found}
    values = [*_old_values(subject_id, items, quotes.keys()), *_old_statements(subject_id)]
    return Outdated(quotes=quotes, values=tuple(values))


def _replaced(by_status: Mapping[str, set[str]]) -> tuple[str, ...]:
    """The quotes of superseded memories that are no part of, and hold no, quote of one that stands."""
    standing = {
        quote for status, found in by_status.items() if status != Status.SUPERSEDED for quote in found
    }
    return tuple(
        quote
        for quote in sorted(by_status.get(Status.SUPERSEDED, ()))
        if not any(quote in other or other in quote for other in standing)
    )


def _old_statements(subject_id: uuid.UUID) -> list[OldValue]:
    """Replaced statements without structure, as rules are: their very words in a digest are outdated, too."""
    rows = Memory.objects.of(subject_id).filter(
        status=Status.SUPERSEDED, kind=Kind.CONSTRAINT, superseded_by__status=Status.CURRENT
    )
    found = rows.order_by("-said_at").values_list(
        "content", "superseded_by__content", "superseded_by__said_at"
    )[:MAX_STATEMENTS]
    return [OldValue(content, current, until) for content, current, until in found]


def _old_values(
    subject_id: uuid.UUID, items: Sequence[RecallItem], replaced: Collection[uuid.UUID]
) -> list[OldValue]:
    memory_ids = [item.id for item in items if item.item_kind == "memory"]
    slots = set(
        Fact.objects.filter(memory_id__in=memory_ids, memory__status=Status.CURRENT).values_list(
            "slot_key", flat=True
        )
    )
    # The replacement may not have been recalled by itself, where the question is in the old statement's words.
    slots |= set(
        Fact.objects.filter(
            memory__evidence__turn_id__in=list(replaced),
            memory__status=Status.SUPERSEDED,
            subject_id=subject_id,
        ).values_list("slot_key", flat=True)
    )
    # Slots of which nothing was replaced have no old value, however many they hold: their values stay where they are.
    told = Fact.objects.filter(subject_id=subject_id, slot_key__in=slots)
    replaced_in = told.filter(memory__status=Status.SUPERSEDED).values_list("slot_key", flat=True)
    slots = set(replaced_in) if slots else set()
    if not slots:
        return []
    facts = Fact.objects.filter(
        subject_id=subject_id, slot_key__in=slots, memory__status__in=[Status.CURRENT, Status.SUPERSEDED]
    ).values_list("slot_key", "value", "memory__status", "memory__said_at")
    by_slot: dict[str, list[tuple[str, str, datetime]]] = {}
    for slot, value, status, said_at in facts:
        by_slot.setdefault(slot, []).append((value, status, said_at))
    found: list[OldValue] = []
    for rows in by_slot.values():
        current = [row for row in rows if row[1] == Status.CURRENT]
        if not current:
            continue
        newest, _, since = max(current, key=lambda row: row[2])
        held = {value.casefold() for value, _, _ in current}
        found += [
            OldValue(value, newest, since)
            for value, status, _ in rows
            if status == Status.SUPERSEDED and len(value) >= SHORTEST_VALUE and value.casefold() not in held
        ]
    return found
