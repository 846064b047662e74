"""What an undo needs: the columns that a change is going to touch, and putting them back as they were."""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from datetime import datetime
from typing import Any

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
    spared = [memory.id, *but]
    rivals = (
        Memory.objects.of(memory.subject_id)
        .current()
        .filter(agent_id=memory.agent_id, scope=memory.scope)
        .exclude(id__in=spared)
    )
    if memory.scope == "session":
        rivals = rivals.filter(session_id=memory.session_id)
    other = rivals.filter(fingerprint=bytes(memory.fingerprint)).values_list("id", flat=True).first()
    if other is None and memory.kind == "constraint" and memory.key:
        other = rivals.constraints().filter(key=memory.key).values_list("id", flat=True).first()
    if other is None:
        own = Fact.objects.filter(memory_id=memory.id, single_valued=True, negated=False)
        slots = list(own.values_list("slot_key", flat=True))
        held = Fact.objects.filter(
            memory_id__in=rivals.filter(created_at__gt=since).values("id"),
            slot_key__in=slots,
            single_valued=True,
            negated=False,
        )
        other = held.values_list("memory_id", flat=True).first() if slots else None
    if other is not None:
        raise NotUndoable(
            f"the newer memory {other} stands in its place", hint=f"Forget or undo {other} first, or keep it."
        )


def _id(text: str | None) -> uuid.UUID | None:
    return uuid.UUID(text) if text else None


def _time(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text) if text else None
