"""Chooses what of a recall goes into a context: no echo of what stands there already, nothing outdated on top."""

from __future__ import annotations

import uuid
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from sessions_app.core.outdated import Outdated, read
from sessions_app.core.pieces import Entry

ECHO = 1.3
"""An episode no longer than this times the memory drawn from it says nothing more."""
SUPERSEDED = ", superseded"


@dataclass(frozen=True, slots=True)
class Found:
    """A recalled item with the turns that it comes from; entries are in rank order."""

    entry: Entry
    source_ids: tuple[uuid.UUID, ...]


def select(
    found: Sequence[Found],
    *,
    k: int,
    outdated: Outdated,
    fixed: Collection[uuid.UUID],
    question: uuid.UUID | None,
) -> list[Entry]:
    """At most `k` entries, best first; `fixed` ids stand in the context anyway, `question` is the turn that asks.

    What was learnt from the question itself tells the asker nothing. A turn whose statement was replaced goes behind the
    rest, marked, with half its score.
    """
    memories = [one for one in found if one.entry.item_kind == "memory"]
    holding: list[Entry] = []
    replaced: list[Entry] = []
    for one in found:
        entry = one.entry
        if entry.id in fixed or (question is not None and one.source_ids == (question,)):
            continue
        if entry.item_kind == "episode" and _is_echo(one, memories):
            continue
        if entry.said_at is None:
            holding.append(entry)
            continue
        reading = (
            read(entry.text, entry.said_at, one.source_ids, entry.item_kind, outdated)
            if _may_age(entry)
            else None
        )
        if reading is None:
            holding.append(entry)
        elif reading.superseded:
            replaced.append(replace(entry, kind=entry.kind + SUPERSEDED, score=entry.score / 2))
        elif reading.text:
            holding.append(replace(entry, text=reading.text))
    return [*holding, *replaced][:k]


def _may_age(entry: Entry) -> bool:
    """A memory with a status of its own is current, or it would not have been found; its words may tell of a change."""
    return entry.item_kind == "episode" or entry.kind == "digest"


def _is_echo(one: Found, memories: Sequence[Found]) -> bool:
    return any(
        set(one.source_ids) <= set(memory.source_ids)
        and len(one.entry.text) <= ECHO * len(memory.entry.text) + 8
        for memory in memories
        if one.source_ids
    )
