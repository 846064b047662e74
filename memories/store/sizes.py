"""How large a subject's index is: what a search of a large one needs to know beforehand, counted anew each minute."""

from __future__ import annotations

import threading
import time
import uuid
from dataclasses import dataclass

from memories.core.names import LENGTH_TERM
from memories.models import Posting
from memoryhub.common.db import read_alone

SECONDS = 60.0
"""How old a count may be: a subject that grew past the limit meanwhile is searched exactly for a while longer."""
MOST = 20_000
"""Subjects whose counts this process keeps."""


@dataclass(frozen=True, slots=True)
class Size:
    """Items with postings, and the mean number of their terms (at least 1)."""

    items: int
    mean_length: float


_cache: dict[tuple[uuid.UUID, uuid.UUID], tuple[float, Size]] = {}
_lock = threading.Lock()


def size_of(tenant_id: uuid.UUID, subject_id: uuid.UUID) -> Size:
    """The subject's size, at most SECONDS old."""
    key = (tenant_id, subject_id)
    with _lock:
        found = _cache.get(key)
    if found is not None and found[0] > time.monotonic():
        return found[1]
    sql = (
        f"SELECT count(*), greatest(coalesce(avg(length), 1), 1)::float8 FROM {Posting._meta.db_table} "
        "WHERE tenant_id = %s AND subject_id = %s AND term = %s"
    )
    row = read_alone(tenant_id, sql, [*key, LENGTH_TERM])[0]  # An aggregate always returns a row.
    size = Size(row[0], row[1])
    with _lock:
        if len(_cache) >= MOST:
            _cache.clear()
        _cache[key] = (time.monotonic() + SECONDS, size)
    return size


def forget_cached() -> None:
    """Count again at the next call."""
    with _lock:
        _cache.clear()
