"""Keeps what no longer holds from being read as if it did: old statements among recalled turns and digests (R18)."""

from __future__ import annotations

import re
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache
from typing import Final

from memories.core.text.sentences import sentences

_SEMICOLON = re.compile(r"(?<=[;；])\s*")
_HEAD = re.compile(r"^\[\d{4}-\d{2}-\d{2}\]\s*(?:[^:：。，]{1,23}[:：]\s*)?")
_ENDS: Final = " \t。！!.;；,，"
SHORT: Final = 2
"""A turn of so many sentences is about one thing: it is marked as a whole. Longer texts lose the sentence only."""


@dataclass(frozen=True, slots=True)
class OldValue:
    """A value that another one replaced: `value` was said before `until`, when `current` took its place."""

    value: str
    current: str
    until: datetime


@dataclass(frozen=True, slots=True)
class Outdated:
    """`quotes` are what turns said that is superseded now; `values` are old values of things that were asked about."""

    quotes: Mapping[uuid.UUID, tuple[str, ...]] = field(default_factory=dict)
    values: tuple[OldValue, ...] = ()


@dataclass(frozen=True, slots=True)
class Reading:
    """How a recalled text is to be read: `text` without old statements ("" when nothing is left), or `superseded`."""

    text: str
    superseded: bool = False


def read(
    text: str, said_at: datetime, source_ids: Sequence[uuid.UUID], item_kind: str, outdated: Outdated
) -> Reading:
    """A short turn whose statement was replaced is marked; a digest, or a longer turn, loses the sentences that were.

    A sentence that names the current value, too ("from Mondays to Fridays"), tells of the change and stays. Turns that say
    nothing else do not come here: recall leaves them out.
    """
    quotes = [quote for turn in source_ids for quote in outdated.quotes.get(turn, ())]
    if item_kind == "episode" and quotes:
        text = _without_quotes(text, quotes)
    old = [one for one in outdated.values if said_at < one.until and _holds(text, one.value)]
    if not old:
        return Reading(text)
    if item_kind == "episode" and len(sentences(text)) <= SHORT:
        return Reading(text, superseded=not any(_holds(text, one.current) for one in old))
    return Reading(_without(text, old))


def _without_quotes(text: str, quotes: Sequence[str]) -> str:
    """The text without the quotes and the punctuation that ends them."""
    spans: list[tuple[int, int]] = []
    for quote in quotes:
        at = text.find(quote) if quote else -1
        while at >= 0:
            end = at + len(quote)
            while end < len(text) and text[end] in _ENDS:
                end += 1
            spans.append((at, end))
            at = text.find(quote, end)
    kept, reached = "", 0
    for start, end in sorted(
        spans
    ):  # Quotes may overlap: a sentence of one memory holds the clause of another.
        kept += text[reached:start] if start > reached else ""
        reached = max(reached, end)
    text = kept + text[reached:]
    return text.strip()


def _without(text: str, old: Sequence[OldValue]) -> str:
    lines = []
    for line in text.split("\n"):
        head = _HEAD.match(line)
        body = line[head.end() :] if head else line
        pieces = [piece for start, end in sentences(body) for piece in _SEMICOLON.split(body[start:end])]
        kept = [piece for piece in pieces if not any(_is_old(piece, one) for one in old)]
        if kept:
            lines.append((head.group() if head else "") + "".join(kept).strip())
    return "\n".join(lines)


def _is_old(piece: str, one: OldValue) -> bool:
    return _holds(piece, one.value) and not _holds(piece, one.current)


@lru_cache(maxsize=4096)
def _pattern(value: str) -> re.Pattern[str]:
    before = r"(?<![a-z0-9])" if value[0].isascii() and value[0].isalnum() else ""
    after = r"(?![a-z0-9])" if value[-1].isascii() and value[-1].isalnum() else ""
    return re.compile(before + re.escape(value) + after)


def _holds(text: str, value: str) -> bool:
    """Whole words and numbers, in any letter case."""
    plain = value.strip().casefold()
    return bool(plain) and _pattern(plain).search(text.casefold()) is not None
