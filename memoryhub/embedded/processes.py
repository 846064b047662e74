"""Facts about processes that are not our children, and the supervisor's end of the reaper."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

Steps = Sequence[tuple[str, float]]

_REAPER = Path(__file__).with_name("reaper.py")


class Reaper:
    """Ends the watched processes when this process dies in any way before `done()`."""

    def __init__(self) -> None:
        self._notes: list[str] = []
        self._process = self._start()

    def watch(self, pid: int, steps: Steps, *, group: bool) -> None:
        """End `pid` (or its process group) by these (signal name, seconds to wait) steps."""
        self._tell({"watch": pid, "steps": list(steps), "group": group})

    def forget(self, pid: int) -> None:
        """`pid` has ended: its number may be another process's soon."""
        self._tell({"forget": pid})

    def remove(self, folder: Path) -> None:
        """Delete the folder after the processes have ended."""
        self._tell({"remove": str(folder)})

    def check(self) -> None:
        """Replace the reaper if somebody killed it; call it now and then."""
        if self._process.poll() is not None:
            self._restart()

    def done(self) -> None:
        """Everything was ended properly."""
        self._tell({"done": True})
        if self._process.stdin:
            self._process.stdin.close()
        self._process.wait(timeout=5)

    def _start(self) -> subprocess.Popen[str]:
        # -I -S: it must not depend on the environment, and starts in a few milliseconds.
        return subprocess.Popen(
            [sys.executable, "-I", "-S", str(_REAPER)],
            stdin=subprocess.PIPE,
            start_new_session=True,
            text=True,
            cwd="/",
        )

    def _tell(self, note: dict[str, object]) -> None:
        self._notes.append(json.dumps(note) + "\n")
        try:
            if self._process.stdin is None or self._process.poll() is not None:
                raise BrokenPipeError
            self._process.stdin.write(self._notes[-1])
            self._process.stdin.flush()
        except BrokenPipeError:
            self._restart()

    def _restart(self) -> None:
        """A new reaper learns all that the old one knew."""
        self._process = self._start()
        if self._process.stdin:
            self._process.stdin.write("".join(self._notes))
            self._process.stdin.flush()


def is_running(pid: int) -> bool:
    """Whether `pid` is a process that still does something: a zombie does not."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return _state(pid) not in {"Z", "X", ""}


def command_of(pid: int) -> str:
    """The command line of a running process, or an empty text."""
    proc = Path(f"/proc/{pid}/cmdline")
    if Path("/proc/self/cmdline").exists():
        try:
            return proc.read_bytes().replace(b"\0", b" ").decode(errors="replace").strip()
        except OSError:
            return ""
    return _ps(pid, "command")


def identity(pid: int) -> str:
    """Tells a process from a later one of the same number: its start time, or an empty text when it is gone."""
    if Path("/proc/self/stat").exists():
        fields = _stat(pid)
        return fields[19] if len(fields) > 19 else ""
    return _ps(pid, "lstart")


def end_stranger(pid: int, steps: Steps, *, group: bool = False) -> bool:
    """End a process that is not our child; True when it no longer runs."""
    for name, seconds in steps:
        number = getattr(signal, f"SIG{name}")
        try:
            os.killpg(pid, number) if group else os.kill(pid, number)
        except ProcessLookupError:
            return True
        except PermissionError:
            return False
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            if not is_running(pid):
                return True
            time.sleep(0.05)
    return not is_running(pid)


def _state(pid: int) -> str:
    if Path("/proc/self/stat").exists():
        fields = _stat(pid)
        return fields[0] if fields else ""
    return _ps(pid, "state")[:1]


def _stat(pid: int) -> list[str]:
    """The fields of /proc/<pid>/stat from the state on; the name before it may hold blanks and brackets."""
    try:
        return Path(f"/proc/{pid}/stat").read_text(errors="replace").rpartition(")")[2].split()
    except OSError:
        return []


def _ps(pid: int, column: str) -> str:
    try:
        result = subprocess.run(
            ["ps", "-ww", "-o", f"{column}=", "-p", str(pid)],
            capture_output=True,
            text=True,
            timeout=5,
            check=False,
        )
    except OSError:
        return ""
    return result.stdout.strip()
