"""Characters that people type beside words: invisible ones, which no text needs, and signs that are read as a pause."""

from __future__ import annotations

import re
from typing import Final

_WORD = "0-9A-Za-z\u3400-\u9fff"
_NOTHING: Final = re.compile(
    f"[\u00ad\u200b\u2060\ufeff]+|(?<=[{_WORD}])[\u200c\u200d]+(?=[{_WORD}])", re.UNICODE
)
"""Soft hyphens, zero-width spaces and byte order marks; joiners only where letters do not join (they shape Persian, and emoji)."""
_PAUSE: Final = re.compile(
    "[\U0001f000-\U0001faff\u2600-\u27bf\u2b05-\u2b07\u2b1b\u2b1c\u2b50\u2b55\ufe0e\ufe0f\u20e3\U000e0020-\U000e007f"
    "\u200c-\u200f\u202a-\u202e\u2066-\u2069\u3000]"
)
"""Emoji with all that they are put together of, marks of the direction of writing, and the wide space."""
_WIDE: Final = {wide: wide - 0xFEE0 for wide in (*range(0xFF21, 0xFF3B), *range(0xFF41, 0xFF5B))}
"""Full-width Latin letters. Their digits stay: values are compared in any width, and are shown as they were said."""


def without_invisible(text: str) -> str:
    """The text without characters that nobody sees and that part words which are one."""
    return _NOTHING.sub("", text)


def as_read(text: str) -> str:
    """The text as rules read it, at the same length: each such sign a space, wide letters as plain ones."""
    return _PAUSE.sub(" ", text).translate(_WIDE)
