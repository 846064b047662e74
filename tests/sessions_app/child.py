"""A second process over the test's database, to be killed: runs a script until it says where it stands."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote, urlencode

from django.db import connection

ROOT = Path(__file__).resolve().parents[2]

PRELUDE = """
import os, sys, time, uuid
from datetime import datetime
import django
django.setup()
from memories.adapters.factory import override
from memories.ports import FixedClock

def stand(*args, **kwargs):
    print("STANDING", flush=True)
    time.sleep(600)

from tests.sessions_app.embedder import WordEmbedder

clock = override(clock=FixedClock(datetime.fromisoformat(sys.argv[1])), embedder=WordEmbedder())
clock.__enter__()
"""


@contextmanager
def child(script: str, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    """The process, standing where its script called `stand()`; killed with SIGKILL at the end."""
    process = subprocess.Popen(
        [sys.executable, "-c", PRELUDE + textwrap.dedent(script), *arguments],
        cwd=ROOT,
        env={**os.environ, "DATABASE_URL": database_url()},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None and process.stderr is not None
        line = process.stdout.readline()
        if line.strip() != "STANDING":
            process.kill()
            raise AssertionError(f"the child did not get there: {line}{process.stderr.read()}")
        yield process
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()


def database_url() -> str:
    """The test database, as the role that the tests run under."""
    database = connection.settings_dict
    where = urlencode({"host": database["HOST"], "port": database["PORT"]})
    user, password = quote(database["USER"]), quote(database["PASSWORD"])
    return f"postgresql://{user}:{password}@/{database['NAME']}?{where}"
