"""Which recalls looked at a memory, read from the traces of its subject."""

from __future__ import annotations

import json
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import connection

from memories.models import RecallTrace
from memoryhub.common.db import current_tenant_id

LOOKED_THROUGH = 200
"""Traces of a subject that are looked through, newest first. An index over what they considered would cost every recall some
sixty entries; the newest ones by subject are indexed already, and are what an operator asks about."""


@dataclass(frozen=True, slots=True)
class Considered:
    """One recall that had the item among its candidates: the final score, its parts in 0..1, and whether it was used."""

    trace_id: uuid.UUID
    at: datetime
    session_id: uuid.UUID | None
    turn_id: uuid.UUID | None
    query: str
    abstained: bool
    score: float
    scores: dict[str, float]
    used: bool


def recalls_of(subject_id: uuid.UUID, item_id: uuid.UUID, *, limit: int = 20) -> list[Considered]:
    """The newest `limit` recalls that considered the item, among the subject's newest LOOKED_THROUGH; one statement."""
    sql = f"""
        SELECT t.id, t.at, t.session_id, t.turn_id, t.query, t.abstained, one.value
        FROM (
            SELECT * FROM {RecallTrace._meta.db_table}
            WHERE tenant_id = %(tenant)s AND subject_id = %(subject)s ORDER BY at DESC LIMIT {LOOKED_THROUGH}
        ) t
        CROSS JOIN LATERAL jsonb_array_elements(
            CASE jsonb_typeof(t.considered) WHEN 'array' THEN t.considered ELSE '[]' END
        ) one
        WHERE one.value ->> 'id' = %(item)s
        ORDER BY t.at DESC, t.id LIMIT %(limit)s
    """
    values: dict[str, Any] = {
        "tenant": current_tenant_id(),
        "subject": subject_id,
        "item": str(item_id),
        "limit": limit,
    }
    with connection.cursor() as cursor:
        cursor.execute(sql, values)
        return [Considered(*row[:6], **_scores(json.loads(row[6]))) for row in cursor.fetchall()]


def _scores(element: Any) -> dict[str, Any]:
    return {
        "score": float(element.get("score", 0)),
        "scores": dict(element.get("scores", {})),
        "used": bool(element.get("used", False)),
    }


@dataclass(frozen=True, slots=True)
class Use:
    """One recall that had at least one of the items among its candidates; `used` are those that went into its result."""

    trace_id: uuid.UUID
    at: datetime
    turn_id: uuid.UUID | None
    used: frozenset[uuid.UUID]


def uses_of(subject_id: uuid.UUID, item_ids: Sequence[uuid.UUID], *, since: datetime) -> list[Use]:
    """The recalls since then that considered any of the items, newest first, among the subject's newest LOOKED_THROUGH; one statement."""
    sql = f"""
        SELECT t.id, t.at, t.turn_id, array_agg((one.value ->> 'id')::uuid) FILTER (WHERE (one.value ->> 'used')::boolean)
        FROM (
            SELECT id, at, turn_id, considered FROM {RecallTrace._meta.db_table}
            WHERE tenant_id = %(tenant)s AND subject_id = %(subject)s AND at >= %(since)s
            ORDER BY at DESC LIMIT {LOOKED_THROUGH}
        ) t
        CROSS JOIN LATERAL jsonb_array_elements(
            CASE jsonb_typeof(t.considered) WHEN 'array' THEN t.considered ELSE '[]' END
        ) one
        WHERE one.value ->> 'id' = ANY(%(items)s)
        GROUP BY t.id, t.at, t.turn_id ORDER BY t.at DESC, t.id
    """
    values: dict[str, Any] = {
        "tenant": current_tenant_id(),
        "subject": subject_id,
        "since": since,
        "items": [str(one) for one in item_ids],
    }
    with connection.cursor() as cursor:
        cursor.execute(sql, values)
        return [
            Use(trace_id, at, turn_id, frozenset(used or ()))
            for trace_id, at, turn_id, used in cursor.fetchall()
        ]
