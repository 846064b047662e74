"""A throw-away PostgreSQL and Valkey for tests and evaluations: fast, private, and gone afterwards however the process ends."""

from __future__ import annotations

import atexit
import contextlib
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from memoryhub.embedded import places, postgres, roles, runtime, valkey
from memoryhub.embedded.errors import StartError
from memoryhub.embedded.processes import Reaper, Steps

# Nothing is worth saving: an immediate shutdown.
_STOP_POSTGRES: Steps = (("QUIT", 5.0), ("KILL", 2.0))

RuntimeEnv = dict[str, str]

KEPT = "memoryhub-bench"
"""The folder whose data stays, one a user of the machine."""


@dataclass
class _Running:
    folder: Path
    owner_pid: int
    reaper: Reaper
    processes: list[tuple[subprocess.Popen[bytes], Steps]] = field(default_factory=list)
    kept: bool = False


_running: dict[Path, _Running] = {}


def start_services(home: Path, *, keep: bool = False) -> RuntimeEnv:
    """Start both services and return their addresses and fresh secrets, ready for `os.environ.update`.

    They end, and their data goes, with `stop_services(home)` or with this process, in whatever way it dies. The data
    stands in a folder of our own rather than in `home`, which an unprivileged server user may not be able to enter.
    With `keep` that folder is KEPT in the temporary folder, with what is in it already, and stays.
    """
    home = home.resolve()
    if home in _running:
        raise StartError(f"Throw-away services already run for {home}.")
    user = places.server_user()
    folder = _folder_for(user, kept=keep)
    running = _running[home] = _Running(folder, os.getpid(), Reaper(), kept=keep)
    if not keep:
        running.reaper.remove(folder)
    atexit.register(_stop_at_exit, home)
    try:
        return _start(running, user)
    except BaseException:
        stop_services(home)
        raise


def stop_services(home: Path) -> None:
    """End the services of `home` and delete their data; nothing when none run."""
    running = _running.pop(home.resolve(), None)
    if running is None:
        return
    for process, steps in reversed(running.processes):
        for name, seconds in steps:
            process.send_signal(getattr(signal, f"SIG{name}"))
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(timeout=seconds)
                break
        running.reaper.forget(process.pid)
    if not running.kept:
        shutil.rmtree(running.folder, ignore_errors=True)
    running.reaper.done()


@contextlib.contextmanager
def ephemeral_services(home: Path | None = None) -> Iterator[RuntimeEnv]:
    """`start_services` around a block."""
    with contextlib.ExitStack() as stack:
        key = home or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="memoryhub-")))
        environment = start_services(key)
        stack.callback(stop_services, key)
        yield environment


def start_for_measurement(*, keep: bool = False) -> None:
    """Services and settings for a command that measures in a database of its own; they end with this process.

    With `keep` the data stays for the next run that asks for it; one such run at a time.
    """
    home = Path(tempfile.mkdtemp(prefix="memoryhub-measure-"))
    atexit.register(shutil.rmtree, home, ignore_errors=True)
    os.environ["MEMORYHUB_HOME"] = str(home)
    os.environ.setdefault("LOG_LEVEL", "WARNING")
    os.environ.update(start_services(home, keep=keep))


def _stop_at_exit(home: Path) -> None:
    running = _running.get(home)
    # A fork of this process runs its exit handlers too, and must leave the services alone.
    if running is not None and running.owner_pid == os.getpid():
        stop_services(home)


def _folder_for(user: places.ServerUser, *, kept: bool = False) -> Path:
    """A new folder (or the kept one) that the server's user can reach: in the usual temporary folder, or in the system's."""
    for parent in dict.fromkeys((tempfile.gettempdir(), "/tmp", "/var/tmp")):  # noqa: S108 - random names inside
        if not Path(parent).is_dir() or not os.access(parent, os.W_OK):
            continue
        if kept:
            folder = Path(parent) / f"{KEPT}-{os.getuid()}"
            folder.mkdir(mode=0o711, exist_ok=True)
            if folder.is_symlink() or folder.stat().st_uid != os.getuid():
                raise StartError(f"{folder} is somebody else's: remove it, or set TMPDIR.")
        else:
            folder = Path(tempfile.mkdtemp(prefix="memoryhub-", dir=parent))
        folder.chmod(0o711)
        server = folder / "postgres"
        server.mkdir(exist_ok=kept)
        server.chmod(0o755)
        if user.can_reach(server):
            return folder
        if not kept:
            shutil.rmtree(folder)
    raise StartError(
        f"User {user.name}, who must run PostgreSQL, can reach no temporary folder: set TMPDIR to one it can."
    )


def _start(running: _Running, user: places.ServerUser) -> RuntimeEnv:
    secrets = runtime.ensure_secrets(running.folder)
    database = postgres.Postgres(running.folder / "postgres", user, secrets, throw_away=True)
    broker = valkey.Valkey(running.folder / "valkey", throw_away=True)
    broker.prepare()
    broker_process = _spawn(
        running, "valkey", broker.command(), {"start_new_session": True}, valkey.STOP_STEPS
    )
    database.ensure_cluster()
    if running.kept:
        database.clear_leftovers()
    steps = postgres.STOP_STEPS if running.kept else _STOP_POSTGRES
    database_process = _spawn(running, "postgres", database.command(), database.popen(), steps)
    _wait(running, "postgres", database_process, database.wait_ready)
    _wait(running, "valkey", broker_process, broker.wait_ready)
    roles.ensure_database(database)
    keys = {name: value for name, value in secrets.items() if not name.startswith("POSTGRES_")}
    return {**database.environment(), "REDIS_URL": broker.url, **keys}


def _spawn(
    running: _Running, name: str, command: list[str], options: dict[str, Any], steps: Steps
) -> subprocess.Popen[bytes]:
    with (running.folder / f"{name}.log").open("wb") as log:
        process: subprocess.Popen[bytes] = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            **options,
        )
    running.processes.append((process, steps))
    running.reaper.watch(process.pid, steps, group=False)
    return process


def _wait(
    running: _Running,
    name: str,
    process: subprocess.Popen[bytes],
    wait_ready: Callable[[float, Callable[[], bool]], bool],
) -> None:
    started = time.monotonic()
    if not wait_ready(60.0, lambda: process.poll() is not None):
        log = (running.folder / f"{name}.log").read_text(errors="replace")
        raise StartError(
            f"{name} did not start within {time.monotonic() - started:.0f} s: {postgres.reason(log)}"
        )
