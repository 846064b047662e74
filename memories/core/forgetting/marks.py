"""Marks that stand where words were taken out of a text, and the text that is left around them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

MARKS = {"zh": "[已忘记]", "en": "[forgotten]"}
REDACTED = {"zh": "[已删除]", "en": "[redacted]"}
"""Where an operator took words out for good."""


HAN = re.compile(r"[\u3400-\u9fff]")


TIGHT_MARKS = tuple("▖▗▘▙▚▛▜▝▞▟")
"""One character each, for columns in which a longer mark does not fit: they never make a text longer."""


ANY_MARK = re.compile(r"\[(?:已忘记|forgotten|已删除|redacted)(?: [0-9a-f]{12})?\]|[▖▗▘▙▚▛▜▝▞▟]")


Span = tuple[int, int]


def mark_for(text: str, marks: Mapping[str, str] = MARKS) -> str:
    """The mark in the language of the text."""
    return marks["zh"] if HAN.search(text) else marks["en"]


def marks_for(text: str, row_id: str, marks: Mapping[str, str] = MARKS) -> list[str]:
    """Marks to choose from, the usual one first: where it does not fit or makes two keys one, the next may."""
    plain = mark_for(text, marks)
    return [plain, f"{plain[:-1]} {row_id.replace('-', '')[-12:].zfill(12)}]", *TIGHT_MARKS]


def masked(text: str, found: Sequence[Span], mark: str | None = None) -> str:
    """The text with the mark in place of each span."""
    sign = mark if mark is not None else mark_for(text)
    for start, end in reversed(found):
        text = text[:start] + sign + text[end:]
    return text
