"""What a sweep would take now, without taking it: as counts, and memory by memory with the numbers that decide."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import datetime

from django.db import connection

from memories.models import Memory
from memories.store.strength import strength_sql
from memories.store.sweep import Broom, Counts


@dataclass(frozen=True, slots=True)
class Doomed:
    """A memory that would go: by which rule, and the numbers that the rules look at.

    `strength` is the decayed one, `worth` the value that decides above the capacity, `excess` by how many memories its
    subject is above it.
    """

    rule: str
    kind: str
    memory_id: uuid.UUID
    subject_id: uuid.UUID
    expires_at: datetime | None
    created_at: datetime
    strength: float
    worth: float
    excess: int


def preview(broom: Broom) -> tuple[Counts, int]:
    """What would go, by rule and kind, and how many memories were looked at."""
    sql = f"""
        {_plan(broom)}
        SELECT rule, kind, count(*) FROM planned WHERE rule IS NOT NULL GROUP BY 1, 2
        UNION ALL
        SELECT '', '', count(*) FROM planned
    """
    counts: Counts = {}
    examined = 0
    with connection.cursor() as cursor:
        cursor.execute(sql, broom.values)
        for rule, kind, number in cursor.fetchall():
            if not rule:
                examined = number
            else:
                counts.setdefault(rule, {})[kind] = number
    return counts, examined


def doomed(broom: Broom, limit: int) -> list[Doomed]:
    """The memories themselves, by rule, kind and id; at most `limit`."""
    sql = f"""
        {_plan(broom)}
        SELECT rule, kind, id, subject_id, expires_at, created_at, strength, worth, coalesce(excess, 0)
        FROM planned WHERE rule IS NOT NULL ORDER BY rule, kind, id LIMIT %(limit)s
    """
    with connection.cursor() as cursor:
        cursor.execute(sql, broom.values | {"limit": limit})
        return [Doomed(*row) for row in cursor.fetchall()]


def _plan(broom: Broom) -> str:
    """The common part: every current memory with the rule that takes it, null where it stays.

    Without a join: where PostgreSQL knows nothing of a table yet, it would compare every memory with every other.
    """
    return f"""
        WITH judged AS (
            SELECT m.id, m.subject_id, m.kind, m.created_at, m.expires_at, {broom.exempt} AS exempt, {broom.worth} AS worth,
                   {strength_sql(broom.policy)[0]} AS strength,
                   CASE WHEN {broom.ended} THEN 'sweep.ttl'
                        WHEN NOT {broom.exempt} AND {broom.faded} THEN 'sweep.floor' END AS rule
            FROM {Memory._meta.db_table} m WHERE m.tenant_id = %(tenant)s AND m.status = 'current'
        ), ranked AS (
            SELECT j.*,
                   row_number() OVER (
                       PARTITION BY subject_id, rule IS NULL, exempt ORDER BY worth, created_at, id
                   ) AS place,
                   count(*) OVER (PARTITION BY subject_id, rule IS NULL) - %(capacity)s AS excess
            FROM judged j
        ), planned AS (
            SELECT id, subject_id, kind, created_at, expires_at, worth, strength,
                   CASE WHEN rule IS NULL THEN excess END AS excess,
                   CASE WHEN rule IS NULL AND NOT exempt AND place <= excess THEN 'sweep.capacity' ELSE rule END AS rule
            FROM ranked
        )"""
