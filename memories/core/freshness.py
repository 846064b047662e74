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

SAME: Final = 0.6
"""Share of the best statement's fit to the question from which another one is about the same thing."""
LEAST: Final = 0.35
"""Share of the question's weight below which a statement is not about it at all."""


LIKELY: Final = 0.6
"""Share of the best text's words of the question from which a text is looked into at all."""
SENTENCES: Final = 2
"""Best sentences of a text that are read for their values."""


@dataclass(frozen=True, slots=True)
class Said:
    """One found text; `seq` orders what was said at the same time, `by_user` whether the person said it.

    `covered` is the share of the question's rare words that the text holds, 0..1.
    """

    text: str
    at: datetime
    seq: int
    by_user: bool
    covered: float
    superseded: bool = False


@dataclass(frozen=True, slots=True)
class _Statement:
    """What a text says of the thing that is asked about: how well it fits, and the values that it gives."""

    at: int
    fit: float
    values: frozenset[str]


def lateness(found: Sequence[Said], question: str) -> list[float]:
    """For each text 0..1: 1 for the latest of two or more statements about what is asked with different values, 0 for the
    first of them and for all that are not such a statement.

    About the same thing are sentences that hold much of what is rare in the question, weighed by how few of the likely
    texts hold it. A person's own words only: an assistant repeats what it was told, late and in many words.
    """
    late = [0.0] * len(found)
    own = [at for at, one in enumerate(found) if one.by_user and not one.superseded]
    most = max((found[at].covered for at in own), default=0.0)
    likely = [at for at in own if most and found[at].covered >= LIKELY * most]
    asked = query_terms(question)
    if not asked or len(likely) < 2:
        return late
    split = {at: _sentences(found[at].text) for at in likely}
    held = [frozenset().union(*(keys for _, keys in split[at])) for at in likely]
    frequency = {term: sum(term in keys for keys in held) for term in asked}
    weight = {term: math.log(1 + len(likely) / df) for term, df in frequency.items() if df}
    wanted = asked_for(question)
    statements = [_statement(at, split[at], question, weight, wanted) for at in likely]
    telling = [one for one in statements if one.values]
    best = max((one.fit for one in telling), default=0.0)
    group = [one for one in telling if one.fit >= max(LEAST, SAME * best)]
    times = sorted({(found[one.at].at, found[one.at].seq) for one in group})
    if len({one.values for one in group}) < 2 or len(times) < 2:
        return late
    for one in group:
        late[one.at] = times.index((found[one.at].at, found[one.at].seq)) / (len(times) - 1)
    return late


def _sentences(text: str) -> list[tuple[str, frozenset[str]]]:
    """The sentences with their terms."""
    return [(text[start:end], frozenset(terms(text[start:end]))) for start, end in sentences(text)]


def _statement(
    at: int,
    split: Sequence[tuple[str, frozenset[str]]],
    question: str,
    weight: dict[str, float],
    wanted: frozenset[str],
) -> _Statement:
    """The best of the text's sentences, one with a value where there is one."""
    total = sum(weight.values()) or 1.0
    ranked = sorted(
        ((sum(weight[term] for term in keys & weight.keys()) / total, sentence) for sentence, keys in split),
        key=lambda one: -one[0],
    )[:SENTENCES]
    for fit, sentence in ranked:
        values = _values(sentence, question, wanted) if fit >= LEAST else frozenset[str]()
        if values:
            return _Statement(at, fit, values)
    return _Statement(at, 0.0, frozenset())


def _values(sentence: str, question: str, wanted: frozenset[str]) -> frozenset[str]:
    """The new values that a sentence gives the asker: of the wanted sorts where some are; none of what it only asks."""
    if all(clause.asks for clause in split_clauses(sentence)):
        return frozenset()
    values: list[KeyValue] = new_values(sentence, question)
    if wanted:
        values = [value for value in values if answers(sentence, [value], wanted)]
    return frozenset(value_key(value) for value in values)
