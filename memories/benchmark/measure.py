"""Timing: calls of several contenders by turns, percentiles of each, and what process and tables take."""

from __future__ import annotations

import gc
import resource
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

PERCENTILES = (50, 95, 99)


@dataclass(frozen=True, slots=True)
class Timing:
    """Milliseconds of each call, in the order in which they were made."""

    milliseconds: tuple[float, ...]

    def at(self, percentile: float) -> float:
        """The percentile in milliseconds, 0..100."""
        return float(np.percentile(self.milliseconds, percentile))

    def as_data(self) -> dict[str, float]:
        """p50, p95, p99 and the number of calls."""
        return {**{f"p{p}": round(self.at(p), 3) for p in PERCENTILES}, "calls": len(self.milliseconds)}


def interleaved(
    contenders: Mapping[str, Callable[[int], object]], rounds: int, *, warm: int = 3
) -> dict[str, Timing]:
    """Each contender's timing: in every round each is called once with the round's number, in turning order.

    What else goes on on the machine then meets all of them alike. The garbage collector is off meanwhile, and `warm` rounds
    before the first are not counted.
    """
    names = list(contenders)
    taken: dict[str, list[float]] = {name: [] for name in names}
    collecting = gc.isenabled()
    gc.collect()
    gc.disable()
    try:
        for number in range(-warm, rounds):
            for at in range(len(names)):
                name = names[(at + number) % len(names)]
                started = time.perf_counter()
                contenders[name](number)
                if number >= 0:
                    taken[name].append(1000 * (time.perf_counter() - started))
    finally:
        if collecting:
            gc.enable()
    return {name: Timing(tuple(values)) for name, values in taken.items()}


def ratio(timing: Timing, floor: Timing, percentile: float) -> float:
    """How many times the floor's own percentile, three digits."""
    return round(timing.at(percentile) / max(1e-9, floor.at(percentile)), 3)


def resident_mb() -> float:
    """Memory of this process now, in MB; its peak where the system does not tell."""
    status = Path("/proc/self/status")
    if status.exists():
        for line in status.read_text().splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def shared_of(found: Sequence[Sequence[object]], exact: Sequence[Sequence[object]]) -> float:
    """The mean share of each exact list that is also found, 0..1: recall@k where the exact lists have k entries."""
    shares = [len(set(one) & set(best)) / len(best) for one, best in zip(found, exact, strict=True) if best]
    return float(np.mean(shares)) if shares else 1.0
