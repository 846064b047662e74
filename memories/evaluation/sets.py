"""Which of a suite's sets stand in the data folder, and what was asked for that does not."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from memories.evaluation.datasets import find_file
from memories.evaluation.suites import CannotMeasure, SuiteOptions


def sets_there(options: SuiteOptions, suite: str, needs: Mapping[str, str]) -> dict[str, Path]:
    """The folders of the suite's sets that have their file for this split, by name, in the order of `needs`.

    `needs` names each set's file, "q" for SPLIT.q.jsonl, "" for SPLIT.jsonl. A set that is not there is left out, unless
    it was asked for by name: that, and no set at all, is CannotMeasure.
    """
    if options.data is None:
        raise CannotMeasure(f"the {suite} suite needs --data DIR")
    wanted = [name for name in needs if not options.sets or name in options.sets]
    there = {name: options.data / name for name in wanted if _has(options, name, needs[name])}
    lacking = [name for name in options.sets if name in needs and name not in there]
    if lacking or not there:
        names = ", ".join(lacking or options.sets or needs)
        raise CannotMeasure(
            f"{options.data} holds none of: {names}"
            if not there
            else f"{options.data} does not hold {names} for the split {options.split}"
        )
    return there


def _has(options: SuiteOptions, name: str, kind: str) -> bool:
    file = f"{options.split}.{kind}" if kind else options.split
    return options.data is not None and find_file(options.data / name, file) is not None
