"""Cuts a long text into overlapping pieces on sentence bounds, so that each can be embedded and recalled (R16)."""

from __future__ import annotations

from dataclasses import dataclass

from memories.core.text.sentences import Bounds, clauses, sentences
from memories.core.text.tokens import TokenCounter, count


@dataclass(frozen=True, slots=True)
class Chunk:
    """A piece of a text: text == source[start:end]."""

    start: int
    end: int
    text: str


def chunk(
    text: str, counter: TokenCounter = count, size: tuple[int, int] = (200, 500), overlap: float = 0.2
) -> list[Chunk]:
    """Pieces of at most size[1] tokens that cover the text in order; none for a blank text.

    Pieces are filled up to size[1] and end where a sentence ends (a sentence longer than size[1] is cut at a clause, else
    anywhere); only a very long sentence next to it leaves one below size[0]. A piece starts with the sentences that end
    the piece before it, as far as they fit into `overlap` of size[1]; the last one reaches further back for its length.
    """
    low, high = size
    if not 0 < low <= high or not 0 <= overlap < 1:
        raise ValueError("size must be (low, high) with 0 < low <= high, and overlap within [0, 1)")
    if not text.strip():
        return []
    if counter(text) <= high:
        return [Chunk(0, len(text), text)]
    units = _units(text, high, counter)
    weights = [counter(text[start:end]) for start, end in units]
    chunks: list[Chunk] = []
    first, done = 0, 0
    while done < len(units):
        while first < done and counter(text[units[first][0] : units[done][1]]) > high:
            first += 1  # A long sentence comes next: it leaves less room for the overlap.
        last = _fill(text, units, weights, first, done, high, counter)
        if last == len(units) and chunks:
            first = _reach_back(text, units, first, low, high, counter)
        start, end = units[first][0], units[last - 1][1]
        chunks.append(Chunk(start, end, text[start:end]))
        done = last
        first = _overlap_start(weights, last, overlap * high)
    return chunks


def _units(text: str, high: int, counter: TokenCounter) -> list[Bounds]:
    """Sentences, with those above `high` tokens cut at clauses, else by halving."""
    units: list[Bounds] = []
    for start, end in sentences(text):
        if counter(text[start:end]) <= high:
            units.append((start, end))
            continue
        for piece in clauses(text, start, end):
            units.extend(_halves(text, *piece, high, counter))
    return units


def _halves(text: str, start: int, end: int, high: int, counter: TokenCounter) -> list[Bounds]:
    """Cut in two, near a space where there is one, until every part fits; one character is never cut."""
    if end - start <= 1 or counter(text[start:end]) <= high:
        return [(start, end)]
    middle = (start + end) // 2
    space = text.rfind(" ", start + (end - start) // 4, middle)
    cut = space + 1 if space > start else middle
    return [*_halves(text, start, cut, high, counter), *_halves(text, cut, end, high, counter)]


def _fill(
    text: str,
    units: list[Bounds],
    weights: list[int],
    first: int,
    done: int,
    high: int,
    counter: TokenCounter,
) -> int:
    """Index after the last unit that fits when the piece starts at `first`; at least one unit beyond `done`."""
    total = sum(weights[first : done + 1])
    last = done + 1
    while last < len(units) and total + weights[last] <= high:
        total += weights[last]
        last += 1
    # Tokens do not add up exactly over a cut, so the joined text decides.
    while last > done + 1 and counter(text[units[first][0] : units[last - 1][1]]) > high:
        last -= 1
    return last


def _reach_back(
    text: str, units: list[Bounds], first: int, low: int, high: int, counter: TokenCounter
) -> int:
    """The last piece's first unit, moved back until the piece is `low` tokens long, as far as `high` allows."""
    end = units[-1][1]
    while first > 0 and counter(text[units[first][0] : end]) < low:
        if counter(text[units[first - 1][0] : end]) > high:
            break
        first -= 1
    return first


def _overlap_start(weights: list[int], last: int, budget: float) -> int:
    """The first unit of the next piece: as many of the units before `last` as fit into the overlap."""
    first, total = last, 0
    while first > 0 and total + weights[first - 1] <= budget:
        total += weights[first - 1]
        first -= 1
    return first
