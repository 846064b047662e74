"""Chooses the rows that go into an answer: relevant ones, best first, near-identical ones behind the rest (R21)."""

from __future__ import annotations

import uuid
from collections.abc import Sequence

from memories.core.policy import Policy
from memories.core.scoring import diversify
from memories.core.values.compare import same_claim
from memories.store.candidates import Candidate


def choose(found: Sequence[Candidate], k: int, policy: Policy) -> list[Candidate]:
    """At most k rows of `found`, which is in rank order.

    Two rows are near-identical when they say the same (no other number, name or polarity) and are either nearer than
    `recall.near_duplicate` or near and from the same turn, as a memory and the turn that it was learnt from are.
    """
    limit = policy.number("recall.near_duplicate")
    places = {id(row): place for place, row in enumerate(found)}

    def similar(row: Candidate, other: Candidate) -> float:
        if not row.near and not other.near:
            return 0.0
        at, before = places[id(row)], places[id(other)]
        nearness = row.near.get(before) if at > before else other.near.get(at)
        if nearness is None:
            return 0.0
        same_turn = bool(set(row.source_ids) & set(other.source_ids))
        if nearness < limit and not same_turn:
            return 0.0
        return 1.0 if same_claim(row.text, other.text) else 0.0

    floor = policy.number("recall.floor")
    fit = [row for row in found if row.relevance >= floor]
    return _with_other_sides(diversify(fit, k, similar, 1.0), fit, k)


def _with_other_sides(chosen: Sequence[Candidate], fit: Sequence[Candidate], k: int) -> list[Candidate]:
    """The chosen rows with what contradicts one of them directly behind it, at most k: one side alone would mislead."""
    by_id = {row.item_id: row for row in fit}
    placed: dict[uuid.UUID, Candidate] = {}
    for row in chosen:
        placed.setdefault(row.item_id, row)
        for other in row.contradicts if row.item_kind == "memory" else ():
            if other in by_id:
                placed.setdefault(other, by_id[other])
    return list(placed.values())[:k]
