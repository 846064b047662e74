"""The commands that work before Django can load: up, down, reset, credentials and doctor."""

from __future__ import annotations

import argparse
import contextlib
import os
import shutil
import signal
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from memoryhub.embedded import runtime
from memoryhub.embedded.errors import StartError
from memoryhub.embedded.lock import holder
from memoryhub.embedded.processes import is_running

COMMANDS = ("up", "down", "reset", "credentials", "doctor")
STOP_SECONDS = 45.0


def run(name: str, arguments: Sequence[str]) -> int:
    """Run one of COMMANDS; its exit status. What a person can put right becomes one line on standard error."""
    parser = argparse.ArgumentParser(prog=f"manage.py {name}", description=help_of(name))
    add_arguments(name, parser)
    options = parser.parse_args(arguments)
    try:
        return handle(name, options)
    except StartError as error:
        from memoryhub.embedded.console import Console

        Console().problem(str(error))
        return 1
    except KeyboardInterrupt:
        return 130


def help_of(name: str) -> str:
    """One sentence for the list of commands."""
    return {
        "up": "Start everything and keep it running until Ctrl-C.",
        "down": "Stop what `up` runs.",
        "reset": "Delete this installation's data, after asking.",
        "credentials": "Show who can sign in to the demo, and how.",
        "doctor": "Check this machine and installation, and say what to do.",
    }[name]


def add_arguments(name: str, parser: argparse.ArgumentParser) -> None:
    """The options of a command."""
    if name == "up":
        parser.add_argument("--host", default="127.0.0.1", help="address to listen on")
        parser.add_argument("--port", type=int, default=8000, help="port to listen on")
    if name == "reset":
        parser.add_argument("--yes", action="store_true", help="do not ask")


def handle(name: str, options: argparse.Namespace) -> int:
    """Do what the parsed options say."""
    home = runtime.default_home()
    if name == "up":
        from memoryhub.embedded.up import up

        return up(home, options.host, options.port)
    if name == "down":
        return down(home)
    if name == "reset":
        return reset(home, sure=options.yes)
    if name == "doctor":
        from memoryhub.embedded.doctor import doctor

        return doctor(home)
    from memoryhub.embedded.credentials import credentials_table, read_credentials

    try:
        people = read_credentials(home)
    except PermissionError:
        raise StartError(f"{home} belongs to another user: ask as the one who ran `make up`.") from None
    if not people:
        raise StartError("Nobody yet: `make up` creates the demo people at its first start.")
    print(credentials_table(home))
    return 0


def down(home: Path) -> int:
    """Ask a running `up` to stop and wait until it has; fine when none runs."""
    found = holder(home)
    if found is None:
        print("MemoryHub is not running here.")
        return 0
    pid = int(str(found["pid"]))
    for number, seconds in ((signal.SIGTERM, STOP_SECONDS), (signal.SIGKILL, 30.0)):
        try:
            os.kill(pid, number)
        except ProcessLookupError:
            pass
        except PermissionError:
            raise StartError(
                f"Process {pid} belongs to another user: stop it as the one who started it."
            ) from None
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            if holder(home) is None or not is_running(pid):
                print("MemoryHub has stopped.")
                return 0
            time.sleep(0.1)
    raise StartError(f"Process {pid} does not end: look at it with `ps -p {pid}`.")


def reset(home: Path, *, sure: bool) -> int:
    """Delete the data: the whole folder when it is the default one, else what MemoryHub put there."""
    note = home / "postgres-folder"
    outside = Path(note.read_text(encoding="utf-8").strip()) if note.is_file() else None
    ours = _ours(home) + ([outside] if outside and outside.exists() else [])
    if not ours:
        print(f"Nothing to delete in {home}.")
        return 0
    if not sure and not _confirmed([home, *([outside] if outside else [])]):
        raise StartError("Nothing was deleted. To go ahead without a question: make reset RESET=yes")
    down(home)
    for path in ours:
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path, ignore_errors=False)
        else:
            path.unlink(missing_ok=True)
    with contextlib.suppress(OSError):
        home.rmdir()
    print("Deleted. `make up` starts afresh.")
    return 0


def _ours(home: Path) -> list[Path]:
    if not home.is_dir():
        return []
    if home == runtime.project_root() / ".memoryhub":
        return sorted(home.iterdir())
    # A folder of the operator's choice may hold other things too.
    servers = ("postgres", "valkey", "postgres-folder", "prepared", "up.lock")
    files = (
        runtime.RUNTIME_FILE,
        runtime.SECRETS_FILE,
        "credentials.json",
        "credentials.new",
        "anchors",
        "static",
        "cache",
    )
    names = (*servers, *files)
    return [home / name for name in names if (home / name).exists()]


def _confirmed(folders: list[Path]) -> bool:
    where = " and ".join(map(str, folders))
    print(f"This deletes every memory, account and key in {where}. It cannot be undone.")
    if not sys.stdin.isatty():
        return False
    return input("Type yes to go ahead: ").strip().lower() in {"yes", "是"}
