"""Contradictions: read with both sides, closed when one side ends otherwise, and what a subject let stand side by side."""

from __future__ import annotations

import uuid
from collections.abc import Collection
from datetime import datetime

from django.db.models import Prefetch, Q, QuerySet

from accounts.actor import Actor
from accounts.reading import note_reading
from memories.core.values.forms import value_form
from memories.models import Contradiction, Evidence, Fact
from memoryhub.common.db import tenant_transaction

SUPERSEDED = "superseded"
"""`resolved_by` of a contradiction that ended because one of its sides was superseded."""


def contradiction_rows(
    *, actor: Actor, subject_id: uuid.UUID, state: str = "", note: bool = True
) -> QuerySet[Contradiction]:
    """The subject's contradictions with both memories, for a door that pages; evaluated inside the tenant's transaction.

    `state` is open, resolved or "" for all. An operator's reading is audited; without `note` it is the answer to a change,
    which was. NotFound for a subject that is not the actor's to read.
    """
    actor.require_subject(subject_id, write=False)
    if note:
        note_reading(actor, subject_id, "contradictions.list")
    rows: QuerySet[Contradiction] = Contradiction.objects.filter(subject_id=subject_id)
    if state:
        rows = rows.filter(state=state)
    return rows.select_related("older", "newer").prefetch_related(
        Prefetch("older__evidence", Evidence.objects.order_by("said_at", "id")),
        Prefetch("newer__evidence", Evidence.objects.order_by("said_at", "id")),
    )


def open_contradictions(*, actor: Actor, subject_id: uuid.UUID, limit: int = 50) -> list[Contradiction]:
    """What waits for the subject's decision, the newest first, with the memories and the evidence of both sides."""
    with tenant_transaction(actor.tenant_id):
        rows = contradiction_rows(actor=actor, subject_id=subject_id, state=Contradiction.State.OPEN)
        return list(rows.order_by("-opened_at", "-id")[:limit])


def settled_contradictions(*, actor: Actor, subject_id: uuid.UUID, limit: int = 20) -> list[Contradiction]:
    """What a person or an operator decided, the newest first, for as long as it may be undone."""
    with tenant_transaction(actor.tenant_id):
        rows = contradiction_rows(actor=actor, subject_id=subject_id, state=Contradiction.State.RESOLVED)
        rows = rows.exclude(resolution="").filter(undo__has_key="memories")
        return list(rows.order_by("-resolved_at", "-id")[:limit])


def close_for(memory_id: uuid.UUID, *, by: uuid.UUID, now: datetime) -> list[uuid.UUID]:
    """Close what is open about a memory that ends because of `by` (its successor, or a resolution); the ids closed.

    The record says by what, so that undoing that opens them again.
    """
    rows = Contradiction.objects.select_for_update().filter(
        Q(older_id=memory_id) | Q(newer_id=memory_id), state=Contradiction.State.OPEN
    )
    ids = sorted(rows.values_list("id", flat=True))
    Contradiction.objects.filter(id__in=ids).update(
        state=Contradiction.State.RESOLVED, resolved_at=now, resolved_by=SUPERSEDED, undo={"by": str(by)}
    )
    return ids


def open_again(*, by: uuid.UUID) -> int:
    """Open what `close_for` closed because of `by`, where both sides are current again; how many."""
    rows = Contradiction.objects.filter(
        state=Contradiction.State.RESOLVED, undo__by=str(by), older__status="current", newer__status="current"
    )
    ids = list(rows.values_list("id", flat=True))
    return Contradiction.objects.filter(id__in=ids).update(
        state=Contradiction.State.OPEN, resolved_at=None, resolved_by="", undo={}
    )


def kept_pairs(subject_id: uuid.UUID, slots: Collection[str]) -> dict[str, frozenset[frozenset[str]]]:
    """By slot, the pairs of value forms that the person let stand side by side: these are not disputed again."""
    if not slots:
        return {}
    rows = Contradiction.objects.filter(
        subject_id=subject_id, slot_key__in=list(slots), resolution=Contradiction.Resolution.KEEP_BOTH
    ).values_list("slot_key", "older_id", "newer_id")
    pairs = list(rows)
    if not pairs:
        return {}
    ids = {side for _, *sides in pairs for side in sides}
    values: dict[tuple[uuid.UUID, str], str] = {
        (memory_id, slot): value_form(value)
        for memory_id, slot, value in Fact.objects.filter(
            memory_id__in=ids, slot_key__in=list(slots)
        ).values_list("memory_id", "slot_key", "value")
    }
    kept: dict[str, set[frozenset[str]]] = {}
    for slot, older, newer in pairs:
        if (older, slot) in values and (newer, slot) in values:
            kept.setdefault(slot, set()).add(frozenset({values[older, slot], values[newer, slot]}))
    return {slot: frozenset(found) for slot, found in kept.items()}
