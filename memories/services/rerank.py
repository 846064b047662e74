"""Ranks the found rows again by what they can tell: an answer of the sort that is asked for, what holds now, the latest word (R18, R21)."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from memories.core.kinds import Kind
from memories.core.policy import Policy
from memories.core.questions.advice import seeks_advice, tells_liking
from memories.core.questions.answering import (
    answers,
    fact_values,
    new_values,
    only_asks,
    task_fit,
    tells_thing,
)
from memories.core.questions.experience import asks_experience, experiences
from memories.core.questions.freshness import Said, lateness
from memories.core.questions.hops import hops
from memories.core.questions.measure import measured, word_numbers
from memories.core.questions.past import asks_about_self, asks_back, holding, looks_ahead
from memories.core.questions.sensitive import asks_whether_given, tells_given
from memories.core.questions.slot import slot_fit
from memories.core.questions.telling import Asked, asked_of
from memories.core.reweigh import bonus
from memories.core.statement import FactPart
from memories.core.text.lexical import query_terms
from memories.core.text.passages import READ, Sentences, best_share, near_words, split, weights
from memories.store.candidates import Candidate

WORTH = 0.3
"""Importance from which a memory is worth more than a turn."""
ANY_VALUE = 0.3
"""What a value of another sort than the one asked for is worth beside one of that sort."""
BESIDE = 0.05
"""Context from which what stands around a turn says what its value is about."""
ENOUGH = 0.25
"""Share of the question's rare words in one sentence that says it as well; nearly every turn holds a value of some sort."""
PARTLY = 0.5
"""How stale a turn is of which only a part was replaced."""

_Scored = list[tuple[float, int, dict[str, Any]]]
"""(score, place among the found rows, the terms of this ranking by name) of each row."""


def rerank(
    found: Sequence[Candidate], question: str, policy: Policy, *, now: datetime, past: bool = False
) -> list[Candidate]:
    """The rows, best first, with these terms in their parts and scores:

    + recall.answer_bonus x answer: 1 when the text holds a value of the sort that the question asks for and does not hold
      itself (a date for "when"), ANY_VALUE for another new value (answering.tells_thing); less in a turn of which neither words nor
      neighbours tell that the value is about what is asked (ENOUGH, BESIDE); also when it shows by a mask that
      something sensitive was given, to a question whether it was;
    + recall.memory_bonus for a memory of some importance, which passed a gate that a turn did not; less where neither its words
      (ENOUGH) nor its slot are about what is asked, for much is learnt;
    + recall.slot_bonus x slot: how surely a memory stands in the slot that the question asks about (asked_slot.slot_fit), or
      a todo among the tasks that it asks for (answering.task_fit);
    + recall.told_bonus x told: the share of the question's rare words that stand in one sentence (passages.best_share);
    + recall.own_bonus x own: the person's own words, where the question is about themselves;
    + recall.experience_bonus x experience: to "have I ever …?", what tells that it was or never was (core.questions.experience);
    + recall.liking_bonus for what says how the person likes things, where the question seeks advice (core.questions.advice);
    + recall.later_bonus x later: how late a statement is among those about the same thing (freshness.lateness);
    + recall.hop_weight x hop: the way to a better row that tells what it is about (core.questions.hops); not to "have I
      ever …?", where each telling stands for itself;
    - recall.question_cost for a text that only asks: embedders put questions next to questions. By the
      share of the rows that tell something: among nothing but questions, asking is no fault;
    - recall.assistant_cost for an assistant's words, where the question does not ask for them: it says much about everything;
    - recall.stale_cost x stale: 1 for what does not hold at `now`, PARTLY for a turn that was replaced in part. A question
      about the past pays neither that nor earns the bonus of the latest word.

    Relevance, and so the abstention, stays as it was.
    """
    asked = asked_of(question)
    given = asks_whether_given(question)
    texts = [split(row.text) for row in found]
    weight = weights(question, texts)
    about_self = asks_about_self(question)
    back = asks_back(question)
    advice = not back and seeks_advice(question)
    late = [0.0] * len(found) if past else lateness(_said(found, texts), asked)
    whether = asks_experience(question)
    told_of = experiences(texts, question) if whether else [0.0] * len(found)
    ended = frozenset[uuid.UUID]() if past else _ended(found, question, now)
    asking = [row.item_kind != "memory" and only_asks(row.text) for row in found]
    telling = 1.0 - sum(asking) / len(asking) if asking else 0.0
    scored: _Scored = []
    for place, row in enumerate(found):
        is_memory = row.item_kind == "memory"
        mine = _by_user(row)
        asks = asking[place]
        told = best_share(texts[place], weight)
        answer = 0.0 if asks else _answer(row, near_words(texts[place], weight), asked)
        slot = _slot(row, asked)
        about = min(1.0, told / ENOUGH)
        if not is_memory and row.context < BESIDE:
            answer *= about
        if given and tells_given(row.text, given):
            answer = 1.0
        terms: dict[str, Any] = {
            "answer": answer,
            "kept": (1.0 if slot else about) if is_memory and row.importance >= WORTH else 0.0,
            "asks": telling if asks else 0.0,
            "slot": slot,
            "told": told,
            "own": float(mine and about_self),
            "experience": told_of[place] if mine and not asks else 0.0,
            "liking": float(advice and mine and not asks and _tells_liking(row)),
            "later": late[place],
            "theirs": float(not back and _by_assistant(row)),
            "stale": 0.0 if past else _stale(row, question, now, ended),
        }
        scored.append((row.score + bonus(terms, policy), place, terms))
    if not whether:
        scored = _hopped(scored, texts, question, policy)
    scored.sort(key=lambda one: (-one[0], one[1]))
    near = near_in_order(found, [place for _, place, _ in scored])
    return [
        found[before].but(score=score, near=near[place], **terms)
        for place, (score, before, terms) in enumerate(scored)
    ]


def _hopped(scored: _Scored, texts: Sequence[Sentences], question: str, policy: Policy) -> _Scored:
    """The scores with what a hop from the best rows earns; an answer's own words stand first, what they lead to behind."""
    weight = policy.number("recall.hop_weight")
    held = [text.terms for text in texts]
    gains = (
        hops(held, [score for score, _, _ in scored], query_terms(question)) if weight else [0.0] * len(held)
    )
    return [
        (score + weight * gain, place, {**terms, "hop": gain})
        for (score, place, terms), gain in zip(scored, gains, strict=True)
    ]


def _said(found: Sequence[Candidate], texts: Sequence[Sentences]) -> list[Said]:
    """The rows as freshness sees them: a turn with the facts of what was learnt from it, a memory in its turn's place."""
    by_turn: dict[uuid.UUID, tuple[FactPart, ...]] = {}
    places = {turn_id: row.seq for row in found if row.item_kind == "episode" for turn_id in row.source_ids}
    for row in found:
        for turn_id in row.source_ids if row.item_kind == "memory" else ():
            by_turn[turn_id] = (*by_turn.get(turn_id, ()), *row.facts)
    return [
        Said(
            text,
            row.said_at,
            places.get(row.source_ids[0], row.seq) if row.source_ids else row.seq,
            _by_user(row) and row.kind != Kind.DIGEST,
            row.covered,
            row.superseded,
            tuple(row.facts)
            or tuple(fact for turn_id in row.source_ids for fact in by_turn.get(turn_id, ())),
        )
        for row, text in zip(found, texts, strict=True)
    ]


def _by_user(row: Candidate) -> bool:
    return (row.role if row.item_kind == "episode" else row.source) == "user"


def _by_assistant(row: Candidate) -> bool:
    return (row.role if row.item_kind == "episode" else row.source) == "assistant"


def _tells_liking(row: Candidate) -> bool:
    return row.kind in {Kind.PREFERENCE, Kind.CONSTRAINT} or tells_liking(row.text[:READ])


def _stale(row: Candidate, question: str, now: datetime, ended: frozenset[uuid.UUID]) -> float:
    state = holding(row.superseded, row.valid_from, row.valid_to, now)
    if state == "upcoming":
        return 0.0 if looks_ahead(question) else PARTLY
    if state and row.item_kind == "memory":
        return 1.0
    return PARTLY if row.partly or not ended.isdisjoint(row.source_ids) else 0.0


def _ended(found: Sequence[Candidate], question: str, now: datetime) -> frozenset[uuid.UUID]:
    """The turns whose learnt memories hold no more, whether or not a successor has closed them already (services.settle)."""
    memories = (row for row in found if row.item_kind == "memory")
    return frozenset(
        turn for row in memories if _stale(row, question, now, frozenset()) == 1.0 for turn in row.source_ids
    )


def _slot(row: Candidate, asked: Asked) -> float:
    """A todo states no fact: what it holds is the task itself."""
    if row.kind == Kind.TODO:
        return task_fit(row.text, asked.question, asked.sorts, row.covered)
    return slot_fit(row.facts, asked.question, row.covered) if row.facts else 0.0


def _answer(row: Candidate, text: str, asked: Asked) -> float:
    """`text` is what of the row is near to the question's words."""
    values = [*new_values(text, asked.question), *word_numbers(text, asked.measure)]
    if asked.measure.share and measured(text, values, asked.measure):
        return 1.0
    values += fact_values((fact.value for fact in row.facts if not fact.negated), values, asked.question)
    if answers(text, values, asked.sorts):
        return 1.0
    return ANY_VALUE if tells_thing(values, asked.sorts) else 0.0


def near_in_order(found: Sequence[Candidate], order: Sequence[int]) -> list[dict[int, float]]:
    """`near` names places of better-ranked rows, so it is told anew for the new order of the former places."""
    now = {before: place for place, before in enumerate(order)}
    near: list[dict[int, float]] = [{} for _ in order]
    for before in order:
        for other, cosine in found[before].near.items():
            if other in now:
                low, high = sorted((now[before], now[other]))
                near[high][low] = cosine
    return near
