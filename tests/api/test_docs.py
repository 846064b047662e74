"""The quick start of docs/api/rest.md, run as it stands against a site with a worker."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.support.site import KEYS, ROOT, Site, _moved, site_database
from tests.support.worker import worker


def test_the_quick_start_runs(django_db_setup: None, django_db_blocker: Any, tmp_path: Path) -> None:
    text = (ROOT / "docs" / "api" / "rest.md").read_text(encoding="utf-8")
    code = "\n".join(re.findall(r"^```python\n(.*?)^```", text, re.S | re.M))
    with django_db_blocker.unblock(), site_database() as database:
        house = database.house("acme", "en")
        with database.in_use():
            key = house.key("read", "write")
        site = Site(database, tmp_path)
        site.start()
        url = _moved(os.environ["DATABASE_URL"], database.name)
        try:
            with worker(tmp_path / "worker.log", **{**KEYS, "DATABASE_URL": url}):
                run = subprocess.run(
                    [sys.executable, "-c", code],
                    env={"MEMORYHUB_URL": site.url, "MEMORYHUB_API_KEY": key, "PATH": ""},
                    capture_output=True,
                    text=True,
                    timeout=200,
                    check=False,
                )
        finally:
            site.stop()
    assert run.returncode == 0, run.stderr
    assert "Hangzhou" in run.stdout and "done 60 60" in run.stdout
