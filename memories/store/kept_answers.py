"""The lock of one caller's key, held by a connection and not by a transaction: it ends with the process that holds it."""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Iterator
from contextlib import contextmanager

import structlog
from django.db import connection

log = structlog.get_logger(__name__)


@contextmanager
def alone_with(tenant_id: uuid.UUID, principal: str, key: str) -> Iterator[bool]:
    """True while nobody else works under the same key. Whoever waits longer than the work takes finds its answer instead."""
    number = _number(tenant_id, principal, key)
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s)", [number])
        row = cursor.fetchone()
    if not row or not row[0]:
        yield False
        return
    held_by = connection.connection
    try:
        yield True
    finally:
        if connection.connection is held_by and not held_by.closed:
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_unlock(%s)", [number])
        else:
            # The connection that held it was lost or closed meanwhile, and the lock with it, or as soon as it is.
            log.warning("kept_answers.lock_left", tenant_id=str(tenant_id))


def let_go_of_connection() -> None:
    """Give the connection back while waiting, so that those who wait do not take those of who works."""
    if not connection.in_atomic_block:
        connection.close()


def _number(tenant_id: uuid.UUID, principal: str, key: str) -> int:
    """A signed 64-bit number; a collision only makes two callers wait for each other."""
    text = f"answer\n{tenant_id}\n{principal}\n{key}".encode()
    return int.from_bytes(hashlib.blake2b(text, digest_size=8).digest(), "big", signed=True)
