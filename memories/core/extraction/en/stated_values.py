"""The values that stand in an English clause: amounts with what they count, days and times, versions, addresses and names."""

from __future__ import annotations

import re
from dataclasses import dataclass

from memories.core.extraction.en.dates import TIME
from memories.core.extraction.en.noun_words import CALENDAR, NEVER
from memories.core.extraction.en.spots import AMOUNT, DATED, DIGITS, FOUND
from memories.core.extraction.en.subjects import NOT_NAMED
from memories.core.extraction.en.verbs import is_clear_past

_EXACT = re.compile(
    rf"(?:(?:every\s+)?{TIME})|\bv\d+(?:\.\d+)*\b|\b\d+\.\d+(?:\.\d+)+\b|\b\d{{1,2}}:\d\d\b|(?:every\s+)?(?:{AMOUNT})|[\w.+-]+@[\w-]+\.[\w.]+|\+?\d[\d -]{{5,}}\d",
    re.IGNORECASE,
)
_COUNTED = re.compile(r"\s+(?P<n>[a-z][a-z-]*s|people|children)\b(?P<each>\s+an?\s+[a-z]+)?")
_NAME = re.compile(
    r"(?<![\w@.#/'’-])(?:(?:Mr|Mrs|Ms|Dr|St)\.?\s+)?[A-Z][\w+#&-]*(?:\.[a-z]{2,4}\b|['’][A-Z]\w+)?(?:\s+(?:de\s+|of\s+|the\s+)?(?:[A-ZÀ-Þ][\w+#&'’-]*|\d+(?:\.\d+)*\b))*"
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


def named_values(work: str) -> list[Value]:
    """The proper names that stand behind something of the clause, in order.

    What opens a clause is its subject, or a plain word with the capital of a beginning.
    """
    found = []
    for match in _NAME.finditer(work):
        text, start = match[0].rstrip("'’."), match.start()
        head, _, rest = text.partition(" ")
        if not start and rest and (is_clear_past(head) or head in NOT_NAMED):
            text, start = rest, match.end() - len(match[0]) + len(head) + 1
        if start and _is_name(text, work[:start]):
            found.append(Value(text, start, match.end(), named=True))
    return found


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
