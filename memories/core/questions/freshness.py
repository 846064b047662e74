"""The latest word: among statements about the same thing with other values, the later one counts more (R18)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from memories.core.questions.near_slots import same_measure
from memories.core.questions.telling import LEAST, Asked, stated, telling
from memories.core.statement import FactPart
from memories.core.text.passages import Sentences, weights

SAME: Final = 0.5
"""Share of the best statement's fit to the question from which another one is about the same thing."""
MEASURED: Final = 20
"""So many of the likely texts are compared by their facts."""
LIKELY: Final = 0.5
"""Share of the best text's words of the question from which a text is looked into at all."""


@dataclass(frozen=True, slots=True)
class Said:
    """One found text, in sentences; `seq` orders what was said at the same time, `by_user` whether the person said it.

    `covered` is the share of the question's rare words that the text holds, 0..1. `facts` are what was learnt from it.
    """

    sentences: Sentences
    at: datetime
    seq: int
    by_user: bool
    covered: float
    superseded: bool = False
    facts: tuple[FactPart, ...] = ()


_Fact = tuple[FactPart, frozenset[str]]


def lateness(found: Sequence[Said], asked: Asked) -> list[float]:
    """For each text 0..1: 1 for the latest of two or more statements about what is asked with different values, 0 for the
    first of them and for all that are not such a statement.

    About the same thing are clauses that hold much of what is rare in the question, weighed by how few of the likely
    texts hold it; and facts that most likely measure the same (near_slots). A person's own words only: an assistant
    repeats what it was told, late and in many words. So does a person who sums up: a statement is as late as the first
    one that gave its newest value, unless it says that this holds now, or again.
    """
    late = [0.0] * len(found)
    own = [at for at, one in enumerate(found) if one.by_user and not one.superseded]
    most = max((found[at].covered for at in own), default=0.0)
    likely = [at for at in own if most and found[at].covered >= LIKELY * most]
    if len(likely) < 2:
        return late
    weight = weights(asked.question, [found[at].sentences for at in likely])
    told = {at: telling(found[at].sentences, weight, asked) for at in likely}
    best = max((one.fit for one in told.values()), default=0.0)
    near = max(LEAST, SAME * best)
    given = {at: one.values for at, one in told.items() if one.values and one.fit >= near}
    _order(late, found, given, frozenset(at for at in given if told[at].anew))
    facts = {at: _facts(found[at], asked) for at in likely if found[at].facts}
    measured = dict(list(facts.items())[:MEASURED])
    for at in measured:
        _order(late, found, _measures(at, measured))
    return late


def _order(
    late: list[float],
    found: Sequence[Said],
    given: Mapping[int, frozenset[str]],
    anew: frozenset[int] = frozenset(),
) -> None:
    """Give each text its place in time, 0..1, where it has a lower one: by when the newest of its values was first given, or
    given anew ("back to 40 now").
    """
    since: dict[str, int] = {}
    places: dict[int, int] = {}
    for place, at in enumerate(sorted(given, key=lambda at: (found[at].at, found[at].seq))):
        for value in given[at]:
            since[value] = place if at in anew else since.get(value, place)
        places[at] = max(since[value] for value in given[at])
    times = sorted(set(places.values()))
    for at, place in places.items() if len(times) > 1 else ():
        late[at] = max(late[at], times.index(place) / (len(times) - 1))


def _facts(one: Said, asked: Asked) -> list[_Fact]:
    """The facts that can be what is asked for, each with its values."""
    return [(fact, values) for fact in one.facts if (values := stated(fact, asked))]


def _measures(at: int, measured: Mapping[int, Sequence[_Fact]]) -> dict[int, frozenset[str]]:
    """The texts with facts that most likely measure the same as one of this text's, with the values of these facts."""
    given: dict[int, frozenset[str]] = {}
    for other in measured:
        for mine, my_values in measured[at]:
            for its, its_values in measured[other] if other != at else ():
                if same_measure(mine, its):
                    given[at] = given.get(at, frozenset()) | my_values
                    given[other] = given.get(other, frozenset()) | its_values
    return given
