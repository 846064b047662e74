"""The slots' one statement: an upsert that loses no concurrent write."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.db import connection

from memories.models import Slot
from memoryhub.common.db import current_tenant_id
from memoryhub.common.ids import uuid7

Row = tuple[str, str, str, float, datetime]
"""kind, key, text, importance in 0..1, end."""


def upsert_slots(
    *, subject_id: uuid.UUID, session_id: uuid.UUID, turn_id: uuid.UUID, rows: Sequence[Row], now: datetime
) -> list[tuple[str, str, int]]:
    """Write the rows in the open tenant transaction, under the subject's lock; (kind, text, sessions) of those that this session brought up anew.

    Of two writes to a key the later one's words stand, whichever comes first; the end never moves back; `mentions`
    counts the sessions that brought it up, one after another.
    """
    table = Slot._meta.db_table
    sql = f"""
        INSERT INTO {table} AS slot (id, tenant_id, subject_id, kind, key, value, importance, mentions,
                                     session_id, turn_id, created_at, updated_at, expires_at)
        SELECT row.id, %s, %s, row.kind, row.key, row.value, row.importance, 1, %s, %s, %s, %s, row.expires_at
        FROM unnest(%s::uuid[], %s::text[], %s::text[], %s::text[], %s::float8[], %s::timestamptz[])
             AS row (id, kind, key, value, importance, expires_at)
        ORDER BY row.kind, row.key
        ON CONFLICT (tenant_id, subject_id, kind, key) DO UPDATE SET
            value = CASE WHEN excluded.updated_at >= slot.updated_at THEN excluded.value ELSE slot.value END,
            turn_id = CASE WHEN excluded.updated_at >= slot.updated_at THEN excluded.turn_id ELSE slot.turn_id END,
            mentions = slot.mentions + (slot.session_id IS DISTINCT FROM excluded.session_id)::int,
            session_id = excluded.session_id,
            importance = GREATEST(slot.importance, excluded.importance),
            updated_at = GREATEST(slot.updated_at, excluded.updated_at),
            expires_at = GREATEST(slot.expires_at, excluded.expires_at)
        RETURNING slot.kind, slot.key, slot.value, slot.mentions
    """  # noqa: S608  (the table's own name)
    kinds, keys, texts, importances, ends = zip(*rows, strict=True)
    values: list[Any] = [
        current_tenant_id(),
        subject_id,
        session_id,
        turn_id,
        now,
        now,
        [uuid7() for _ in rows],
        list(kinds),
        list(keys),
        list(texts),
        list(importances),
        list(ends),
    ]
    before = dict(Slot.objects.filter(subject_id=subject_id, key__in=keys).values_list("key", "session_id"))
    with connection.cursor() as cursor:
        cursor.execute(sql, values)
        written = cursor.fetchall()
    return [(kind, text, mentions) for kind, key, text, mentions in written if before.get(key) != session_id]
