"""Compiles a tenant's pattern if it cannot be made slow: no endless repeats, a bounded number of ways to match.

Python's matcher tries ways one after the other, so what makes a pattern dangerous is how many there are from one place of
the text. They are counted from the parsed pattern, as a product over its parts; the work is then at most
(length of the text) x (ways) x (width), whatever the text.
"""

from __future__ import annotations

import re
import warnings
from functools import lru_cache
from re import _constants as ops  # type: ignore[attr-defined]
from re import _parser  # type: ignore[attr-defined]
from typing import Any, Final

MAX_LENGTH: Final = 200
MAX_WIDTH: Final = 200
MAX_WAYS: Final = 2_000
_REPEATS: Final = (ops.MAX_REPEAT, ops.MIN_REPEAT, ops.POSSESSIVE_REPEAT)


class UnsafePattern(ValueError):
    """Why a pattern is not taken, and what to write instead; it does not quote the pattern."""


@lru_cache(maxsize=1024)
def compiled(pattern: str, *, ignore_case: bool = True) -> re.Pattern[str]:
    """The compiled pattern; UnsafePattern for one that is refused."""
    ways(pattern)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return re.compile(pattern, re.IGNORECASE if ignore_case else 0)


def least_width(pattern: str) -> int:
    """How many characters it needs at least, of a pattern that is taken."""
    return int(_parser.parse(pattern).getwidth()[0])


@lru_cache(maxsize=1024)
def ways(pattern: str) -> int:
    """In how many ways it may match from one place, at most; UnsafePattern for more than MAX_WAYS."""
    if not 1 <= len(pattern) <= MAX_LENGTH:
        raise UnsafePattern(f"must have 1 to {MAX_LENGTH} characters")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            parsed = _parser.parse(pattern)
    except (re.error, RecursionError, OverflowError):
        raise UnsafePattern("is not a valid regular expression") from None
    if parsed.state.flags & ~(re.IGNORECASE | re.UNICODE):
        raise UnsafePattern("may have no flags inside but (?i)")
    found = _ways(parsed)
    low, high = parsed.getwidth()
    if low < 1:
        raise UnsafePattern("matches nothing at all: it must need at least one character")
    if high > MAX_WIDTH:
        raise UnsafePattern(f"matches more than {MAX_WIDTH} characters at once: lower the upper bounds")
    return found


def _ways(parsed: Any) -> int:
    total = 1
    for op, argument in parsed:
        total *= _of_part(op, argument)
        if total > MAX_WAYS:
            raise UnsafePattern(
                f"can match in more than {MAX_WAYS} ways from one place: use fewer or shorter repeats"
            )
    return total


def _of_part(op: Any, argument: Any) -> int:
    if op in _REPEATS:
        return _of_repeat(*argument)
    if op is ops.BRANCH:
        return sum(_ways(one) for one in argument[1])
    if op is ops.SUBPATTERN:
        return _ways(argument[-1])
    if op is ops.ATOMIC_GROUP:
        return _ways(argument)
    if op in (ops.ASSERT, ops.ASSERT_NOT):
        return _ways(argument[1]) + 1
    if op in (ops.GROUPREF, ops.GROUPREF_EXISTS):
        raise UnsafePattern("refers back to a group, which is not allowed")
    return 1


def _of_repeat(low: int, high: int, item: Any) -> int:
    if high is ops.MAXREPEAT:
        raise UnsafePattern("repeats without end: write {1,40} instead of +, {0,40} instead of *")
    if high > MAX_WIDTH:
        raise UnsafePattern(f"repeats more than {MAX_WIDTH} times")
    one = _ways(item)
    if one == 1:
        return int(high - low + 1)
    total = 0
    for times in range(low, high + 1):
        total += one**times
        if total > MAX_WAYS:
            break
    return total
