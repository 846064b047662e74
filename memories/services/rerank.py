"""Ranks the found rows again by what they can tell: an answer of the sort that is asked for, not another question (R21)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from memories.core.answering import answers, asked_for, new_values, only_asks, tells_thing
from memories.core.policy import Policy
from memories.store.candidates import Candidate

WORTH = 0.3
"""Importance from which a memory is worth more than a turn."""
ANY_VALUE = 0.3
"""What a value of another sort than the one asked for is worth beside one of that sort."""


def rerank(found: Sequence[Candidate], question: str, policy: Policy) -> list[Candidate]:
    """The rows, best first, with these terms in their parts and scores:

    + recall.answer_bonus x answer: 1 when the text holds a value of the sort that the question asks for and does not hold
      itself (a date for "when"), ANY_VALUE for another new value (answering.tells_thing);
    + recall.memory_bonus for a memory of some importance: it passed a gate, a turn did not;
    - recall.question_cost for a text that only asks: embedders put questions next to questions.

    Relevance, and so the abstention, stays as it was.
    """
    wanted = asked_for(question)
    answer_bonus = policy.number("recall.answer_bonus")
    memory_bonus = policy.number("recall.memory_bonus")
    question_cost = policy.number("recall.question_cost")
    scored: list[tuple[int, Candidate]] = []
    for place, row in enumerate(found):
        is_memory = row.item_kind == "memory"
        kept = float(is_memory and row.importance >= WORTH)
        asks = float(not is_memory and only_asks(row.text))
        answer = 0.0 if asks or not answer_bonus else _answer(row.text, question, wanted)
        score = row.score + answer_bonus * answer + memory_bonus * kept - question_cost * asks
        scored.append((place, replace(row, score=score, answer=answer, kept=kept, asks=asks)))
    scored.sort(key=lambda one: (-one[1].score, one[0]))
    return _with_places(scored)


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
