"""Periodic tasks, declared in code; `sync_schedule` writes them to django-celery-beat. Apps above append theirs at ready()."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Crontab:
    """Minute, hour and day of week in UTC, in cron's own words."""

    minute: str = "0"
    hour: str = "*"
    day_of_week: str = "*"


@dataclass(frozen=True, slots=True)
class Periodic:
    """A task by its dotted name, each `every_seconds` or at a crontab's times (exactly one of the two).

    Tasks are idempotent, since several beats may ring for the same time.
    """

    name: str
    task: str
    every_seconds: int | None = None
    crontab: Crontab | None = None

    def __post_init__(self) -> None:
        if (self.every_seconds is None) == (self.crontab is None):
            raise ValueError(f"{self.name}: give every_seconds or crontab")


PERIODIC: list[Periodic] = [
    Periodic("reconcile jobs", "memories.tasks.reconcile_jobs", every_seconds=30),
    Periodic("deliver webhooks", "memories.tasks.reconcile_webhooks", every_seconds=30),
    Periodic("embed what has no vector", "memories.tasks.index_pending", every_seconds=60),
    Periodic("expire slots", "memories.tasks.expire_slots", every_seconds=600),
    Periodic("sweep memories", "memories.tasks.sweep_tenants", crontab=Crontab(minute="17")),
    Periodic("settle and merge", "memories.tasks.tidy_tenants", crontab=Crontab(minute="7", hour="2")),
    Periodic(
        "purge what is past its retention",
        "memories.tasks.purge_tenants",
        crontab=Crontab(minute="41", hour="3"),
    ),
]


def add(periodic: Periodic) -> None:
    """Declare one more; saying the same twice is fine, another under the same name is an error."""
    same = [one for one in PERIODIC if one.name == periodic.name]
    if same and same[0] != periodic:
        raise ValueError(f"two periodic tasks are named {periodic.name}")
    if not same:
        PERIODIC.append(periodic)
