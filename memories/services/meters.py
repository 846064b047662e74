"""Meters for Prometheus: recall's time in this process; the queue and the sweeps, which workers note where every process reads it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from django.core.cache import cache
from prometheus_client import REGISTRY, Histogram
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from memories.models import SweepRun

RECALL_SECONDS = Histogram(
    "memoryhub_recall_seconds",
    "Time of a recall, its trace included",
    buckets=(0.005, 0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12),
)
QUEUE, SWEEPS = "memoryhub:meters:queue", "memoryhub:meters:sweeps"
QUEUE_SECONDS = 300
"""Beat counts each 30 seconds: an older number would say that all is well while it stands still, so there is none then."""


def note_queue(due: int) -> None:
    """How many jobs of all tenants were due when beat last looked (of one tenant it looks at 500)."""
    cache.set(QUEUE, due, QUEUE_SECONDS)


def note_sweeps(runs: Iterable[SweepRun]) -> None:
    """Add what the sweeps of all tenants took and looked at."""
    so_far = cache.get(SWEEPS) or {"runs": 0, "taken": 0, "examined": 0, "at": 0.0}
    for run in runs:
        rules = run.counts.get("rules", {})
        so_far["runs"] += 1
        so_far["taken"] += sum(number for kinds in rules.values() for number in kinds.values())
        so_far["examined"] += int(run.counts.get("examined", 0))
        so_far["at"] = max(so_far["at"], run.started_at.timestamp())
    cache.set(SWEEPS, so_far, None)


class Noted(Collector):
    """What was noted last, at each scrape; nothing where nothing was, or where the cache was emptied."""

    def describe(self) -> Iterable[Metric]:
        """The names alone: registering asks nobody."""
        return self._metrics(0, {"runs": 0, "taken": 0, "examined": 0, "at": 0.0})

    def collect(self) -> Iterator[Metric]:
        found = cache.get_many([QUEUE, SWEEPS])
        return self._metrics(found.get(QUEUE), found.get(SWEEPS))

    def _metrics(self, due: int | None, sweeps: dict[str, float] | None) -> Iterator[Metric]:
        if due is not None:
            yield GaugeMetricFamily(
                "memoryhub_jobs_due", "Jobs of all tenants that were due when beat looked", value=due
            )
        if sweeps is not None:
            for name, told in (
                ("runs", "Sweeps of tenants that were run"),
                ("taken", "Memories that sweeps let go of"),
                ("examined", "Memories that sweeps looked at"),
            ):
                yield CounterMetricFamily(f"memoryhub_sweep_{name}", told, value=sweeps[name])
            yield GaugeMetricFamily(
                "memoryhub_sweep_last_timestamp_seconds", "When the newest sweep began", value=sweeps["at"]
            )


def register() -> None:
    """Once a process."""
    if not _registered:
        _registered.append(Noted())
        REGISTRY.register(_registered[0])


_registered: list[Noted] = []
