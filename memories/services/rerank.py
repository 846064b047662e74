"""Ranks the found rows again by what they can tell: an answer of the sort that is asked for, what holds now, the latest word (R18, R21)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from memories.core.answering import answers, asked_for, new_values, only_asks, tells_thing
from memories.core.asked_slot import slot_fit
from memories.core.freshness import Said, lateness
from memories.core.past import holding, looks_ahead
from memories.core.policy import Policy
from memories.core.sensitive_question import asks_whether_given, tells_given
from memories.store.candidates import Candidate

WORTH = 0.3
"""Importance from which a memory is worth more than a turn."""
ANY_VALUE = 0.3
"""What a value of another sort than the one asked for is worth beside one of that sort."""
PARTLY = 0.5
"""How stale a turn is of which only a part was replaced."""


def rerank(
    found: Sequence[Candidate], question: str, policy: Policy, *, now: datetime, past: bool = False
) -> list[Candidate]:
    """The rows, best first, with these terms in their parts and scores:

    + recall.answer_bonus x answer: 1 when the text holds a value of the sort that the question asks for and does not hold
      itself (a date for "when"), ANY_VALUE for another new value (answering.tells_thing); also when it shows by a mask that
      something sensitive was given, to a question whether it was;
    + recall.memory_bonus for a memory of some importance: it passed a gate, a turn did not;
    + recall.slot_bonus x slot: how surely a memory stands in the slot that the question asks about (asked_slot.slot_fit);
    + recall.later_bonus x later: how late a statement is among those about the same thing (freshness.lateness);
    - recall.question_cost for a text that only asks: embedders put questions next to questions;
    - recall.stale_cost x stale: 1 for what does not hold at `now`, PARTLY for a turn that was replaced in part. A question
      about the past pays neither that nor earns the bonus of the latest word.

    Relevance, and so the abstention, stays as it was.
    """
    wanted = asked_for(question)
    given = asks_whether_given(question)
    number = policy.number
    late = [0.0] * len(found) if past else lateness([_said(row) for row in found], question)
    scored: list[tuple[int, Candidate]] = []
    for place, row in enumerate(found):
        is_memory = row.item_kind == "memory"
        kept = float(is_memory and row.importance >= WORTH)
        asks = float(not is_memory and only_asks(row.text))
        answer = 0.0 if asks or not number("recall.answer_bonus") else _answer(row.text, question, wanted)
        if given and tells_given(row.text, given):
            answer = 1.0
        slot = slot_fit(row.facts, question, row.covered) if row.facts else 0.0
        stale = 0.0 if past else _stale(row, question, now)
        score = (
            row.score
            + number("recall.answer_bonus") * answer
            + number("recall.memory_bonus") * kept
            + number("recall.slot_bonus") * slot
            + number("recall.later_bonus") * late[place]
            - number("recall.question_cost") * asks
            - number("recall.stale_cost") * stale
        )
        told = replace(
            row, score=score, answer=answer, kept=kept, asks=asks, slot=slot, later=late[place], stale=stale
        )
        scored.append((place, told))
    scored.sort(key=lambda one: (-one[1].score, one[0]))
    return _with_places(scored)


def _said(row: Candidate) -> Said:
    by_user = (row.role or row.source) == "user" or row.source == "user"
    return Said(row.text, row.said_at, row.seq, by_user, row.covered, row.superseded)


def _stale(row: Candidate, question: str, now: datetime) -> float:
    state = holding(row.superseded, row.valid_from, row.valid_to, now)
    if state == "upcoming":
        return 0.0 if looks_ahead(question) else PARTLY
    if state and row.item_kind == "memory":
        return 1.0
    return PARTLY if row.partly else 0.0


def _answer(text: str, question: str, wanted: frozenset[str]) -> float:
    values = new_values(text, question)
    if answers(text, values, wanted):
        return 1.0
    return ANY_VALUE if tells_thing(values, wanted) else 0.0


def _with_places(scored: Sequence[tuple[int, Candidate]]) -> list[Candidate]:
    """`near` names places of better-ranked rows, so it is told anew after the order changed."""
    now = {before: place for place, (before, _) in enumerate(scored)}
    near: list[dict[int, float]] = [{} for _ in scored]
    for before, row in scored:
        for other, cosine in row.near.items():
            if other in now:
                low, high = sorted((now[before], now[other]))
                near[high][low] = cosine
    return [replace(row, near=near[place]) for place, (_, row) in enumerate(scored)]
