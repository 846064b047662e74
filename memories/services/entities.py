"""Puts facts under the one key of whom or what they are about, and moves what is stored when a later statement ties two (R15)."""

from __future__ import annotations

import uuid
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from django.db.models import Q

from memories.core.entities import Entities
from memories.core.statement import FactPart, Statement
from memories.core.values.forms import value_form
from memories.models import Contradiction, Fact, Status

_TOLD = (Status.CURRENT, Status.SUPERSEDED, Status.ARCHIVED, Status.EXPIRED)
"""Memories whose facts still say who is who; what is forgotten, redacted or not yet allowed does not."""


def known_entities(subject_id: uuid.UUID, facts: Sequence[FactPart] = ()) -> Entities:
    """Who is who among the stored facts of a subject and the facts given. Inside a tenant transaction."""
    mine = Fact.objects.filter(subject_id=subject_id).exclude(entity="user")
    keys = mine.filter(memory__status__in=_TOLD).values_list("entity", flat=True).distinct()
    names = mine.filter(
        attribute="name", negated=False, memory__status=Status.CURRENT, valid_to__isnull=True
    ).values_list("entity", "attribute", "value")
    return Entities(
        [
            *((entity, "", "") for entity in keys.order_by()),
            *names,
            *((fact.entity, fact.attribute, fact.value) for fact in facts),
        ]
    )


def resolve_entities(
    subject_id: uuid.UUID, statements: Sequence[Statement], now: datetime
) -> list[Statement]:
    """The statements with their facts under the entities' one key.

    Stored facts move there too, in the same transaction: "陈梅的电话是…" and then "陈梅是我同事" are one person's. Where that
    puts two values side by side that cannot both hold, a contradiction is opened. The caller holds the subject's lock.
    """
    facts = [fact for one in statements for fact in one.facts]
    if all(fact.entity == "user" for fact in facts):
        return list(statements)
    known = known_entities(subject_id, facts)
    _move_stored(subject_id, known, now)
    return [_moved(statement, known) for statement in statements]


def _moved(statement: Statement, known: Entities) -> Statement:
    if statement.fact is None:
        return statement
    fact, *more = [replace(one, entity=known.key(one.entity)) for one in (statement.fact, *statement.more)]
    return replace(statement, fact=fact, more=tuple(more))


def _move_stored(subject_id: uuid.UUID, known: Entities, now: datetime) -> None:
    mine = Fact.objects.filter(subject_id=subject_id).exclude(entity="user")
    stale = set(mine.order_by().values_list("entity", flat=True).distinct())
    stale = {entity for entity in stale if known.key(entity)[:200] != entity}
    if not stale:
        return
    rows = list(mine.filter(entity__in=stale).select_for_update(of=("self",)).order_by("id"))
    slots: dict[str, str] = {}
    for row in rows:
        before = row.slot_key
        row.entity = known.key(row.entity)[:200]
        row.slot_key = FactPart(row.entity, row.attribute, row.value).slot
        slots[before] = row.slot_key
    Fact.objects.bulk_update(rows, ["entity", "slot_key"])
    for before, after in slots.items():
        Contradiction.objects.filter(
            subject_id=subject_id, slot_key=before, state=Contradiction.State.OPEN
        ).update(slot_key=after)
    _open_contradictions(subject_id, set(slots.values()), now)


def _open_contradictions(subject_id: uuid.UUID, slots: set[str], now: datetime) -> None:
    """Current values of a single-valued slot that met by the move and cannot both hold."""
    by_slot: dict[str, list[Fact]] = defaultdict(list)
    facts = Fact.objects.filter(
        subject_id=subject_id, slot_key__in=slots, single_valued=True, negated=False, memory__status=Status.CURRENT
    ).filter(Q(valid_to__isnull=True) | Q(valid_to__gt=now))  # fmt: skip
    for fact in facts.select_related("memory").order_by("memory__said_at", "memory_id"):
        by_slot[fact.slot_key].append(fact)
    for slot, (*earlier, last) in by_slot.items():
        for one in earlier:
            if value_form(one.value) == value_form(last.value):
                continue
            pair = {"older_id": one.memory_id, "newer_id": last.memory_id, "state": Contradiction.State.OPEN}
            if not Contradiction.objects.filter(**pair).exists():
                Contradiction.objects.create(
                    subject_id=subject_id, slot_key=slot, rule="entity.tied", opened_at=now, **pair
                )
