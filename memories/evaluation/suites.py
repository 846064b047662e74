"""The registry of evaluation suites: apps above register theirs, so that arrows stay down."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any


class CannotMeasure(Exception):
    """What was asked could not be measured; the command prints it and exits with 1. It names files and sets only."""


@dataclass(frozen=True, slots=True)
class SuiteOptions:
    """What the command line asked for. `limit` caps conversations (or scripts) a set; `data` is needed by data suites.

    `sample` memories a set go, with their source texts, to `sample_file`. `shared` is what suites of one run leave for each
    other, such as conversations that were posted already; it lives as long as the run's database.
    """

    data: Path | None = None
    split: str = "dev"
    limit: int | None = None
    ablate: bool = False
    seed: int = 0
    sets: tuple[str, ...] = ()
    sample: int = 0
    sample_file: Path | None = None
    shared: dict[Any, Any] = field(default_factory=dict, compare=False)


@dataclass(slots=True)
class SuiteResult:
    """Metric names as in the interfaces page, in percent or ratios; `table` rows are (name, columns) for people.

    `failures` tell developers which questions failed and what came first; they hold texts of the data, so they go only to a
    file that was asked for.
    """

    metrics: dict[str, float] = field(default_factory=dict)
    info: dict[str, Any] = field(default_factory=dict)
    columns: tuple[str, ...] = ()
    table: list[tuple[str, tuple[str, ...]]] = field(default_factory=list)
    failures: list[dict[str, Any]] = field(default_factory=list)


Runner = Callable[[SuiteOptions], SuiteResult]
SUITES: dict[str, Runner] = {}


def register(name: str, runner: Runner) -> None:
    """Make a suite known; ValueError when the name is taken by another runner."""
    if SUITES.get(name, runner) is not runner:
        raise ValueError(f"there is an evaluation suite {name!r} already")
    SUITES[name] = runner


def retrieval(options: SuiteOptions) -> SuiteResult:
    """Whether recall finds the turns that hold the answer; imported when it is run."""
    from memories.evaluation.retrieval import run

    return run(options)


def pii(options: SuiteOptions) -> SuiteResult:
    """Whether personal data is found before it is written; imported when it is run."""
    from memories.evaluation.pii import run

    return run(options)


register("retrieval", retrieval)
register("pii", pii)
