"""The registry of benchmark cases: apps above register theirs, so that arrows stay down."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from memories.benchmark.store import Store


@dataclass(frozen=True, slots=True)
class Options:
    """What the command line asked for: rounds of each timing, rows of bulk cases, and whether to print the growth table."""

    rounds: int = 200
    rows: int = 2_000


@dataclass(slots=True)
class Line:
    """One measurement: what, over what, its figures (milliseconds, rows a second, ratios) and the target where there is one."""

    case: str
    over: str
    figures: dict[str, float]
    floor: str
    note: str = ""


@dataclass(slots=True)
class Result:
    """Lines of one case, with whatever else belongs into the JSON."""

    lines: list[Line] = field(default_factory=list)
    info: dict[str, Any] = field(default_factory=dict)


Runner = Callable[[Store, Options], Result]
CASES: dict[str, Runner] = {}


def recall(store: Store, options: Options) -> Result:
    """Recall beside the exact floor; imported when it is run."""
    from memories.benchmark.recall_case import run

    return run(store, options)


def remember(store: Store, options: Options) -> Result:
    """Remember beside the embedder alone."""
    from memories.benchmark.write_cases import remembering

    return remembering(store, options)


def importing(store: Store, options: Options) -> Result:
    """Bulk import with given vectors beside COPY into tables with the same indexes."""
    from memories.benchmark.write_cases import importing as run

    return run(store, options)


def sweep(store: Store, options: Options) -> Result:
    """A sweep beside one UPDATE of the same rows."""
    from memories.benchmark.sweep_case import run

    return run(store, options)


def admin(store: Store, options: Options) -> Result:
    """The operators' pages; beside no floor, but beside themselves in a smaller store."""
    from memories.benchmark.admin_case import run

    return run(store, options)


def register(name: str, runner: Runner) -> None:
    """Make a case known; ValueError when the name is taken by another runner."""
    if CASES.get(name, runner) is not runner:
        raise ValueError(f"there is a benchmark case {name!r} already")
    CASES[name] = runner


register("recall", recall)
register("remember", remember)
register("import", importing)
register("sweep", sweep)
register("admin", admin)
