"""The one error of starting up: a line that says what is wrong and what to do."""

from __future__ import annotations

import errno
from pathlib import Path


class StartError(Exception):
    """Printed as one line, without a traceback; the process ends with status 1."""


def of_os_error(error: OSError, where: Path | str) -> StartError:
    """What a person can do about a failed file operation."""
    if error.errno == errno.ENOSPC or error.errno == errno.EDQUOT:
        return StartError(f"The disk that holds {where} is full. Free some space there, then start again.")
    if error.errno in {errno.EACCES, errno.EPERM, errno.EROFS}:
        return StartError(
            f"No permission to write in {where}. Make it writable, or put the data elsewhere with MEMORYHUB_HOME=/folder."
        )
    if error.errno in {errno.ENOTDIR, errno.EEXIST}:
        return StartError(
            f"{where} is in the way: a folder is needed there. Move it, or set MEMORYHUB_HOME=/folder."
        )
    return StartError(f"{error.strerror or error} ({where}).")
