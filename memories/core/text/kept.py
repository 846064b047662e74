"""Keeps what was read out of a text for the next question that finds it: reading costs more than finding.

What is kept holds words that people said, so it is bounded, ends after `MINUTES`, and `forget_kept` drops all of it at once.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Final, TypeVar

A = TypeVar("A")
T = TypeVar("T")

ITEMS: Final = 8192
"""Texts a reader; at some hundred bytes each, a few megabytes a process."""
MINUTES: Final = 10

_clears: list[Callable[[], None]] = []
_since: list[float] = []


def kept(read: Callable[[A], T]) -> Callable[[A], T]:
    """The same function of a text (or of something hashable that was read out of one) with its newest answers kept; they are shared, so they must not be changed."""
    cached = lru_cache(maxsize=ITEMS)(read)
    _clears.append(cached.cache_clear)
    return cached


def forget_kept() -> None:
    """Drop everything that is kept in this process."""
    _since.clear()
    for clear in _clears:
        clear()


def age_kept(seconds: float) -> None:
    """Drop everything when it was begun more than MINUTES ago; `seconds` is a clock that never goes back."""
    if not _since:
        _since.append(seconds)
    elif seconds - _since[0] > 60 * MINUTES:
        forget_kept()
