"""What an undo needs: the columns that a change is going to touch, and putting them back as they were."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from django.db.models import Q

from memories.core.errors import MemoryGone, NotUndoable
from memories.models import Fact, Memory, Status

COLUMNS = ("status", "superseded_by_id", "valid_to")
"""What ending a memory changes; the rest (text, pin, tags) may have changed since and stays as it is."""


def before(memory: Memory) -> dict[str, Any]:
    """The columns and the ends of the facts as they stand; ids, codes and times only, so that it may be kept as JSON."""
    facts = Fact.objects.filter(memory_id=memory.id).values_list("id", "valid_to")
    return {
        "status": str(memory.status),
        "superseded_by_id": str(memory.superseded_by_id) if memory.superseded_by_id else None,
        "valid_to": memory.valid_to.isoformat() if memory.valid_to else None,
        "facts": {str(fact_id): end.isoformat() if end else None for fact_id, end in facts},
    }


def put_back(memory: Memory, record: dict[str, Any]) -> tuple[str, ...]:
    """Give the memory its former columns (unsaved) and its facts their former ends (saved); the columns that changed."""
    memory.status = Status(record["status"])
    memory.superseded_by_id = _id(record["superseded_by_id"])
    memory.valid_to = _time(record["valid_to"])
    for fact_id, end in record.get("facts", {}).items():
        Fact.objects.filter(id=fact_id, memory_id=memory.id).update(valid_to=_time(end))
    return COLUMNS


def end(memory: Memory, *, status: Status, successor: uuid.UUID | None, until: datetime) -> tuple[str, ...]:
    """Let the memory end (unsaved) and its facts with it (saved); the columns that changed."""
    memory.status, memory.superseded_by_id = status, successor
    memory.valid_to = until if memory.valid_to is None else min(memory.valid_to, until)
    Fact.objects.filter(memory_id=memory.id, valid_to__isnull=True).update(valid_to=until)
    return COLUMNS


def refuse_gone(memory: Memory) -> None:
    """MemoryGone for what was forgotten or redacted since: an undo does not bring back what a person had removed."""
    if memory.status in {Status.FORGOTTEN, Status.REDACTED}:
        raise MemoryGone(
            f"the memory {memory.id} was {memory.status} since",
            hint="Restore it first, if that is still possible.",
        )


def refuse_rival(memory: Memory, *, since: datetime, but: Iterable[uuid.UUID] = ()) -> None:
    """NotUndoable when a current memory other than `but` says the same, has its key, or since then holds its slot."""
    other = rivals_of([(memory, since)], but=but).get(memory.pk)
    if other is not None:
        raise stands_in_place(other)


def stands_in_place(other: uuid.UUID) -> NotUndoable:
    """The error that says who is in the way."""
    return NotUndoable(
        f"the newer memory {other} stands in its place", hint=f"Forget or undo {other} first, or keep it."
    )


def rivals_of(
    memories: Sequence[tuple[Memory, datetime]], *, but: Iterable[uuid.UUID] = ()
) -> dict[uuid.UUID, uuid.UUID]:
    """Which current memory stands in the place of each of one subject's (memory, since); in a fixed number of statements.

    Of two of them that want one place, the later in the order has the earlier as its rival.
    """
    if not memories:
        return {}
    spared = [*(memory.pk for memory, _ in memories), *but]
    current = Memory.objects.of(memories[0][0].subject_id).current().exclude(id__in=spared)
    keys = {memory.key for memory, _ in memories if memory.kind == "constraint" and memory.key}
    alike = Q(fingerprint__in={bytes(memory.fingerprint) for memory, _ in memories})
    held: dict[tuple[object, ...], uuid.UUID] = {}
    for row in current.filter(alike | Q(kind="constraint", key__in=keys)).order_by("-id"):
        held |= dict.fromkeys(_held_by(row), row.pk)
    single = Fact.objects.filter(single_valued=True, negated=False)
    slots: dict[uuid.UUID, list[str]] = {}
    own = single.filter(memory_id__in=[memory.pk for memory, _ in memories])
    for memory_id, slot in own.values_list("memory_id", "slot_key"):
        slots.setdefault(memory_id, []).append(slot)
    newer: dict[str, list[Fact]] = {}
    wanted = {slot for some in slots.values() for slot in some}
    for fact in single.filter(memory_id__in=current.values("id"), slot_key__in=wanted).select_related(
        "memory"
    ):
        newer.setdefault(fact.slot_key, []).append(fact)
    found: dict[uuid.UUID, uuid.UUID] = {}
    for memory, since in memories:
        place = _place_of(memory)
        other = next((held[one] for one in _held_by(memory) if one in held), None) or next(
            (
                fact.memory_id
                for slot in slots.get(memory.pk, ())
                for fact in newer.get(slot, ())
                if fact.memory.created_at > since and _place_of(fact.memory) == place
            ),
            None,
        )
        if other is not None:
            found[memory.pk] = other
        else:
            held |= dict.fromkeys(_held_by(memory), memory.pk)
    return found


def _place_of(memory: Memory) -> tuple[object, ...]:
    """Where two memories can stand in each other's way."""
    return memory.agent_id, memory.scope, memory.session_id if memory.scope == "session" else None


def _held_by(memory: Memory) -> list[tuple[object, ...]]:
    """What no second current memory may have: its words, and the key of a rule."""
    place = _place_of(memory)
    own: list[tuple[object, ...]] = [(*place, "words", bytes(memory.fingerprint))]
    if memory.kind == "constraint" and memory.key:
        own.append((*place, "key", memory.key))
    return own


def _id(text: str | None) -> uuid.UUID | None:
    return uuid.UUID(text) if text else None


def _time(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text) if text else None
