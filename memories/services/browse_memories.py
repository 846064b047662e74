"""Browse memories: a subject's own view of what is remembered, searched, filtered and paged by a stable cursor."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q

from accounts.actor import Actor
from accounts.reading import note_reading
from memories.models import Evidence, Memory, Status
from memories.services.memories_then import as_they_were, checked_time, known_then, today
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import Invalid

GONE = (Status.FORGOTTEN, Status.ARCHIVED, Status.EXPIRED, Status.SUPERSEDED, Status.MERGED)


@dataclass(frozen=True, slots=True)
class ListedMemory:
    """A memory and the newest turn in which it was said, where there is one."""

    memory: Memory
    turn_id: uuid.UUID | None


@dataclass(frozen=True, slots=True)
class MemoryPage:
    """`cursor` continues the list; "" at its end. `total` counts all that fit the search."""

    items: list[ListedMemory]
    cursor: str
    total: int


def browse_memories(
    *,
    actor: Actor,
    subject_id: uuid.UUID,
    query: str = "",
    kind: str = "",
    gone: bool = False,
    cursor: str = "",
    limit: int = 30,
    as_of: datetime | None = None,
) -> MemoryPage:
    """Pinned ones first, then the newest; `gone` lists what is no longer recalled instead.

    `query` is looked for literally in the text and the tags, without regard to case. With `as_of` the list is the one of
    then, in the words of then, without what was forgotten since. Invalid for a broken cursor, or a time without a zone.
    """
    checked_time("as_of", as_of)
    limit = max(1, min(limit, 100))
    with tenant_transaction(actor.tenant_id):
        actor.require_subject(subject_id, write=False)
        note_reading(actor, subject_id, "memories.list")
        rows = today(subject_id) if as_of is None else known_then(subject_id, as_of)
        rows = rows.filter(then_status__in=GONE if gone else [Status.CURRENT])
        if kind:
            rows = rows.filter(then_kind=kind)
        for word in query.split()[:8]:
            rows = rows.filter(Q(then_content__icontains=word) | Q(tags__contains=[word]))
        total = rows.count()
        if cursor:
            rows = rows.filter(_after(cursor))
        page = list(rows.order_by("-then_pinned", "-created_at", "-id")[: limit + 1])
        shown = page[:limit]
        after = _cursor(shown[-1]) if len(page) > limit else ""
        if as_of is not None:
            shown = as_they_were(shown, as_of)
        turns = _turns([memory.pk for memory in shown], as_of)
    items = [ListedMemory(memory, turns.get(memory.pk)) for memory in shown]
    return MemoryPage(items, after, total)


def _turns(ids: list[uuid.UUID], as_of: datetime | None) -> dict[uuid.UUID, uuid.UUID]:
    rows = Evidence.objects.filter(memory_id__in=ids, turn_id__isnull=False).order_by("said_at", "id")
    if as_of is not None:
        rows = rows.filter(said_at__lte=as_of)
    return dict(rows.values_list("memory_id", "turn_id"))


def _cursor(memory: Memory) -> str:
    pinned: bool = memory.then_pinned  # type: ignore[attr-defined]
    return f"{int(pinned)}.{memory.created_at.isoformat()}.{memory.pk}"


def _after(cursor: str) -> Q:
    try:
        pinned, rest = cursor.split(".", 1)
        at_text, id_text = rest.rsplit(".", 1)
        at, last_id, was_pinned = (
            datetime.fromisoformat(at_text),
            uuid.UUID(id_text),
            {"0": False, "1": True}[pinned],
        )
    except (ValueError, KeyError):
        raise Invalid(
            "the cursor cannot be read",
            hint="Start from the first page.",
            fields={"cursor": "unknown"},
        ) from None
    if at.tzinfo is None:
        raise Invalid(
            "the cursor cannot be read",
            hint="Start from the first page.",
            fields={"cursor": "unknown"},
        )
    later = Q(created_at__lt=at) | Q(created_at=at, pk__lt=last_id)
    same = Q(then_pinned=was_pinned) & later
    return same | Q(then_pinned=False) if was_pinned else same
