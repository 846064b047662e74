"""Runs the Python blocks of a page of docs/api as they stand, against a running site."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pytest_django import DjangoDbBlocker

from tests.support.site import KEYS, ROOT, Site, _moved, site_database
from tests.support.worker import worker


def python_of(page: str) -> str:
    """The Python blocks of docs/api/<page>.md, one after the other."""
    text = (ROOT / "docs" / "api" / f"{page}.md").read_text(encoding="utf-8")
    return "\n".join(re.findall(r"^```python\n(.*?)^```", text, re.S | re.M))


def run(code: str, **environment: str) -> str:
    """What a fresh Python prints that runs the code with nothing else in its environment; it has to end well."""
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env={"PATH": "", **environment},
        capture_output=True,
        text=True,
        timeout=200,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@contextmanager
def site_with_worker(
    blocker: DjangoDbBlocker, folder: Path, scopes: tuple[str, ...] = ("read", "write"), **variables: str
) -> Iterator[dict[str, str]]:
    """A site of its own with a real worker: the address and a key of those scopes, as the pages read them from the environment."""
    with blocker.unblock(), site_database() as database:
        house = database.house("acme", "en")
        with database.in_use():
            key = house.key(*scopes)
        site = Site(database, folder)
        site.start()
        url = _moved(os.environ["DATABASE_URL"], database.name)
        try:
            with worker(folder / "worker.log", **{**KEYS, **variables, "DATABASE_URL": url}):
                yield {"MEMORYHUB_URL": site.url, "MEMORYHUB_API_KEY": key}
        finally:
            site.stop()
