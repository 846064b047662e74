"""Ids made in Python: time-ordered UUIDv7, so that b-trees stay compact and PostgreSQL 16 suffices."""

from __future__ import annotations

import os
import threading
import time
import uuid

_lock = threading.Lock()
_last_ms = 0
_counter = 0


def uuid7() -> uuid.UUID:
    """A UUIDv7 (RFC 9562, 5.7): 48 bits of milliseconds, 12 bits of counter, 62 random bits.

    Within one process the ids are strictly increasing, also inside one millisecond.
    """
    global _last_ms, _counter
    with _lock:
        now_ms = time.time_ns() // 1_000_000
        if now_ms > _last_ms:
            _last_ms, _counter = now_ms, int.from_bytes(os.urandom(1), "big")
        else:
            _counter += 1
            if _counter > 0xFFF:
                _last_ms, _counter = _last_ms + 1, 0
        ms, counter = _last_ms, _counter
    rand = int.from_bytes(os.urandom(8), "big") & ((1 << 62) - 1)
    return uuid.UUID(int=(ms << 80) | (0x7 << 76) | (counter << 64) | (0b10 << 62) | rand)
