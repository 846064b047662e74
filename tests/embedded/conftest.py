"""Real bundled services in a folder of their own, for tests that hurt them."""

from __future__ import annotations

import contextlib
import subprocess
import tempfile
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
        self.postgres.ensure_cluster()
        self.postgres.clear_leftovers()
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                self.postgres.command(), stdout=log, stderr=log, **self.postgres.popen()
            )
        self._reaper.watch(self.process.pid, (("QUIT", 5.0), ("KILL", 1.0)), group=False)
        assert self.postgres.wait_ready(30, lambda: self.process.poll() is not None), self.log.read_text()
        roles.ensure_database(self.postgres)

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
