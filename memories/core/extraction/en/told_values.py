"""The values that stand in an English clause: amounts with what they count, days and times, versions, addresses and names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from memories.core.extraction.en.dates import TIME
from memories.core.extraction.en.noun_words import CALENDAR, DETERMINERS, NEVER, PERIODS
from memories.core.extraction.en.plurals import singular
from memories.core.extraction.en.spots import AMOUNT, DATED, DIGITS, FOUND
from memories.core.extraction.en.subjects import NOT_NAMED
from memories.core.extraction.en.verbs import is_clear_past
from memories.core.text.stopwords import PREPOSITIONS
from memories.core.values.numerals import en_number

_EXACT = re.compile(
    rf"(?:(?:every\s+)?{TIME})|\bv\d+(?:\.\d+)*\b|\b\d+\.\d+(?:\.\d+)+\b|\b\d{{1,2}}:\d\d\b|(?:every\s+)?(?:{AMOUNT})|[\w.+-]+@[\w-]+\.[\w.]+|\+?\d[\d -]{{5,}}\d",
    re.IGNORECASE,
)
_COUNTED = re.compile(r"\s+(?P<n>[a-z][a-z-]*s|people|children)\b(?P<each>\s+an?\s+[a-z]+)?")
_NAME = re.compile(
    r"(?<![\w@.#/'’-])(?:(?:Mr|Mrs|Ms|Dr|St)\.?\s+)?[A-Z][\w+#&-]*(?:\.[a-z]{2,4}\b|['’][A-Z]\w+)?(?:\s+(?:de\s+|of\s+|the\s+)?(?:[A-ZÀ-Þ][\w+#&'’-]*|\d+(?:\.\d+)*\b))*"
)


_NO_TOPIC = (
    NEVER
    | PREPOSITIONS
    | DETERMINERS
    | CALENDAR
    | PERIODS
    | frozenset(
        [
            "last",
            "next",
            "such",
            "every",
            "day",
            "week",
            "month",
            "year",
            "hour",
            "night",
            "morning",
            "evening",
            "term",
            "set",
            "time",
        ]
    )
)


@dataclass(frozen=True, slots=True)
class Value:
    """work[start:end] of a clause; `named` for a proper name, else a number, a date or a code."""

    text: str
    start: int
    end: int
    named: bool = False


def exact_values(work: str) -> list[Value]:
    """The amounts, days, times, versions and addresses, in order; a bare number with the noun of what it counts."""
    found = []
    for match in _EXACT.finditer(work):
        if not _whole_number(work, match) or DATED.search(work, max(0, match.start() - 12), match.start()):
            continue  # "room 12", "number 4" are names
        end = match.end()
        if re.fullmatch(DIGITS, match[0], re.IGNORECASE):
            counted = _COUNTED.match(work, end)
            end = counted.end() if counted and counted["n"] not in NEVER else end
        found.append(Value(work[match.start() : end].strip(), match.start(), end))
    return found


def named_values(work: str, *, first: bool = False) -> list[Value]:
    """The proper names that stand behind something of the clause, in order; with `first` also what opens it.

    What opens a clause is its subject, or a plain word with the capital of a beginning.
    """
    found = []
    for match in _NAME.finditer(work):
        text, start = match[0].rstrip("'’."), match.start()
        head, _, rest = text.partition(" ")
        if not start and rest and (is_clear_past(head) or head in NOT_NAMED):
            text, start = rest, match.end() - len(match[0]) + len(head) + 1
        if (start or first) and _is_name(text, work[:start]):
            found.append(Value(text, start, match.end(), named=True))
    return found


def values_in(text: str, *, first: bool = False) -> Iterator[Value]:
    """All of them, numbers and dates first."""
    exact = exact_values(text)
    yield from exact
    for one in named_values(text, first=first):
        if all(one.end <= other.start or one.start >= other.end for other in exact):
            yield one


def _is_name(word: str, before: str) -> bool:
    first = word.split()[0]
    if (
        first in NOT_NAMED
        or first.lower().rstrip("s.") in CALENDAR
        or first in {"OK", "AM", "PM", "TV", "ID"}
    ):
        return False
    return not before.rstrip().endswith((".", "!", "?", ":", "“", '"')) or before.rstrip()[-1] == ":"


def _whole_number(work: str, match: re.Match[str]) -> bool:
    """No part of a longer number, date or code."""
    one = FOUND.match(work, match.start()) or not match[0][:1].isdigit()
    return bool(one) or re.search(r"[:@.\-]|[ap]m", match[0]) is not None


def topic_of(work: str, value: Value | None) -> tuple[str, ...]:
    """The words that tell what is spoken about: without the value and what carries nothing; lower case, in order."""
    rest = work if value is None else f"{work[: value.start]} {work[value.end :]}"
    words = (word.lower().removesuffix("'s") for word in re.findall(r"[A-Za-zÀ-ÿ][\w'-]+", rest))
    kept = (
        one
        for word in words
        if en_number(word) is None and (one := singular(word)) not in _NO_TOPIC and word not in _NO_TOPIC
    )
    return tuple(dict.fromkeys(kept))
