"""The quick start of docs/api/openai.md, run as it stands."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from tests.sessions_app.openai.conftest import Door
from tests.support.site import KEYS, ROOT, _moved
from tests.support.worker import worker


def test_the_quick_start_runs(door: Door, tmp_path: Path) -> None:
    text = (ROOT / "docs" / "api" / "openai.md").read_text()
    code = "\n".join(re.findall(r"^```python\n(.*?)^```", text, re.S | re.M))
    url = _moved(os.environ["DATABASE_URL"], door.site.database.name)
    with worker(tmp_path / "worker.log", **{**KEYS, "DATABASE_URL": url}):
        run = subprocess.run(
            [sys.executable, "-c", code],
            env={"MEMORYHUB_URL": door.site.url, "MEMORYHUB_API_KEY": door.key, "PATH": ""},
            capture_output=True,
            text=True,
            timeout=200,
            check=False,
        )
    assert run.returncode == 0, run.stderr
    assert "jasmine" in run.stdout and "read" in run.stdout
