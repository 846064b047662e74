"""A tiny process that ends what a supervisor left behind when it died without a chance to clean up (kill -9).

It reads JSON lines from standard input, the other end of which the supervisor alone holds:
`{"watch": pid, "steps": [["INT", 8.0], ...], "group": true}`, `{"forget": pid}`, `{"remove": "/folder"}` and `{"done": true}`.
End of file without `done` means the supervisor is gone. A pipe works on Linux and macOS alike, reaches whole process
groups, and needs no signal from the kernel, which PR_SET_PDEATHSIG ties to the thread that forked.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import sys
import time


def main() -> None:
    """Follow the supervisor's notes until it is done, or gone."""
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        signal.signal(getattr(signal, name), signal.SIG_IGN)
    watched: dict[int, tuple[list[list[object]], bool]] = {}
    folders: list[str] = []
    for line in sys.stdin:
        note = json.loads(line)
        if "watch" in note:
            watched[note["watch"]] = (note["steps"], note["group"])
        elif "forget" in note:
            watched.pop(note["forget"], None)
        elif "remove" in note:
            folders.append(note["remove"])
        elif "done" in note:
            return
    # Latest first: what was started last depends on what was started before.
    for pid, (steps, group) in reversed(list(watched.items())):
        end(pid, steps, group)
    for folder in folders:
        shutil.rmtree(folder, ignore_errors=True)


def end(pid: int, steps: list[list[object]], group: bool) -> None:
    """Send each signal in turn and wait its seconds; the next is sent only to what is still there."""
    for name, seconds in steps:
        if not send(pid, getattr(signal, f"SIG{name}"), group):
            return
        deadline = time.monotonic() + float(str(seconds))
        while time.monotonic() < deadline:
            if not alive(pid, group):
                return
            time.sleep(0.05)


def send(pid: int, number: int, group: bool) -> bool:
    """False when nothing is left to receive it."""
    try:
        os.killpg(pid, number) if group else os.kill(pid, number)
    except (ProcessLookupError, PermissionError):
        return False
    return True


def alive(pid: int, group: bool) -> bool:
    """Whether the process (or any of its group) still runs; a zombie that nobody reaps does not count."""
    if not send(pid, 0, group):
        return False
    if group or not os.path.exists("/proc/self/stat"):  # noqa: PTH110 - nothing but the plainest imports here
        return True
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as file:  # noqa: PTH123
            return file.read().rpartition(")")[2].split()[0] not in {"Z", "X"}
    except OSError:
        return False


if __name__ == "__main__":
    main()
