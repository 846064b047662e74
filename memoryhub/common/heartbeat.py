"""Signs of life of worker and beat: each says every few seconds, from its own main loop, that it still goes round."""

from __future__ import annotations

import logging
import time
from typing import Any

import redis
from celery import Celery, bootsteps
from celery.signals import worker_init

from memoryhub.common.valkey import valkey

EVERY_SECONDS = 4.0
# Three missed in a row: a process that is gone shows within a quarter of a minute, one slow round does not.
EXPIRES_SECONDS = 14

logger = logging.getLogger(__name__)


def key_of(part: str) -> str:
    """Where `part` ("worker" or "beat") notes its last sign of life."""
    return f"memoryhub:heartbeat:{part}"


def mark(part: str) -> None:
    """Say that `part` lives; a broker that is away is health's own finding, not an error here."""
    try:
        valkey().set(key_of(part), str(int(time.time())), ex=EXPIRES_SECONDS)
    except redis.RedisError:
        logger.warning("heartbeat not delivered", extra={"part": part})


class WorkerHeartbeat(bootsteps.StartStopStep):
    """Marks from the timer of the worker's own event loop: a worker whose loop hangs falls silent."""

    requires = {"celery.worker.components:Timer", "celery.worker.components:Pool"}

    def __init__(self, parent: Any, **options: Any) -> None:
        super().__init__(parent, **options)
        self.timer: Any = None

    def start(self, parent: Any) -> None:
        mark("worker")
        self.timer = parent.timer.call_repeatedly(EVERY_SECONDS, mark, ("worker",), priority=10)

    def stop(self, parent: Any) -> None:
        if self.timer is not None:
            self.timer.cancel()


def install(app: Celery) -> None:
    """Give the app's workers their heartbeat, and refuse to start one with unsafe settings."""
    app.steps["worker"].add(WorkerHeartbeat)
    app.conf.beat_scheduler = "memoryhub.common.beat:Scheduler"
    worker_init.connect(_refuse_unsafe, weak=False)


def _refuse_unsafe(**_kwargs: Any) -> None:
    from django.core.exceptions import ImproperlyConfigured
    from django.db import connections
    from django.utils.module_loading import import_string

    try:
        # By name: `common` lies below the module that knows the project's rules.
        import_string("memoryhub.checks.assert_safe_to_serve")()
    except ImproperlyConfigured as refusal:
        # SystemExit alone passes through Celery's signals.
        raise SystemExit(str(refusal)) from None
    finally:
        connections.close_all()  # The pool's processes are forked from here.
