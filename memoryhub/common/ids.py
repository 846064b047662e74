"""Ids made in Python: time-ordered UUIDv7, so that b-trees stay compact and PostgreSQL 16 suffices."""

from __future__ import annotations

import os
import threading
import time
import uuid
from datetime import UTC, datetime


class _Clock:
    """The (millisecond, counter) pair that was handed out last; one a process."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._ms, self._counter = 0, 0

    def next(self) -> tuple[int, int]:
        with self._lock:
            now_ms = time.time_ns() // 1_000_000
            if now_ms > self._ms:
                self._ms, self._counter = now_ms, int.from_bytes(os.urandom(1), "big")
            elif self._counter == 0xFFF:
                self._ms, self._counter = self._ms + 1, 0
            else:
                self._counter += 1
            return self._ms, self._counter


_clock = _Clock()


def uuid7() -> uuid.UUID:
    """A UUIDv7 (RFC 9562, 5.7): 48 bits of milliseconds, 12 bits of counter, 62 random bits.

    Within one process the ids are strictly increasing, also inside one millisecond.
    """
    ms, counter = _clock.next()
    rand = int.from_bytes(os.urandom(8), "big") & ((1 << 62) - 1)
    return uuid.UUID(int=(ms << 80) | (0x7 << 76) | (counter << 64) | (0b10 << 62) | rand)


def uuid_of(text: str) -> uuid.UUID | None:
    """The id that a text spells, None where it spells none."""
    try:
        return uuid.UUID(text)
    except ValueError:
        return None


def first_uuid7_at(moment: datetime) -> uuid.UUID:
    """Lower than every id that was made at that millisecond or later, higher than all before: to compare with, not to use."""
    return uuid.UUID(int=int(moment.timestamp() * 1000) << 80)


def made_at(made: uuid.UUID) -> datetime:
    """When the id was made, to the millisecond."""
    return datetime.fromtimestamp((made.int >> 80) / 1000, tz=UTC)


UUID7_SQL = (
    "encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid()) PLACING "
    "substring(int8send(floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint) FROM 3) FROM 1 FOR 6), 52, 1), 53, 1), 'hex')::uuid"
)
"""An expression that gives each row of a statement such an id: the time over a random one, its version changed from 4 to 7.

Unlike uuid7() it counts nothing: ids of one millisecond, as the rows of one statement have, stand in no order."""
