"""What HTTP endpoints say about trying again."""

from __future__ import annotations

from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Final

RETRIED: Final = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
"""Statuses of what may be better in a moment."""


def retry_after(header: str | None, *, now: datetime | None = None) -> float:
    """Seconds that a Retry-After header asks to wait, given as seconds or as a date; 0 without one."""
    value = (header or "").strip()
    try:
        return max(0.0, float(value))
    except ValueError:
        pass
    try:
        at = parsedate_to_datetime(value)
    except ValueError:
        return 0.0
    at = at if at.tzinfo else at.replace(tzinfo=UTC)
    return max(0.0, (at - (now or datetime.now(UTC))).total_seconds())
