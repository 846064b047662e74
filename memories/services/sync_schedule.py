"""Writes the periodic tasks declared in code to django-celery-beat, and removes those that are declared no more."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django_celery_beat.models import CrontabSchedule, IntervalSchedule, PeriodicTask, PeriodicTasks

from memories.schedule import PERIODIC, Periodic

PREFIX = "memoryhub: "
"""Marks our own rows; what an operator added by hand is left alone."""


def sync_schedule() -> dict[str, int]:
    """Make the rows equal the declarations; numbers of tasks written, unchanged and removed. Idempotent.

    An operator's switch (`enabled`) on one of our rows is kept.
    """
    done = {"written": 0, "unchanged": 0, "removed": 0}
    with transaction.atomic():
        for periodic in PERIODIC:
            done["written" if _write(periodic) else "unchanged"] += 1
        names = [PREFIX + periodic.name for periodic in PERIODIC]
        stale = PeriodicTask.objects.filter(name__startswith=PREFIX).exclude(name__in=names)
        done["removed"] = stale.count()
        stale.delete()
        if done["written"] or done["removed"]:
            PeriodicTasks.update_changed()
    return done


def _write(periodic: Periodic) -> bool:
    """True when the row was made or changed."""
    wanted: dict[str, Any] = {
        "task": periodic.task,
        "interval": None,
        "crontab": None,
        "description": "declared in code",
    }
    if periodic.every_seconds is not None:
        wanted["interval"] = _interval(periodic.every_seconds)
        # A beat that was down for long, or a worker that is, must not leave a queue of the same task behind.
        wanted["expire_seconds"] = max(30, periodic.every_seconds * 2)
    else:
        assert periodic.crontab is not None
        wanted["crontab"], _ = CrontabSchedule.objects.get_or_create(
            minute=periodic.crontab.minute,
            hour=periodic.crontab.hour,
            day_of_week=periodic.crontab.day_of_week,
            day_of_month="*",
            month_of_year="*",
            timezone="UTC",
        )
        wanted["expire_seconds"] = 3600
    name = PREFIX + periodic.name
    row = PeriodicTask.objects.filter(name=name).first()
    if row is not None and all(getattr(row, field) == value for field, value in wanted.items()):
        return False
    row = row or PeriodicTask(name=name)
    for field, value in wanted.items():
        setattr(row, field, value)
    row.save()
    return True


def _interval(seconds: int) -> IntervalSchedule:
    found = IntervalSchedule.objects.filter(every=seconds, period=IntervalSchedule.SECONDS).first()
    return found or IntervalSchedule.objects.create(every=seconds, period=IntervalSchedule.SECONDS)
