"""Whether a value stands in a text: whole words and whole numbers, nothing scored by a model."""

from __future__ import annotations

import re
from functools import lru_cache

from memories.core.text.sentences import sentences

# The renderer of the context marks what no longer holds with this word at the start of the bracketed label.
SUPERSEDED_MARK = re.compile(r"\[[^\]]*\bsuperseded\b[^\]]*\]")


@lru_cache(maxsize=4096)
def _pattern(value: str) -> re.Pattern[str]:
    # A Latin letter or a digit on either side would make it part of another word or number; CJK has no such borders.
    before = r"(?<![A-Za-z0-9])" if value[0].isascii() and value[0].isalnum() else ""
    after = r"(?![A-Za-z0-9])" if value[-1].isascii() and value[-1].isalnum() else ""
    return re.compile(before + re.escape(value.casefold()) + after)


def stands_in(value: str, text: str) -> bool:
    """True when `value` stands in `text` as a whole, in any case."""
    return bool(_pattern(value).search(text.casefold()))


def stands_unmarked(value: str, text: str, *, current: str = "") -> bool:
    """True when `value` stands in a sentence of `text` as if it still held.

    Lines that are marked as superseded do not count, nor do sentences that name the `current` value, too: those tell of the
    change.
    """
    lines = [line for line in text.splitlines() if not SUPERSEDED_MARK.search(line)]
    pieces = [line[start:end] for line in lines for start, end in sentences(line)]
    return any(stands_in(value, piece) and not (current and stands_in(current, piece)) for piece in pieces)
