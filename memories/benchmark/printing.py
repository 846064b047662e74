"""The lines of a case as a table for people."""

from __future__ import annotations

from collections.abc import Sequence

from memories.benchmark.cases import Line


def table(lines: Sequence[Line]) -> str:
    """One row a line: case, over what, its figures in their order, and what the ratios are to."""
    if not lines:
        return "nothing was measured"
    names = list(dict.fromkeys(name for line in lines for name in line.figures))
    head = ["case", "over", *names, "floor"]
    rows = [
        [line.case, line.over, *(_number(line.figures.get(name)) for name in names), line.floor]
        for line in lines
    ]
    widths = [max(len(row[at]) for row in [head, *rows]) for at in range(len(head))]
    made = [
        "  ".join(
            cell.ljust(width) if at in (0, 1) else cell.rjust(width)
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in [head, *rows]
    ]
    made.insert(1, "-" * len(made[0]))
    return "\n".join(line.rstrip() for line in made)


def _number(value: float | None) -> str:
    if value is None:
        return ""
    return f"{value:,.0f}" if abs(value) >= 1000 or value == int(value) else f"{value:.3g}"
