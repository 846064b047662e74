"""The quick start of docs/api/openai.md, run as it stands."""

from __future__ import annotations

import os
from pathlib import Path

from tests.sessions_app.openai.conftest import Door
from tests.support.quick_start import python_of, run
from tests.support.site import KEYS, _moved
from tests.support.worker import worker


def test_the_quick_start_runs(door: Door, tmp_path: Path) -> None:
    url = _moved(os.environ["DATABASE_URL"], door.site.database.name)
    with worker(tmp_path / "worker.log", **{**KEYS, "DATABASE_URL": url}):
        told = run(python_of("openai"), MEMORYHUB_URL=door.site.url, MEMORYHUB_API_KEY=door.key)
    assert "jasmine" in told and "read" in told
