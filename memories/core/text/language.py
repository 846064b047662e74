"""Tells Chinese text from English, the two languages that MemoryHub treats as equals."""

from __future__ import annotations

import re
from typing import Final, Literal

Language = Literal["zh", "en"]

HAN: Final = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003134f"
"""Han characters as the inside of a regular expression's class."""

_HAN_CHAR = re.compile(f"[{HAN}]")
_LATIN_WORD = re.compile(r"[A-Za-z\u00c0-\u024f]+")
_ZH_FROM: Final = 0.4


def cjk_share(text: str) -> float:
    """The share of Chinese in 0..1: han / (han + 1.5 * latin words), 0.5 when the text has neither."""
    han = len(_HAN_CHAR.findall(text))
    words = len(_LATIN_WORD.findall(text))
    return han / (han + 1.5 * words) if han or words else 0.5


def detect(text: str, default: Language = "en") -> Language:
    """The language that a reply should be in; `default` when the text has no letters at all (numbers, emoji)."""
    if not _HAN_CHAR.search(text):
        return "en" if _LATIN_WORD.search(text) else default
    return "zh" if cjk_share(text) >= _ZH_FROM else "en"
