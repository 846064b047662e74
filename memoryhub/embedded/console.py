"""What `manage.py up` prints: steps with their times, and the programs' logs with a coloured prefix."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

_COLOURS = {"postgres": "34", "valkey": "35", "web": "32", "worker": "33", "beat": "36", "setup": "90"}
_WIDTH = max(map(len, _COLOURS))


class Console:
    """Writes whole lines to standard output, and goes on silently when nobody reads them any more."""

    def __init__(self) -> None:
        self._colour = sys.stdout.isatty() and not os.environ.get("NO_COLOR")

    def log(self, name: str, line: str) -> None:
        """A line of a program's own log."""
        prefix = f"{name:<{_WIDTH}} |"
        if self._colour:
            prefix = f"\x1b[{_COLOURS.get(name, '37')}m{prefix}\x1b[0m"
        self.say(f"{prefix} {line}")

    def say(self, text: str = "") -> None:
        """A line of our own."""
        try:
            print(text, flush=True)
        except (BrokenPipeError, ValueError):
            # The reader has gone (`make up | head`): keep serving, and let the interpreter end without a complaint.
            sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123

    def problem(self, text: str) -> None:
        """Why it does not go on; on standard error, in one line."""
        line = " ".join(text.split())
        print(f"\x1b[31m{line}\x1b[0m" if self._colour else line, file=sys.stderr, flush=True)

    @contextmanager
    def step(self, text: str) -> Iterator[None]:
        """Announce a step that takes a while, and say afterwards how long it took."""
        started = time.monotonic()
        self.log("setup", f"{text} ...")
        yield
        self.log("setup", f"{text}: {time.monotonic() - started:.1f} s")
