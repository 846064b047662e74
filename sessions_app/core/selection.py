"""Chooses what of a recall goes into a context: no echo of what stands there already, nothing outdated on top."""

from __future__ import annotations

import uuid
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from memories.core.extraction.sentences import is_question
from sessions_app.core.outdated import Outdated, Reading, read
from sessions_app.core.pieces import Entry

ECHO = 1.3
"""An episode no longer than this times the memory drawn from it says nothing more."""
SUPERSEDED = "superseded"
ENDED = "ended"


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
    past: bool = False,
) -> list[Entry]:
    """At most `k` entries, best first; `fixed` ids stand in the context anyway, `question` is the turn that asks.

    What was learnt from the question itself tells the asker nothing. Earlier questions, which resemble a question most
    and answer it least, go behind whatever states something; behind them, marked and with half its score, what does not
    hold any more. Where the question is about the `past`, that keeps its place and its words, marked. Both sides of a
    contradiction stand together.
    """
    learnt = [(frozenset(one.source_ids), one.entry.text) for one in found if one.entry.item_kind == "memory"]
    holding: list[Entry] = []
    asking: list[Entry] = []
    over: list[Entry] = []
    for one in found:
        entry = one.entry
        if entry.id in fixed or (question is not None and one.source_ids == (question,)):
            continue
        if entry.item_kind == "episode" and is_question(entry.text):
            asking.append(entry)
            continue
        if entry.item_kind == "episode" and _is_echo(one, learnt):
            continue
        reading = _reading(one, outdated)
        if past:
            changed = reading.superseded or reading.text != entry.text
            holding.append(replace(entry, holding=SUPERSEDED) if changed else entry)
        elif reading.superseded or entry.holding in (SUPERSEDED, ENDED):
            mark = entry.holding or SUPERSEDED
            over.append(replace(entry, holding=mark, score=entry.score / 2))
        elif reading.text:
            holding.append(replace(entry, text=reading.text))
    return together([*holding, *asking, *over])[:k]


def together(entries: Sequence[Entry]) -> list[Entry]:
    """The same entries in order, but what contradicts one directly behind it."""
    by_id = {entry.id: entry for entry in entries}
    placed: dict[uuid.UUID, Entry] = {}
    for entry in entries:
        placed.setdefault(entry.id, entry)
        if entry.item_kind == "memory":
            for other in entry.contradicts:
                if other in by_id:
                    placed.setdefault(other, by_id[other])
    return list(placed.values())


def _reading(one: Found, outdated: Outdated) -> Reading:
    """Only episodes and digests age: a memory of its own is current, or it would not have been found."""
    entry = one.entry
    if entry.said_at is None or (entry.item_kind == "memory" and entry.kind != "digest"):
        return Reading(entry.text)
    return read(entry.text, entry.said_at, one.source_ids, entry.item_kind, outdated)


def _is_echo(one: Found, learnt: Sequence[tuple[frozenset[uuid.UUID], str]]) -> bool:
    said = frozenset(one.source_ids)
    return bool(said) and any(
        said <= sources and len(one.entry.text) <= ECHO * len(text) + 8 for sources, text in learnt
    )
