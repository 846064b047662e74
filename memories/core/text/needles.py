"""Finds and masks words that are to be forgotten, the same way wherever something said stands (redact, erase)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any


def pattern_of(needles: Sequence[str]) -> re.Pattern[str] | None:
    """Any of the needles, the longest first, letter case aside; None without any.

    A needle that begins or ends with a Latin letter or digit stands alone there: 4800 is not in 148003.
    """
    parts = []
    for needle in sorted({one.strip() for one in needles if one.strip()}, key=len, reverse=True):
        before = r"(?<![A-Za-z0-9])" if re.match(r"[A-Za-z0-9]", needle) else ""
        after = r"(?![A-Za-z0-9])" if re.search(r"[A-Za-z0-9]$", needle) else ""
        parts.append(f"{before}{re.escape(needle)}{after}")
    return re.compile("|".join(parts), re.IGNORECASE) if parts else None


def holds(value: Any, pattern: re.Pattern[str]) -> bool:
    """Whether a text, or any text or key inside a JSON value, holds a needle."""
    if isinstance(value, str):
        return pattern.search(value) is not None
    if isinstance(value, dict):
        return any(holds(part, pattern) for pair in value.items() for part in pair)
    if isinstance(value, list | tuple):
        return any(holds(part, pattern) for part in value)
    return False


def masked(value: Any, pattern: re.Pattern[str], replacement: str) -> Any:
    """The value with each needle replaced, taken literally; of the same form as it was."""
    if isinstance(value, str):
        return pattern.sub(lambda _: replacement, value)
    if isinstance(value, dict):
        return {
            masked(key, pattern, replacement): masked(part, pattern, replacement)
            for key, part in value.items()
        }
    if isinstance(value, list | tuple):
        return [masked(part, pattern, replacement) for part in value]
    return value
