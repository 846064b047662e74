"""The two statements on jobs that must be one step each: ask for work, and take it under a lease."""

from __future__ import annotations

import json
import uuid
from datetime import datetime
from typing import Any

from django.db import connection

from memories.models import Job
from memoryhub.common.db import current_tenant_id
from memoryhub.common.ids import uuid7

_TABLE = Job._meta.db_table


def upsert_row(
    *,
    kind: str,
    key: str,
    payload: dict[str, Any],
    subject_id: uuid.UUID | None,
    run_after: datetime,
    now: datetime,
) -> uuid.UUID:
    """The id of the open job (kind, key): made, brought forward, or marked to run again after its present run.

    One that failed before keeps its time: asking again must not shorten its back-off.
    """
    sql = f"""
        INSERT INTO {_TABLE} AS j (id, tenant_id, kind, key, payload, subject_id, state, attempts, run_after,
                                   lease_owner, error_code, created_at)
        VALUES (%s, %s, %s, %s, %s::jsonb, %s, 'pending', 0, %s, '', '', %s)
        ON CONFLICT (tenant_id, kind, key) WHERE state IN ('pending', 'running') DO UPDATE SET
            payload = CASE WHEN j.state = 'running' THEN j.payload || '{{"again": true}}'::jsonb ELSE j.payload END,
            run_after = CASE WHEN j.state = 'running' OR j.attempts > 0 THEN j.run_after
                             ELSE least(j.run_after, excluded.run_after) END
        RETURNING j.id
    """
    values: list[Any] = [
        uuid7(),
        current_tenant_id(),
        kind,
        key,
        json.dumps(payload, default=str),
        subject_id,
        run_after,
        now,
    ]
    with connection.cursor() as cursor:
        cursor.execute(sql, values)
        row = cursor.fetchone()
    assert row is not None  # DO UPDATE always returns the row.
    found: uuid.UUID = row[0]
    return found


def claim_row(*, job_id: uuid.UUID, owner: str, now: datetime, until: datetime) -> bool:
    """Lease the job if it is due, or its lease has lapsed; of two workers one gets it."""
    sql = f"""
        UPDATE {_TABLE} SET state = 'running', attempts = attempts + 1, lease_owner = %s, leased_until = %s
        WHERE tenant_id = %s AND id = %s
          AND ((state = 'pending' AND run_after <= %s) OR (state = 'running' AND leased_until < %s))
    """
    with connection.cursor() as cursor:
        cursor.execute(sql, [owner, until, current_tenant_id(), job_id, now, now])
        return bool(cursor.rowcount == 1)
