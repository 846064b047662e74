"""What a process logs, kept whole: for tests that look for what must not be in it."""

from __future__ import annotations

import logging
from collections.abc import Iterator

import pytest


@pytest.fixture
def log_lines() -> Iterator[list[str]]:
    """What this process logs at any level, with all arguments."""
    lines: list[str] = []

    class Keep(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            lines.append(f"{record.name} {record.getMessage()} {record.args} {record.__dict__}")

    root, handler = logging.getLogger(), Keep(level=logging.DEBUG)
    level = root.level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    yield lines
    root.setLevel(level)
    root.removeHandler(handler)
