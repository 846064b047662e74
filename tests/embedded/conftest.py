"""Real bundled services in a folder of their own, for tests that hurt them."""

from __future__ import annotations

import contextlib
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from memoryhub.embedded import places, roles, runtime
from memoryhub.embedded.postgres import Postgres
from memoryhub.embedded.processes import Reaper


class Server:
    """A PostgreSQL of this test alone; `start` and `kill` as often as it likes."""

    def __init__(self, home: Path, reaper: Reaper) -> None:
        places.make_home(home)
        user = places.server_user()
        self.postgres = Postgres(
            places.postgres_folder(home, user), user, runtime.ensure_secrets(home), throw_away=True
        )
        self.log = home / "postgres.log"
        self._reaper = reaper
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Again where it ends at once, as the supervisor does: a killed server's children hold its memory for a moment."""
        self.postgres.ensure_cluster()
        deadline = time.monotonic() + 30
        while not self._started():
            assert time.monotonic() < deadline, self.log.read_text()
            time.sleep(0.2)
        roles.ensure_database(self.postgres)

    def _started(self) -> bool:
        self.postgres.clear_leftovers()
        with self.log.open("ab") as log:
            self.process = process = subprocess.Popen(
                self.postgres.command(), stdout=log, stderr=log, **self.postgres.popen()
            )
        self._reaper.watch(process.pid, (("QUIT", 5.0), ("KILL", 1.0)), group=False)
        return self.postgres.wait_ready(30, lambda: process.poll() is not None)

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def stop(self) -> None:
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(2)
            self.process.wait(20)


@pytest.fixture
def reaper() -> Iterator[Reaper]:
    one = Reaper()
    yield one
    one.done()


@pytest.fixture
def home() -> Iterator[Path]:
    """A home that an unprivileged user can pass through, with a path short enough for sockets."""
    with tempfile.TemporaryDirectory(prefix="mh-", dir="/tmp") as folder:
        Path(folder).chmod(0o711)
        yield Path(folder) / "home"


@pytest.fixture
def server(home: Path, reaper: Reaper) -> Iterator[Server]:
    one = Server(home, reaper)
    yield one
    with contextlib.suppress(Exception):
        one.stop()
