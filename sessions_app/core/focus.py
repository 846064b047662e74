"""Shortens a text to its part about a question: the best sentence and its neighbours, not simply the beginning."""

from __future__ import annotations

from collections.abc import Collection

from memories.core.text.lexical import terms
from memories.core.text.sentences import sentences
from memories.core.text.tokens import ELLIPSIS, TokenCounter, count, excerpt


def focus(text: str, wanted: Collection[str], max_tokens: int, counter: TokenCounter = count) -> str:
    """At most `max_tokens` tokens of the text around the sentence that shares most terms with `wanted`.

    `wanted` are index terms of the question. Without a shared term it is the beginning. Cut ends show an ellipsis, which
    is counted. Empty when nothing fits.
    """
    if counter(text) <= max_tokens:
        return text
    bounds = sentences(text)
    shared = [len(set(terms(text[start:end])) & set(wanted)) for start, end in bounds]
    best = max(range(len(bounds)), key=lambda index: (shared[index], -index), default=0)
    if not bounds or not shared[best] or best == 0:
        return excerpt(text, max_tokens, counter)
    first = last = best
    piece = _piece(text, bounds, first, last)
    if counter(piece) > max_tokens:
        start, end = bounds[best]
        return excerpt(ELLIPSIS + text[start:end].strip(), max_tokens, counter)
    grown = True
    while grown:
        grown = False
        # What follows explains a statement more often than what precedes it, so it is tried first.
        for left, right in ((first, last + 1), (first - 1, last)):
            if left < 0 or right >= len(bounds):
                continue
            wider = _piece(text, bounds, left, right)
            if counter(wider) <= max_tokens:
                first, last, piece, grown = left, right, wider, True
    return piece


def cut_middle(text: str, max_tokens: int, counter: TokenCounter = count) -> str:
    """The beginning and the end of the text within `max_tokens`: a question often stands last. Empty if nothing fits."""
    if counter(text) <= max_tokens:
        return text
    low, high, best = 0, len(text) // 2, ""
    while low <= high:
        half = (low + high) // 2
        piece = (
            (text[:half].rstrip() + " " + ELLIPSIS + " " + text[len(text) - half :].lstrip()) if half else ""
        )
        if counter(piece) <= max_tokens:
            best, low = piece, half + 1
        else:
            high = half - 1
    return best


def _piece(text: str, bounds: list[tuple[int, int]], first: int, last: int) -> str:
    start, end = bounds[first][0], bounds[last][1]
    before = ELLIPSIS if first > 0 else ""
    after = ELLIPSIS if last < len(bounds) - 1 else ""
    return before + text[start:end].strip() + after
