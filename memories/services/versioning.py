"""Version rows: what a memory was after each change, by whom, by which rule and from which turn (R19)."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import F

from accounts.actor import Actor
from memories.models import Memory, MemoryVersion
from memories.models.records import VERSIONED_COLUMNS

HIDDEN, SHOWN = "hidden", "shown"
"""Changes of a memory whose words a request concerns: set aside (the reason is its status before) until a job has taken them out,
and back. They tell nothing of how it came to be what it is."""


@dataclass(frozen=True, slots=True)
class Change:
    """Why a memory changed; `reason` is short and holds no content."""

    name: str
    rule: str = ""
    reason: str = ""
    turn_id: uuid.UUID | None = None


def state_of(memory: Memory) -> dict[str, Any]:
    """The columns as plain data: times in ISO form with their zone, ids as text."""
    return {column: _plain(getattr(memory, column)) for column in VERSIONED_COLUMNS}


def version_row(memory: Memory, actor: Actor, change: Change, at: datetime) -> MemoryVersion:
    """An unsaved version of the memory as it stands, numbered as the memory's own `version`."""
    return MemoryVersion(
        memory_id=memory.id,
        number=memory.version,
        change=change.name,
        content=memory.content,
        content_encrypted=memory.content_encrypted,
        state=state_of(memory),
        actor_kind=actor.kind,
        actor_id=actor.id[:64],
        rule=change.rule[:64],
        reason=change.reason[:200],
        turn_id=change.turn_id,
        at=at,
    )


def save_change(memory: Memory, actor: Actor, change: Change, at: datetime, fields: Iterable[str]) -> None:
    """Save the named fields as the memory's next version, with its version row, in the open transaction."""
    memory.version += 1
    memory.updated_at = at
    memory.save(update_fields=[*fields, "version", "updated_at"])
    version_row(memory, actor, change, at).save(force_insert=True)


def save_changes(
    memories: Sequence[Memory], actor: Actor, change: Change, at: datetime, **values: Any
) -> None:
    """Give all the memories these values as their next version, in a number of statements that does not grow with them."""
    if not memories:
        return
    ids = [memory.pk for memory in memories]
    Memory.objects.filter(id__in=ids).update(**values, version=F("version") + 1, updated_at=at)
    rows = []
    for memory in memories:
        memory.version, memory.updated_at = memory.version + 1, at
        for column, value in values.items():
            setattr(memory, column, value)
        rows.append(version_row(memory, actor, change, at))
    MemoryVersion.objects.bulk_create(rows, batch_size=2_000)


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, uuid.UUID):
        return str(value)
    if isinstance(value, list | dict | str | int | float | bool | type(None)):
        return value
    return str(value)
