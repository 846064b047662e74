"""Advisory locks that end with the transaction: one writer a subject, one sweep, one policy editor and one beginning of a
redaction everywhere a tenant."""

from __future__ import annotations

import hashlib
import uuid

from django.db import connection

from accounts.models import Subject
from memoryhub.common.db import current_tenant_id
from memoryhub.common.errors import NotFound


def lock_subject(subject_id: uuid.UUID) -> None:
    """Wait for the subject's other writers.

    Dedup, supersession and keyed replacement all read and then write; a lock a subject makes the two one step. Writers of
    different subjects do not wait for each other. Take it before any row lock of the same subject's memories.

    Raises NotFound for a subject that was erased or is being erased: whatever was begun before writes nothing any more.
    """
    tenant_id = current_tenant_id()
    with connection.cursor() as cursor:
        # Two statements in one trip, not one: the second must see what was committed while the first waited.
        cursor.execute(
            f"SELECT pg_advisory_xact_lock(%s);"
            f" SELECT 1 FROM {Subject._meta.db_table} WHERE tenant_id = %s AND id = %s AND erased_at IS NULL",
            [_key("subject", tenant_id, subject_id), tenant_id, subject_id],
        )
        cursor.nextset()
        if cursor.fetchone() is None:
            raise NotFound("no such subject")


def lock_any_subject(subject_id: uuid.UUID) -> None:
    """The same for the erasure itself, whatever the subject's state."""
    _wait(_key("subject", current_tenant_id(), subject_id))


def lock_policy() -> None:
    """Wait for other editors of the tenant's policy, so that version numbers have no gap and no double."""
    _wait(_key("policy", current_tenant_id()))


def lock_redaction() -> None:
    """Wait for others who begin a redaction over the whole tenant: only one is at work at a time."""
    _wait(_key("redaction", current_tenant_id()))


def try_lock_sweep() -> bool:
    """True when no other sweep of the tenant is inside a batch just now."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_xact_lock(%s)", [_key("sweep", current_tenant_id())])
        row = cursor.fetchone()
    return bool(row and row[0])


def _wait(key: int) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [key])


def _key(name: str, *ids: uuid.UUID) -> int:
    """A signed 64-bit number; a collision only makes two writers wait for each other."""
    digest = hashlib.blake2b(name.encode() + b"".join(one.bytes for one in ids), digest_size=8).digest()
    return int.from_bytes(digest, "big", signed=True)
