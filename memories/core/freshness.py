"""The latest word: among statements about the same thing with other values, the later one counts more (R18)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from memories.core.answering import answers, asked_for, new_values
from memories.core.extraction.sentences import split_clauses
from memories.core.keyvalues import KeyValue
from memories.core.lexical import query_terms, terms
from memories.core.normalise import value_key
from memories.core.sentences import sentences

SAME: Final = 0.7
"""Share of the best statement's fit to the question from which another one is about the same thing."""
LEAST: Final = 0.35
"""Share of the question's weight below which a statement is not about it at all."""


@dataclass(frozen=True, slots=True)
class Said:
    """One found text; `seq` orders what was said at the same time, `by_user` whether the person said it."""

    text: str
    at: datetime
    seq: int
    by_user: bool
    superseded: bool = False


@dataclass(frozen=True, slots=True)
class _Statement:
    """The sentence of a text that fits the question best, and the values in it that the question asks for."""

    fit: float
    values: frozenset[str]


def lateness(found: Sequence[Said], question: str) -> list[float]:
    """For each text 0..1: 1 for the latest of two or more statements about what is asked with different values, 0 for the
    first of them and for all that are not such a statement.

    About the same thing are sentences that hold much of what is rare in the question, weighed by how few of the found
    texts hold it. A person's own words only: an assistant repeats what it was told, late and in many words.
    """
    asked = query_terms(question)
    wanted = asked_for(question)
    if not asked or len(found) < 2:
        return [0.0] * len(found)
    held = [terms(one.text).keys() for one in found]
    frequency = {term: sum(term in keys for keys in held) for term in asked}
    weight = {term: math.log(1 + len(found) / df) for term, df in frequency.items() if df}
    total = sum(weight.values())
    if not total:
        return [0.0] * len(found)
    statements = [
        _best(one.text, question, weight, total, wanted) if one.by_user and not one.superseded else None
        for one in found
    ]
    best = max((one.fit for one in statements if one is not None and one.values), default=0.0)
    if best < LEAST:
        return [0.0] * len(found)
    group = [
        at for at, one in enumerate(statements) if one is not None and one.values and one.fit >= SAME * best
    ]
    different = {statements[at].values for at in group}  # type: ignore[union-attr]
    if len(different) < 2:
        return [0.0] * len(found)
    times = sorted({(found[at].at, found[at].seq) for at in group})
    if len(times) < 2:
        return [0.0] * len(found)
    place = {time: index / (len(times) - 1) for index, time in enumerate(times)}
    late = [0.0] * len(found)
    for at in group:
        late[at] = place[found[at].at, found[at].seq]
    return late


def _best(
    text: str, question: str, weight: dict[str, float], total: float, wanted: frozenset[str]
) -> _Statement:
    """The sentence of the text with the most of the question's weight, among those with a value where there is one."""
    best = _Statement(0.0, frozenset())
    for start, end in sentences(text):
        sentence = text[start:end]
        fit = sum(weight[term] for term in terms(sentence).keys() & weight.keys()) / total
        if fit <= best.fit and best.values:
            continue
        values = _values(sentence, question, wanted)
        if (bool(values), fit) > (bool(best.values), best.fit):
            best = _Statement(fit, values)
    return best


def _values(sentence: str, question: str, wanted: frozenset[str]) -> frozenset[str]:
    """The new values that a sentence gives the asker: of the wanted sorts where some are; none of what it only asks."""
    if all(clause.asks for clause in split_clauses(sentence)):
        return frozenset()
    values: list[KeyValue] = new_values(sentence, question)
    if wanted:
        values = [value for value in values if answers(sentence, [value], wanted)]
    return frozenset(value_key(value) for value in values)
