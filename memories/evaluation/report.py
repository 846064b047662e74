"""What an evaluation prints for people, and writes as JSON for programs."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from memories.evaluation.suites import CannotMeasure, SuiteResult

PROJECT = Path(__file__).resolve().parents[2]


def table(name: str, result: SuiteResult) -> str:
    """The suite's rows under its columns, aligned."""
    if not result.table:
        return name
    rows = [(name, result.columns), *result.table]
    first = max(len(label) for label, _ in rows)
    count = max(len(columns) for _, columns in rows)
    widths = [max(len(columns[at]) for _, columns in rows if at < len(columns)) for at in range(count)]
    lines = []
    for label, columns in rows:
        cells = [column.rjust(widths[at]) for at, column in enumerate(columns)]
        lines.append("  ".join([label.ljust(first), *cells]).rstrip())
    lines.insert(1, "-" * max(len(line) for line in lines))
    return "\n".join(lines)


def write_json(path: Path, results: Mapping[str, SuiteResult]) -> None:
    """{"metrics": {name: number}, "info": {...}} of all suites; CannotMeasure for a value that is no finite number."""
    metrics: dict[str, float] = {}
    info: dict[str, object] = {}
    for name, result in results.items():
        for metric, value in result.metrics.items():
            if not math.isfinite(value):
                raise CannotMeasure(f"{metric} of suite {name} is {value}")
            metrics[metric] = value
        info.update(result.info)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(
        json.dumps({"metrics": metrics, "info": info}, indent=2, ensure_ascii=False) + "\n", encoding="utf-8"
    )


def write_lines(path: Path, rows: Iterable[Mapping[str, Any]]) -> None:
    """One JSON object a line; for what holds texts of the data, so CannotMeasure for a file inside the project."""
    if path.resolve().is_relative_to(PROJECT):
        raise CannotMeasure(f"{path} would hold texts of the data; name a file outside the project")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(
        "".join(json.dumps(row, ensure_ascii=False, default=str) + "\n" for row in rows), encoding="utf-8"
    )
