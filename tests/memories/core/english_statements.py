"""English statements made from grammar and open vocabulary, and a small store that places them, for property tests."""

from __future__ import annotations

import string
import uuid
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from hypothesis import strategies as st

from memories.core.extraction import Candidate, extract
from memories.core.extraction.en.verbs import is_past
from memories.core.kinds import Kind
from memories.core.placement.anchoring import anchor
from memories.core.placement.placing import Known, Place, place
from memories.core.statement import FactPart, Statement

NOW = datetime(2026, 3, 4, 9, tzinfo=UTC)
CLASHES = {Place.CONTRADICT, Place.SUPERSEDE}
"""What becomes of a statement that says otherwise than what is known."""

_ONSETS = ["br", "cl", "dr", "fl", "gr", "k", "m", "n", "pl", "s", "st", "tr", "v", "z", "l", "t"]
_VOWELS = ["a", "e", "i", "o", "u"]
_CODAS = ["b", "ck", "d", "f", "lt", "m", "n", "nk", "p", "rt", "sk", "t", "x"]
_syllables = st.tuples(st.sampled_from(_ONSETS), st.sampled_from(_VOWELS), st.sampled_from(_CODAS)).map(
    "".join
)
_taken = {
    "plan",
    "plot",
    "stop",
    "step",
    "seat",
    "list",
    "set",
    "cut",
    "put",
    "sit",
    "kept",
    "lent",
    "sent",
    "lost",
    "must",
    "best",
    "not",
}
nouns = (
    st.tuples(_syllables, st.sampled_from(["", "o", "a"]), _syllables)
    .map("".join)
    .filter(lambda word: word not in _taken)
)
"""Common nouns that no dictionary holds ("brackoflart")."""
names = nouns.map(str.capitalize)
people = st.tuples(names, names).map(" ".join)
attributes = st.tuples(nouns, nouns).map(" ".join)
codes = st.tuples(st.text(string.ascii_uppercase, min_size=2, max_size=3), st.integers(100, 99999)).map(
    lambda pair: f"{pair[0]}-{pair[1]}"
)
money = st.integers(2, 90_000).map(lambda number: f"${number:,}")
percents = st.integers(1, 99).map(lambda number: f"{number}%")
counts = st.integers(2, 900).map(str)
days = st.tuples(st.sampled_from(["January", "April", "June", "August", "October"]), st.integers(1, 28)).map(
    lambda pair: f"{pair[0]} {pair[1]}"
)
clocks = st.tuples(st.integers(1, 11), st.sampled_from(["am", "pm"])).map(lambda pair: f"{pair[0]}{pair[1]}")
kinds_of_value = st.sampled_from([codes, money, percents, people])
pairs = kinds_of_value.flatmap(lambda kind: st.tuples(kind, kind)).filter(lambda pair: pair[0] != pair[1])
"""Two different values of one sort."""
amount_pairs = (
    st.sampled_from([money, percents])
    .flatmap(lambda kind: st.tuples(kind, kind))
    .filter(lambda pair: pair[0] != pair[1])
)
verbs_of_change = _syllables.map(lambda word: f"{word}ed") | st.sampled_from(["rose", "fell", "went up", "climbed", "was raised", "was bumped", "has recently improved", "dropped", "got pushed", "was lowered"])  # fmt: skip
invented_verbs = _syllables.filter(
    lambda word: word[-1] in "dkpt" and word[-2] not in "aeiou" and not is_past(word) and word != "start"
)
"""Bases of verbs that no dictionary holds and that only take -ed ("brask", "zolt")."""
strong_verbs = st.sampled_from(
    [("teach", "taught", "taught"), ("swim", "swam", "swum"), ("sing", "sang", "sung"), ("draw", "drew", "drawn"), ("ride", "rode", "ridden"), ("catch", "caught", "caught"),
     ("choose", "chose", "chosen"), ("fight", "fought", "fought"), ("seek", "sought", "sought"), ("steal", "stole", "stolen"), ("shoot", "shot", "shot"), ("weave", "wove", "woven"), ("feed", "fed", "fed")]
)  # fmt: skip
"""(base, past, participle)."""
verbs_in_form = strong_verbs | invented_verbs.map(lambda base: (base, f"{base}ed", f"{base}ed"))
openers = st.sampled_from(
    ["", "So ", "By the way, ", "Quick update: ", "Just so you know, ", "Hey, ", "Also, "]
)
trailers = st.sampled_from(
    [
        "",
        ", can you help me plan around that?",
        ", so what should I do next?",
        ", and I'm not sure what to think.",
    ]
)


@dataclass
class Store:
    """What was said and how it was placed: the newest state of each memory, without a database."""

    known: list[Known] = field(default_factory=list)
    places: list[Place] = field(default_factory=list)
    day: int = 0

    def say(self, text: str) -> list[Place]:
        """Reads a turn of the user, a day after the one before, and places what it states."""
        self.day += 1
        at = NOW + timedelta(days=self.day)
        found = extract(text, role="user", speaker="", said_at=at, tz=UTC)
        placed = [self._put(candidate, at) for candidate in found if candidate.attribute or candidate.amends]
        return [place for place in placed if place is not None]

    def _put(self, candidate: Candidate, at: datetime) -> Place | None:
        """Where the candidate went; None for a bare value that no known fact can be meant by."""
        fact = None
        if candidate.attribute is not None and candidate.value is not None:
            fact = FactPart(
                candidate.subject, candidate.attribute, candidate.value, candidate.single, candidate.negated
            )
        happens = candidate.kind is Kind.EVENT
        said = Statement(
            content=candidate.content, kind=candidate.kind.value, source="user", said_at=at, update=candidate.update,
            correction=candidate.correction, replaces=candidate.replaces, explicit=candidate.explicit, fact=fact,
            confirms=candidate.confirms, amends=candidate.amends, open=candidate.open, rule=candidate.rule,
            valid_from=None if happens else candidate.valid_from, valid_to=None if happens else candidate.valid_to,
            event_start=candidate.valid_from if happens else None,
        )  # fmt: skip
        newest_first = [part for one in reversed(self.known) if one.current for part in one.facts]
        statement = anchor(said, newest_first).statement
        if statement is None or statement.fact is None:
            return None
        placement = place(statement, statement.content.encode(), self.known)
        if placement.place is Place.SUPERSEDE:
            for old in placement.targets:
                old.status = "superseded"
        if placement.place in {Place.NEW, Place.SUPERSEDE, Place.CONTRADICT}:
            self.known.append(
                Known(
                    id=uuid.uuid4(), status="current", kind=statement.kind, source="user", said_at=at,
                    fingerprint=statement.content.encode(), reach=("user", None, None), facts=statement.facts,
                    valid_from=statement.valid_from, valid_to=statement.valid_to,
                )
            )  # fmt: skip
        self.places.append(placement.place)
        return placement.place

    def holds(self, value: str) -> bool:
        """Whether a current memory says so, and not that it is over."""
        return any(
            fact.value == value and not fact.negated
            for one in self.known
            if one.current
            for fact in one.facts
        )

    def slots_of(self, value: str) -> set[str]:
        """The slots in which the value stands, now or before."""
        return {fact.slot for one in self.known for fact in one.facts if fact.value == value}


def told(*texts: str) -> Store:
    """A store that was told the texts, a day apart."""
    store = Store()
    for text in texts:
        store.say(text)
    return store


def read(text: str) -> list[Candidate]:
    """What is read out of one turn of the user."""
    return extract(text, role="user", speaker="", said_at=NOW, tz=UTC)
