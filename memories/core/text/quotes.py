"""Finds which memories an answer cites: by a marker such as [1] or [m:id], or by quoting a span of their words."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Hashable, Mapping
from typing import Final, TypeVar

from memories.core.digests.values import holds
from memories.core.text.language import HAN
from memories.core.values.keyvalues import key_values

Id = TypeVar("Id", bound=Hashable)

MIN_HAN: Final = 8
"""A run of this many Chinese characters counts as a quotation."""
MIN_WORDS: Final = 5
"""So does a run of this many English words."""
MIN_VALUE: Final = 4
"""Shorter values stand in too many texts to tell one."""

_MARKER = re.compile(r"[\[【［]\s*((?:m:)?[\w-]+(?:\s*[,，、;]\s*(?:m:)?[\w-]+)*)\s*[\]】］]")
_UNIT = re.compile(f"[{HAN}]|[a-z0-9\u00c0-\u024f]+(?:[-'._:/@][a-z0-9]+)*")
_DISTINCT: Final = frozenset({"number", "code", "email", "url", "amount", "date", "time", "title", "snippet"})


def cited(answer: str, items: Mapping[Id, str], *, question: str = "") -> set[Id]:
    """The ids of the items (id -> text) that the answer cites.

    An item is cited by its id in brackets ([1], [1, 3], [m:abc]); by a quoted span: a run of 8 Chinese characters or 5
    English words that stands in both; or by a distinctive value of its text (a code, an amount, a date). Nothing that
    the question said itself counts as a quotation.
    """
    by_name = {str(key).removeprefix("m:").casefold(): key for key in items}
    found = {by_name[name] for name in _markers(answer) if name in by_name}
    said = _plain(answer)
    asked = _plain(question)
    grams = _runs(said) - _runs(asked)
    for key, text in items.items():
        if key not in found and (grams & _runs(_plain(text)) or _shares_value(text, said, asked)):
            found.add(key)
    return found


def _markers(answer: str) -> set[str]:
    """The names inside square brackets, without the m: prefix, lower-case."""
    names = (name for match in _MARKER.finditer(answer) for name in re.split(r"[,，、;]", match.group(1)))
    return {name.strip().removeprefix("m:").casefold() for name in names}


def _plain(text: str) -> str:
    return unicodedata.normalize("NFKC", text).lower()


def _runs(plain: str) -> set[tuple[str, ...]]:
    """Every run of MIN_HAN characters or MIN_WORDS words; a mixed run counts a word as two characters."""
    units = _UNIT.findall(plain)
    runs: set[tuple[str, ...]] = set()
    for start in range(len(units)):
        weight, end = 0, start
        while end < len(units) and weight < MIN_HAN * MIN_WORDS:
            weight += MIN_WORDS if len(units[end]) == 1 and not units[end].isascii() else MIN_HAN
            end += 1
        if weight >= MIN_HAN * MIN_WORDS:
            runs.add(tuple(units[start:end]))
    return runs


def _shares_value(text: str, said: str, asked: str) -> bool:
    """True for a value of four characters or more that stands whole in the answer and not in the question."""
    return any(
        value.kind in _DISTINCT
        and len(value.text.strip()) >= MIN_VALUE
        and holds(said, value.text)
        and not holds(asked, value.text)
        for value in key_values(text)
    )
