"""A real Celery worker over the test's database, as a process of its own whose log can be read."""

from __future__ import annotations

import os
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

from django.utils import timezone

from memories.models import Job
from memories.services.jobs import ring_due
from memoryhub.common.db import tenant_transaction
from tests.conftest import owner_connection
from tests.sessions_app.child import ROOT, database_url


@contextmanager
def worker(log: Path, **variables: str) -> Iterator[subprocess.Popen[bytes]]:
    """Running until the block ends; everything that it says goes to the file. `variables` are added to its environment."""
    command = [sys.executable, "-m", "celery", "--app", "memoryhub", "worker", "--pool", "solo"]
    with log.open("wb") as out:
        process = subprocess.Popen(
            [*command, "--without-gossip", "--without-mingle", "--without-heartbeat", "--loglevel", "DEBUG"],
            cwd=ROOT,
            env={**os.environ, "DATABASE_URL": database_url(), "LOG_LEVEL": "DEBUG", **variables},
            stdout=out,
            stderr=out,
        )
    try:
        yield process
    finally:
        process.terminate()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def wait_until_done(tenant_id: uuid.UUID, process: subprocess.Popen[bytes], *, seconds: float = 90) -> None:
    """Until the worker has left no job that is due; rings again for what it missed, as beat does.

    The clock starts again whenever something moved: a busy machine is slow, only a worker that stands still is wrong. A job that
    fails and comes back moves for ever: five times as many seconds are the end of it.
    """
    began = moved = time.monotonic()
    rung, before = 0.0, None
    while left := _open_jobs(tenant_id, timezone.now()):
        assert process.poll() is None, "the worker has ended"
        if left != before:
            moved, before = time.monotonic(), left
        assert time.monotonic() < moved + seconds, f"the worker stands still before {left[:10]}: {_busy()}"
        assert time.monotonic() < began + 5 * seconds, f"the worker comes to no end of {left[:10]}: {_busy()}"
        if time.monotonic() - rung > 3:
            ring_due(timezone.now())
            rung = time.monotonic()
        time.sleep(0.1)


def _open_jobs(tenant_id: uuid.UUID, now: datetime) -> list[tuple[int, str, str, int]]:
    with tenant_transaction(tenant_id):
        due = Job.objects.filter(state__in=["pending", "running"], run_after__lte=now)
        return list(due.order_by("id").values_list("id", "kind", "state", "attempts"))


def _busy() -> list[tuple[object, ...]]:
    """What the database is asked just now and what it waits for, to tell who holds the worker up."""
    sql = """
        SELECT pid, usename, state, wait_event_type, wait_event, pg_blocking_pids(pid), now() - xact_start, left(query, 200)
        FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
    """
    with owner_connection() as owner:
        return list(owner.execute(sql).fetchall())
