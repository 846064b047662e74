"""`manage.py up` as a person meets it: from nothing to green, killed in every way, stopped, and started again."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest

from memoryhub.embedded import runtime
from memoryhub.embedded.processes import is_running

pytestmark = [pytest.mark.slow, pytest.mark.timeout(400)]
ROOT = runtime.project_root()


def _environment(home: Path) -> dict[str, str]:
    """The caller's, without the services and secrets that this test run has of its own."""
    ours = {
        "DATABASE_URL",
        "DATABASE_OWNER_URL",
        "REDIS_URL",
        "CELERY_BROKER_URL",
        "DEBUG",
        "DB_POOL",
        "ALLOWED_HOSTS",
    }
    ours |= set(runtime.GENERATED)
    return {
        **{name: value for name, value in os.environ.items() if name not in ours},
        "MEMORYHUB_HOME": str(home),
    }


class Up:
    """One `manage.py up` on a home."""

    def __init__(self, home: Path, port: int) -> None:
        self.home, self.port = home, port
        self.log = home.parent / "up.log"
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> float:
        """Seconds until it says that it is ready."""
        started = time.monotonic()
        self.log.write_bytes(b"")
        with self.log.open("ab") as log:
            command = [sys.executable, "manage.py", "up", "--port", str(self.port)]
            self.process = subprocess.Popen(
                command,
                cwd=ROOT,
                env=_environment(self.home),
                stdout=log,
                stderr=log,
                stdin=subprocess.DEVNULL,
            )
        self.until(lambda: "MemoryHub is ready" in self.said() or self.process.poll() is not None, 200)
        assert self.process.poll() is None, self.said()
        return time.monotonic() - started

    def said(self) -> str:
        return self.log.read_text(errors="replace")

    def health(self) -> tuple[int, dict[str, object]]:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/health", timeout=5) as response:
                return response.status, json.load(response)
        except urllib.error.HTTPError as error:
            return error.code, json.load(error)
        except (OSError, ValueError):
            return 0, {}

    def children(self) -> dict[str, int]:
        """Process ids by program, read from /proc or ps."""
        listing = subprocess.run(
            ["ps", "-eww", "-o", "pid=,ppid=,args="], capture_output=True, text=True, check=True
        ).stdout
        signs = {
            "web": "embedded.web",
            "worker": " worker ",
            "beat": " beat ",
            "postgres": "postgres -D",
            "valkey": "valkey-server",
        }
        found = {}
        for line in listing.splitlines():
            pid, parent, arguments = line.split(None, 2)
            for name, sign in signs.items():
                if int(parent) == self.process.pid and sign in arguments:
                    found[name] = int(pid)
        return found

    def until(self, condition: Callable[[], object], seconds: float) -> None:
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            if condition():
                return
            time.sleep(0.1)
        raise AssertionError(f"not within {seconds} s; it said:\n{self.said()[-3000:]}")

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "manage.py", *arguments]
        return subprocess.run(
            command,
            cwd=ROOT,
            env=_environment(self.home),
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
            timeout=120,
        )


@pytest.fixture(scope="module")
def up() -> Iterator[Up]:
    with tempfile.TemporaryDirectory(prefix="mh-up-", dir="/tmp") as folder:
        Path(folder).chmod(0o711)
        with socket.create_server(("127.0.0.1", 0)) as probe:
            port = probe.getsockname()[1]
        one = Up(Path(folder) / "home", port)
        one.start()
        yield one
        if one.process.poll() is None:
            one.process.send_signal(signal.SIGINT)
            one.process.wait(60)


def test_from_nothing_to_green_and_through_every_kind_of_end(up: Up) -> None:
    """One story, since each start takes seconds: its parts are told apart by their messages."""
    _everything_is_green_and_private(up)
    _a_second_start_is_one_line(up)
    _other_commands_find_the_services(up)
    for name in ("worker", "web", "postgres", "valkey", "beat"):
        _a_killed_program_comes_back(up, name)
    _a_killed_supervisor_takes_everything_with_it(up)
    _the_next_start_cleans_up_and_keeps_the_data(up)
    _down_stops_it_and_leaves_nothing_running(up)
    _a_second_start_skips_what_is_done(up)
    _ctrl_c_ends_it_soundly(up)


def _everything_is_green_and_private(up: Up) -> None:
    status, body = up.health()
    assert (status, body["status"]) == (200, "ok")
    assert set(body["checks"]) == {"database", "broker", "worker", "beat"}
    for name in ("secrets.env", "runtime.env", "credentials.json"):
        assert (up.home / name).stat().st_mode & 0o077 == 0, name
    people = json.loads((up.home / "credentials.json").read_text())
    assert {person["role"] for person in people} == {"admin", "operator", "end_user"}
    assert all(person["password"] in up.said() for person in people), "the first start prints the passwords"


def _a_second_start_is_one_line(up: Up) -> None:
    second = up.run("up", "--port", str(up.port + 1))
    assert second.returncode == 1
    assert re.fullmatch(
        rf"MemoryHub already runs here \(process {up.process.pid}, .*make down`\.\n", second.stderr
    ), second.stderr


def _other_commands_find_the_services(up: Up) -> None:
    shown = up.run("credentials")
    assert "admin@acme.example" in shown.stdout
    checked = up.run("check", "--database", "default")
    assert checked.returncode == 0, checked.stdout + checked.stderr
    # The very role that serves may not pass for an owner.
    url = runtime.load_runtime_env(up.home)["DATABASE_URL"]
    with psycopg.connect(url) as connection:
        assert connection.execute(
            "SELECT count(*) FROM pg_tables WHERE tableowner = current_user"
        ).fetchone() == (0,)


def _a_killed_program_comes_back(up: Up, name: str) -> None:
    before = up.children()[name]
    os.kill(before, signal.SIGKILL)
    up.until(lambda: up.children().get(name, before) != before, 30)
    up.until(lambda: up.health()[0] == 200, 40)


def _a_killed_supervisor_takes_everything_with_it(up: Up) -> None:
    children = up.children()
    assert len(children) == 5
    up.process.kill()
    up.process.wait()
    up.until(lambda: not any(is_running(pid) for pid in children.values()), 40)


def _the_next_start_cleans_up_and_keeps_the_data(up: Up) -> None:
    people = (up.home / "credentials.json").read_text()
    up.start()
    assert (up.home / "credentials.json").read_text() == people
    assert up.health()[0] == 200


def _down_stops_it_and_leaves_nothing_running(up: Up) -> None:
    children = up.children()
    stopped = up.run("down")
    assert (stopped.returncode, stopped.stdout) == (0, "MemoryHub has stopped.\n")
    assert up.process.wait(20) == 0
    up.until(lambda: not any(is_running(pid) for pid in children.values()), 5)
    assert not (up.home / "runtime.env").exists()
    assert up.run("down").stdout == "MemoryHub is not running here.\n"


def _a_second_start_skips_what_is_done(up: Up) -> None:
    up.start()
    assert "Bringing the database up to date" not in up.said()
    password = json.loads((up.home / "credentials.json").read_text())[0]["password"]
    assert password not in up.said()


def _ctrl_c_ends_it_soundly(up: Up) -> None:
    children = up.children()
    up.process.send_signal(signal.SIGINT)
    assert up.process.wait(60) == 0
    assert "database system is shut down" in up.said()
    up.until(lambda: not any(is_running(pid) for pid in children.values()), 5)


def test_a_taken_port_is_one_line_and_starts_nothing(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        result = Up(tmp_path / "home", port).run("up", "--port", str(port))
    assert (result.returncode, result.stdout) == (1, "")
    assert (
        result.stderr
        == f"Port {port} is taken by another program: choose another, `make up PORT={port + 1}`.\n"
    )
    assert not (tmp_path / "home").exists()
