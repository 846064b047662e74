"""Waiting for a worker ends, also where a job fails and comes back for ever."""

from __future__ import annotations

import itertools
import subprocess
import sys
import uuid

import pytest

from tests.support import worker


def test_a_job_that_comes_back_for_ever_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    attempts = itertools.count()
    monkeypatch.setattr(worker, "_open_jobs", lambda *_: [(1, "index_memory", "pending", next(attempts))])
    monkeypatch.setattr(worker, "ring_due", lambda _: 0)
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as process:
        try:
            with pytest.raises(AssertionError, match="comes to no end"):
                worker.wait_until_done(uuid.uuid4(), process, seconds=0.3)
        finally:
            process.kill()
