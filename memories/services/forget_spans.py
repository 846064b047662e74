"""Which spans of a text go for whom, and what the text looks like without them."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from memories.core.forgetting.marks import Span, marks_for, masked
from memories.core.forgetting.texts import Spec, spans
from memories.core.text.needles import pattern_of
from memories.services.forget_cuts import Row
from memories.texts import Passage, TextHolder


@dataclass(frozen=True, slots=True)
class Taking:
    """What one owner (a tombstone's or a request's id) takes out; `only` narrows it to what was said in these turns,
    `until` to the very words where something was said after that: a request of the past does not reach new values."""

    owner: uuid.UUID
    spec: Spec
    only: frozenset[str] = frozenset()
    until: datetime | None = None


def spans_of(
    passage: Passage, text: str, takings: Sequence[Taking], request_turn: str
) -> dict[uuid.UUID, list[Span]]:
    """Disjoint spans by owner; where two want the same words, the first has them."""
    own = request_turn != "" and request_turn in {passage.source, passage.row_id}
    found: dict[uuid.UUID, list[Span]] = {}
    covered: list[Span] = []
    for taking in takings:
        spec = taking.spec
        if taking.until is not None and passage.said_at is not None and passage.said_at > taking.until:
            # The very words of what went are gone everywhere; how else it might be said is not looked for.
            spec = replace(spec, reach=None)
        if taking.only:
            if not taking.only & {passage.source, passage.row_id}:
                continue
            at = spans(text, spec, role=passage.role, speaker=passage.speaker)
        elif own:
            at = _named(text, spec)
        else:
            at = spans(text, spec, role=passage.role, speaker=passage.speaker)
        parts = [part for span in at for part in _minus(span, covered)]
        # A full stop that another owner's words left says nothing by itself.
        free = (
            [part for part in parts if any(char.isalnum() for char in text[slice(*part)])]
            if covered
            else parts
        )
        if free:
            found.setdefault(taking.owner, []).extend(free)
            covered += free
    return {owner: sorted(at) for owner, at in found.items()}


def _named(text: str, spec: Spec) -> list[Span]:
    """In the request itself: the values, and the names of who is to be forgotten altogether."""
    words = list(spec.values)
    if spec.reach is not None:
        words += [spec.reach.target.value] if spec.reach.target.value else []
        if not spec.reach.attributes:
            words += [
                name
                for name in spec.reach.names
                if not name.startswith(("我", "你", "您", "my ", "our ", "your "))
            ]
    exact = Spec(reach=None, values=frozenset(words))
    pattern = pattern_of([word for word in words if len(word.strip()) > 1])
    at = [match.span() for match in pattern.finditer(text)] if pattern else []
    return sorted(
        {*at, *(span for span in spans(text, exact) if not any(low <= span[0] < high for low, high in at))}
    )


def _minus(span: Span, covered: Iterable[Span]) -> list[Span]:
    parts = [span]
    for low, high in covered:
        parts = (
            [
                piece
                for start, end in parts
                for piece in ((start, min(end, low)), (max(start, high), end))
                if piece[0] < piece[1]
            ]
            if any(start < high and low < end for start, end in parts)
            else parts
        )
    return parts


_DISTINCT = frozenset({"key", "slot_key"})
"""Columns in which no two masked texts of one batch are to be the same."""


def fitting(
    texts: TextHolder,
    subject_id: uuid.UUID,
    row: Row,
    text: str,
    found: Sequence[Span],
    given: set[tuple[str, str]] | None = None,
) -> tuple[str, str]:
    """The first mark with which the column takes the masked text, and that text; `given` are those that others got."""
    marks = marks_for(text, row[1])
    for mark in marks:
        left = masked(text, found, mark)
        if row[2] in _DISTINCT and given is not None:
            if (row[2], left) in given:
                continue
            given.add((row[2], left))
        if texts.fits(subject_id, row[1], row[2], left):
            return mark, left
    return marks[-1], masked(text, found, marks[-1])
