"""One `manage.py up` for a home: a file lock that the kernel drops when its holder dies, so that it is never stale."""

from __future__ import annotations

import errno
import fcntl
import json
import os
import time
from pathlib import Path
from typing import IO

from memoryhub.embedded.errors import StartError, of_os_error


class HomeLock:
    """Held by the supervisor for as long as it lives; the file tells who holds it."""

    def __init__(self, home: Path) -> None:
        self._path = home / "up.lock"
        self._file: IO[str] | None = None

    def acquire(self, url: str) -> None:
        """StartError when another process holds it."""
        try:
            file = self._path.open("a+", encoding="utf-8")
            self._path.chmod(0o600)
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise StartError(already_running(self._path.parent)) from None
        except OSError as error:
            if error.errno in {errno.ENOLCK, errno.ENOTSUP}:
                raise StartError(
                    f"The file system of {self._path.parent} has no file locks: put the data on a local disk with MEMORYHUB_HOME."
                ) from None
            raise of_os_error(error, self._path.parent) from None
        file.truncate(0)
        file.write(json.dumps({"pid": os.getpid(), "url": url}))
        file.flush()
        self._file = file

    def release(self) -> None:
        """Let the next one start."""
        if self._file is not None:
            self._file.truncate(0)
            self._file.close()
            self._file = None


def holder(home: Path) -> dict[str, object] | None:
    """{"pid", "url"} of the `up` that runs for this home, or None."""
    path = home / "up.lock"
    try:
        with path.open("r+", encoding="utf-8") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
            except BlockingIOError:
                return _read(file)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise of_os_error(error, home) from None
    return None


def _read(file: IO[str]) -> dict[str, object]:
    """What the holder wrote; it locks first and writes then, so give it a moment."""
    for _ in range(20):
        file.seek(0)
        text = file.read()
        if text:
            found: dict[str, object] = json.loads(text)
            return found
        time.sleep(0.05)
    return {"pid": 0, "url": ""}


def already_running(home: Path) -> str:
    """The line for a second start."""
    found = holder(home) or {}
    return f"MemoryHub already runs here (process {found.get('pid', '?')}, {found.get('url', '')}): use that, or stop it with `make down`."
