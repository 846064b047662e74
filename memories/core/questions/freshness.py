"""The latest word: among statements about the same thing with other values, the later one counts more (R18)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from memories.core.extraction.sentences import split_clauses
from memories.core.questions.answering import answers, asked_for, new_values
from memories.core.questions.near_slots import same_measure
from memories.core.statement import FactPart
from memories.core.text.passages import Sentence, share, weights
from memories.core.values.forms import value_key
from memories.core.values.keyvalues import KeyValue

SAME: Final = 0.6
"""Share of the best statement's fit to the question from which another one is about the same thing."""
LEAST: Final = 0.35
"""Share of the question's weight below which a statement is not about it at all."""


MEASURED: Final = 20
"""So many of the likely texts are compared by their facts."""
LIKELY: Final = 0.6
"""Share of the best text's words of the question from which a text is looked into at all."""
READ: Final = 2
"""Best sentences of a text that are read for their values."""


@dataclass(frozen=True, slots=True)
class Said:
    """One found text, in sentences; `seq` orders what was said at the same time, `by_user` whether the person said it.

    `covered` is the share of the question's rare words that the text holds, 0..1. `facts` are what was learnt from it.
    """

    sentences: Sequence[Sentence]
    at: datetime
    seq: int
    by_user: bool
    covered: float
    superseded: bool = False
    facts: tuple[FactPart, ...] = ()


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
    texts hold it; and facts that most likely measure the same (near_slots). A person's own words only: an assistant
    repeats what it was told, late and in many words.
    """
    late = [0.0] * len(found)
    own = [at for at, one in enumerate(found) if one.by_user and not one.superseded]
    most = max((found[at].covered for at in own), default=0.0)
    likely = [at for at in own if most and found[at].covered >= LIKELY * most]
    if len(likely) < 2:
        return late
    weight = weights(question, [found[at].sentences for at in likely])
    wanted = asked_for(question)
    statements = [_statement(at, found[at].sentences, question, weight, wanted) for at in likely]
    telling = [one for one in statements if one.values]
    best = max((one.fit for one in telling), default=0.0)
    group = [one for one in telling if one.fit >= max(LEAST, SAME * best)]
    if len({one.values for one in group}) > 1:
        _order(late, found, [one.at for one in group])
    measured = [at for at in likely if found[at].facts][:MEASURED]
    for at in measured:
        same = [other for other in measured if other == at or _same(found[at], found[other])]
        if len(same) > 1:
            _order(late, found, same)
    return late


def _order(late: list[float], found: Sequence[Said], group: Sequence[int]) -> None:
    """Give each of the group its place in time, 0..1, where it has a lower one."""
    times = sorted({(found[at].at, found[at].seq) for at in group})
    for at in group if len(times) > 1 else ():
        late[at] = max(late[at], times.index((found[at].at, found[at].seq)) / (len(times) - 1))


def _same(one: Said, other: Said) -> bool:
    return any(same_measure(mine, its) for mine in one.facts for its in other.facts)


def _statement(
    at: int, split: Sequence[Sentence], question: str, weight: Mapping[str, float], wanted: frozenset[str]
) -> _Statement:
    """The best of the text's sentences, one with a value where there is one."""
    ranked = sorted(((share(one, weight), one.text) for one in split), key=lambda one: -one[0])
    for fit, sentence in ranked[:READ]:
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
