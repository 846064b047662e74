"""Beat's scheduler: the schedule in the database, and a sign of life on each round."""

from __future__ import annotations

import time
from typing import Any

from django_celery_beat.schedulers import DatabaseScheduler

from memoryhub.common.heartbeat import EVERY_SECONDS, mark


class Scheduler(DatabaseScheduler):
    """The database's schedule; marks on each round of beat's loop, which therefore never sleeps longer than a mark lasts."""

    _marked = 0.0

    def tick(self, *args: Any, **kwargs: Any) -> float:
        wait: float = super().tick(*args, **kwargs)
        now = time.monotonic()
        if now - self._marked >= EVERY_SECONDS - 0.5:
            mark("beat")
            self._marked = now
        return min(wait, EVERY_SECONDS)
