"""Charts as SVG made on the server: no script, no inline style, each mark with its number in words and, if wanted, a link."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

WIDTH, HEIGHT = 640, 160
PLOT = 120
"""The height of the plot in units of the drawing; below it stand the labels."""
SPAN = 44
"""The height of one interval with its label."""
MOST_LABELS = 12
GAP = 6
EDGE = 36
"""How near to the edge the middle of a label may stand, or it would be cut off."""


@dataclass(frozen=True)
class Mark:
    """One value, None where there is none: its label on the axis, what a reader is told of it, and where a click leads."""

    label: Any
    value: float | None
    told: Any
    url: str = ""


@dataclass(frozen=True)
class Span:
    """An interval on a scale that has a zero: its label, the value within it, and what a reader is told."""

    label: Any
    low: float
    value: float
    high: float
    told: Any


def bars(title: Any, marks: Sequence[Mark]) -> SafeString:
    """Vertical bars from zero, as wide as the page allows; the same numbers as a list for who reads no picture."""
    if not marks:
        return _frame(title, SafeString(""), marks)
    most = max(0, *(_height(mark) for mark in marks)) or 1
    step = WIDTH / len(marks)
    drawn = format_html_join(
        "",
        "{}",
        (
            (
                _linked(
                    mark,
                    format_html(
                        '<rect class="mark" x="{}" y="{}" width="{}" height="{}"><title>{}</title></rect>',
                        _n(number * step + step * 0.1),
                        _n(PLOT - max(_height(mark), 0) / most * PLOT),
                        _n(step * 0.8),
                        _n(max(_height(mark), 0) / most * PLOT),
                        mark.told,
                    ),
                ),
            )
            for number, mark in enumerate(marks)
        ),
    )
    return _frame(title, SafeString(drawn + _labels([mark.label for mark in marks], step, step / 2)), marks)


def curve(
    title: Any, marks: Sequence[Mark], *, top: float = 0, floor: float | None = None, floor_told: Any = ""
) -> SafeString:
    """A line through evenly spaced values, broken where there is none; `floor` draws a threshold across, `top` fixes the scale's upper end."""
    if not marks:
        return _frame(title, SafeString(""), marks)
    most = max([top, *(_height(mark) for mark in marks), floor or 0]) or 1
    step = WIDTH / max(len(marks) - 1, 1)
    pieces: list[list[tuple[str, str, Mark]]] = [[]]
    for number, mark in enumerate(marks):
        if mark.value is None:
            pieces.append([])
        else:
            pieces[-1].append((_n(number * step), _n(PLOT - mark.value / most * PLOT), mark))
    points = [point for piece in pieces for point in piece]
    line = format_html_join(
        "",
        '<polyline class="line" points="{}"></polyline>',
        ((" ".join(f"{x},{y}" for x, y, _ in piece),) for piece in pieces if len(piece) > 1),
    )
    dots = format_html_join(
        "",
        "{}",
        (
            (
                _linked(
                    mark,
                    format_html(
                        '<circle class="mark" cx="{}" cy="{}" r="4"><title>{}</title></circle>',
                        x,
                        y,
                        mark.told,
                    ),
                ),
            )
            for x, y, mark in points
        ),
    )
    threshold = SafeString("")
    if floor is not None:
        height = _n(PLOT - floor / most * PLOT)
        threshold = format_html(
            '<line class="floor" x1="0" x2="{}" y1="{}" y2="{}"><title>{}</title></line>',
            WIDTH,
            height,
            height,
            floor_told,
        )
    labels = _labels([mark.label for mark in marks], step, 0)
    return _frame(title, SafeString(threshold + line + dots + labels), marks)


def spans(title: Any, rows: Sequence[Span]) -> SafeString:
    """Intervals below each other around a line at zero, which stands in the middle; each with its label above it."""
    reach = max((abs(end) for row in rows for end in (row.low, row.high)), default=0) or 1
    # The outermost end stays within the drawing, with its mark.
    scale = (WIDTH / 2 - 8) / reach

    def at(value: float) -> str:
        return _n(WIDTH / 2 + value * scale)

    drawn = format_html_join(
        "",
        '<text x="0" y="{}">{}</text><line class="line" x1="{}" x2="{}" y1="{}" y2="{}"></line>'
        '<circle class="mark" cx="{}" cy="{}" r="4"><title>{}</title></circle>',
        (
            (y - 14, row.label, at(row.low), at(row.high), y, y, at(row.value), y, row.told)
            for y, row in ((number * SPAN + SPAN - 10, row) for number, row in enumerate(rows))
        ),
    )
    height = len(rows) * SPAN
    zero = format_html('<line class="floor" x1="{}" x2="{}" y1="0" y2="{}"></line>', at(0), at(0), height)
    marks = [Mark(row.label, row.value, row.told) for row in rows]
    return _frame(title, SafeString(zero + drawn), marks, height=height)


def _frame(title: Any, drawn: SafeString, marks: Sequence[Mark], *, height: int = HEIGHT) -> SafeString:
    """The picture, and below it its numbers in words."""
    told = format_html_join(
        "",
        "<li>{}</li>",
        (
            (format_html('<a href="{}">{}</a>', mark.url, mark.told) if mark.url else mark.told,)
            for mark in marks
        ),
    )
    return format_html(
        '<figure class="chart"><figcaption>{}</figcaption>'
        '<svg viewBox="0 0 {} {}" role="{}" aria-label="{}">{}</svg>'
        '<details class="chart-numbers"><summary>{}</summary><ul>{}</ul></details></figure>',
        title,
        WIDTH,
        height,
        # A picture may hold nothing to click on.
        "group" if any(mark.url for mark in marks) else "img",
        title,
        drawn,
        title,
        told,
    )


def _labels(labels: Sequence[Any], step: float, first: float) -> SafeString:
    """At most MOST_LABELS of them and as many as find room, so that none stands on another and none is cut off."""
    broad = max((_breadth(str(label)) for label in labels), default=0)
    edge = max(EDGE, broad / 2)
    placed: list[tuple[float, Any]] = []
    for number in range(0, len(labels), -(-len(labels) // MOST_LABELS) or 1):
        at = min(max(first + number * step, edge), WIDTH - edge)
        if not placed or at - placed[-1][0] >= broad + GAP:
            placed.append((at, labels[number]))
    return format_html_join(
        "",
        '<text x="{}" y="{}" text-anchor="middle">{}</text>',
        ((_n(at), PLOT + 20, label) for at, label in placed),
    )


def _breadth(text: str) -> float:
    """How wide a label is at most, in units of the drawing."""
    return sum(6.5 if char.isascii() else 11.5 for char in text)


def _linked(mark: Mark, drawn: SafeString) -> SafeString:
    return format_html('<a href="{}">{}</a>', mark.url, drawn) if mark.url else drawn


def _height(mark: Mark) -> float:
    return mark.value or 0


def _n(number: float) -> str:
    """A number of the drawing, in no language's notation."""
    return f"{number:.1f}"
