"""Finds sentence and clause bounds in Chinese, English and mixed text, without losing a character."""

from __future__ import annotations

import re
from typing import Final

from memories.core.text.language import HAN
from memories.core.text.stopwords import word_set

Bounds = tuple[int, int]
"""Start and end of a piece, as offsets into the text it came from."""

_ABBREVIATIONS: Final = word_set(
    "mr mrs ms dr prof sr jr st vs etc e.g i.e a.m p.m no nos approx dept inc ltd co corp fig vol pp ed rev est jan feb mar"
    " apr jun jul aug sep sept oct nov dec mon tue wed thu fri sat sun"
)
_CLOSERS: Final = re.escape("”’」』）)】]》〉")
# A straight quote may as well open the next sentence; it closes this one only where a space or the end follows.
_CLOSING = f"(?:[{_CLOSERS}]|[\"'](?=\\s|$))*"
_END = re.compile(f"(?:[。！？!?；]+|…+|\\.+(?=\\s|$|[{_CLOSERS}\"']\\s|[{HAN}])){_CLOSING}|\\n+")
_CLAUSE = re.compile(r"[，、：]+|[,;:](?=\s)|\s+[-–—]+(?=\s)|—+")
_LAST_WORD = re.compile(r"[A-Za-z](?:[A-Za-z.]*[A-Za-z])?$")


def sentences(text: str) -> list[Bounds]:
    """Offsets of the sentences in order; they touch each other and together cover the whole text."""
    bounds: list[Bounds] = []
    start = 0
    for match in _END.finditer(text):
        if match.group().startswith(".") and _is_abbreviation(text[start : match.start()]):
            continue
        end = _skip_spaces(text, match.end())
        if end > start:
            bounds.append((start, end))
            start = end
    if start < len(text):
        bounds.append((start, len(text)))
    return bounds


def clauses(text: str, start: int = 0, end: int | None = None) -> list[Bounds]:
    """The same for the clauses of text[start:end], cut after commas, colons and dashes."""
    end = len(text) if end is None else end
    bounds: list[Bounds] = []
    for match in _CLAUSE.finditer(text, start, end):
        cut = min(_skip_spaces(text, match.end()), end)
        if cut > start:
            bounds.append((start, cut))
            start = cut
    if start < end:
        bounds.append((start, end))
    return bounds


def _is_abbreviation(before: str) -> bool:
    """True when the full stop after `before` belongs to a short form ("Mr.", "a.m.") or to an initial ("J. Doe")."""
    word = _LAST_WORD.search(before)
    if word is None:
        return False
    lowered = word.group().lower()
    return lowered in _ABBREVIATIONS or (len(lowered) == 1 and word.group().isupper() and lowered != "i")


def _skip_spaces(text: str, at: int) -> int:
    while at < len(text) and text[at].isspace():
        at += 1
    return at
