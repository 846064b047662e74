"""Throw-away services leave nothing behind, however their process ends."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import psycopg
import redis

from memoryhub.embedded.ephemeral import ephemeral_services

_SCRIPT = """
import sys, time
from pathlib import Path
from memoryhub.embedded.ephemeral import start_services
print(start_services(Path(sys.argv[1]))["DATABASE_URL"], flush=True)
time.sleep(60)
"""


def _within(seconds: float, condition: object) -> bool:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if condition():
            return True
        time.sleep(0.05)
    return False


def test_both_services_answer_and_vanish_afterwards() -> None:
    with ephemeral_services() as environment:
        with psycopg.connect(environment["DATABASE_URL"]) as connection:
            assert connection.execute("SELECT current_user").fetchone() == ("memoryhub_app",)
            folder = Path(connection.info.host).parent.parent
        assert redis.Redis.from_url(environment["REDIS_URL"]).ping()
        assert all(
            len(environment[name]) >= 32 for name in ("SECRET_KEY", "FIELD_ENCRYPTION_KEY", "AUDIT_KEY")
        )
    assert not folder.exists()


def test_a_killed_process_leaves_neither_servers_nor_data(tmp_path: Path) -> None:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("COV_")}
    with subprocess.Popen(
        [sys.executable, "-c", _SCRIPT, str(tmp_path)], stdout=subprocess.PIPE, env=environment
    ) as process:
        folder = Path(process.stdout.readline().decode().strip().partition("host=")[2]).parent
        pid = int((folder / "data" / "postmaster.pid").read_text().split()[0])
        process.kill()
    assert _within(15, lambda: not folder.parent.exists())
    assert _within(
        5,
        lambda: (
            not Path(f"/proc/{pid}").exists() or "postgres" not in Path(f"/proc/{pid}/cmdline").read_text()
        ),
    )
