"""The sweep in set-based SQL: the rules of core/sweeprules.py and the formulas of core/decay.py over many rows at once."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import connection

from accounts.keyring import hold_keys
from memories.core.kinds import NEVER_SWEPT
from memories.core.policy import Policy
from memories.models import Embedding, Memory, MemoryVersion, Posting, Tombstone
from memories.models.records import VERSIONED_COLUMNS
from memories.store.strength import decay_sql, half_life_sql, strength_sql
from memoryhub.common.db import current_tenant_id
from memoryhub.common.ids import UUID7_SQL

Counts = dict[str, dict[str, int]]
"""Rule to kind to number of memories."""

STATUS = {"sweep.ttl": "expired", "sweep.floor": "archived", "sweep.capacity": "archived"}
CAUSE = {"sweep.ttl": "expired", "sweep.floor": "faded", "sweep.capacity": "capacity"}
_FIRST = uuid.UUID(int=0)


@dataclass(frozen=True, slots=True)
class Broom:
    """What all statements of one sweep share."""

    policy: Policy
    now: datetime
    run_id: uuid.UUID
    actor_kind: str
    actor_id: str
    rows: int | None = None
    """Rows of a batch; the policy's where none are given."""

    @property
    def values(self) -> dict[str, Any]:
        """The named values of every statement."""
        policy = self.policy
        return {
            **half_life_sql(policy)[1],
            "tenant": current_tenant_id(),
            "now": self.now,
            "exempt": [kind.value for kind in NEVER_SWEPT],
            "floor": policy.number("sweep.floor"),
            "young": self.now - timedelta(days=policy.number("sweep.min_age_days")),
            "hit_weight": policy.number("sweep.hit_weight"),
            "capacity": policy.integer("sweep.capacity"),
            "batch": self.rows or policy.integer("sweep.batch"),
            "run": self.run_id,
            "actor_kind": self.actor_kind,
            "actor_id": self.actor_id[:64],
            "purge_after": self.now + timedelta(days=policy.number("tombstone.retention_days")),
        }

    @property
    def ended(self) -> str:
        """Past its own end; a pin holds it until it is taken away."""
        return "(m.expires_at <= %(now)s AND NOT m.pinned)"

    @property
    def exempt(self) -> str:
        return "(m.pinned OR m.kind = ANY(%(exempt)s))"

    @property
    def faded(self) -> str:
        """Weaker than the floor and older than the minimum age."""
        return f"({strength_sql(self.policy)[0]} < %(floor)s::float8 AND m.created_at < %(young)s)"

    @property
    def worth(self) -> str:
        """The retention value that decides who goes when there is too much."""
        half_life, _ = half_life_sql(self.policy)
        return f"(m.importance * {decay_sql(half_life)} + %(hit_weight)s::float8 * m.hits)"


def take_ended(broom: Broom) -> Counts:
    """One batch of unpinned memories past their own end, whatever their kind: the longest ended, as the index has them, so that
    no batch reads and sorts all that the later ones will take."""
    doomed = f"""
        SELECT m.id FROM {Memory._meta.db_table} m
        WHERE m.tenant_id = %(tenant)s AND m.status = 'current' AND {broom.ended}
        ORDER BY m.expires_at LIMIT %(batch)s FOR UPDATE SKIP LOCKED
    """
    return _take(broom, "sweep.ttl", doomed, {})


def take_faded(broom: Broom, after: uuid.UUID | None) -> tuple[Counts, int, uuid.UUID | None]:
    """Looks at the next batch of current memories by id; what went, how many were looked at, and where to go on.

    Walking by id reads every row once, however few of them go; None at the end.
    """
    values = broom.values | {"after": after or _FIRST}
    window = f"""
        SELECT m.id FROM {Memory._meta.db_table} m
        WHERE m.tenant_id = %(tenant)s AND m.id > %(after)s AND m.status = 'current' ORDER BY m.id LIMIT %(batch)s
    """
    with connection.cursor() as cursor:
        # PostgreSQL has no max(uuid) before version 18.
        cursor.execute(f"SELECT count(*), (array_agg(w.id ORDER BY w.id DESC))[1] FROM ({window}) w", values)
        row = cursor.fetchone()
    examined, last = (row[0], row[1]) if row else (0, None)
    if not examined:
        return {}, 0, None
    doomed = f"""
        SELECT m.id FROM {Memory._meta.db_table} m
        WHERE m.tenant_id = %(tenant)s AND m.id > %(after)s AND m.id <= %(last)s AND m.status = 'current'
          AND NOT {broom.exempt} AND {broom.faded} AND (m.expires_at IS NULL OR m.expires_at > %(now)s)
        ORDER BY m.id FOR UPDATE SKIP LOCKED
    """
    return _take(broom, "sweep.floor", doomed, {"after": after or _FIRST, "last": last}), examined, last


def crowded_subjects(broom: Broom) -> list[uuid.UUID]:
    """Subjects with more current memories than the capacity."""
    sql = f"""
        SELECT subject_id FROM {Memory._meta.db_table} m WHERE m.tenant_id = %(tenant)s AND m.status = 'current'
        GROUP BY subject_id HAVING count(*) > %(capacity)s ORDER BY subject_id
    """
    with connection.cursor() as cursor:
        cursor.execute(sql, broom.values)
        return [row[0] for row in cursor.fetchall()]


def take_excess(broom: Broom, subject_id: uuid.UUID) -> Counts:
    """One batch of the subject's least valuable memories above the capacity; the exempt count, but never go."""
    doomed = f"""
        SELECT m.id FROM {Memory._meta.db_table} m
        WHERE m.tenant_id = %(tenant)s AND m.subject_id = %(subject)s AND m.status = 'current' AND NOT {broom.exempt}
        ORDER BY {broom.worth}, m.created_at, m.id
        LIMIT greatest(0, least(%(batch)s, (
            SELECT count(*) FROM {Memory._meta.db_table} c
            WHERE c.tenant_id = %(tenant)s AND c.subject_id = %(subject)s AND c.status = 'current') - %(capacity)s))
        FOR UPDATE SKIP LOCKED
    """
    return _take(broom, "sweep.capacity", doomed, {"subject": subject_id})


def _take(broom: Broom, rule: str, doomed: str, more: Mapping[str, Any]) -> Counts:
    """Move the doomed out of recall: status, version row, tombstone and index in one statement; counts by kind."""
    state = state_sql()
    sql = f"""
        WITH doomed AS MATERIALIZED ({doomed}),
        gone AS (
            UPDATE {Memory._meta.db_table} m SET status = %(status)s, version = m.version + 1, updated_at = %(now)s
            FROM doomed d WHERE m.tenant_id = %(tenant)s AND m.id = d.id RETURNING m.*
        ),
        versions AS (
            INSERT INTO {MemoryVersion._meta.db_table}
                (id, tenant_id, memory_id, number, change, content, content_encrypted, state, actor_kind, actor_id,
                 rule, reason, at)
            SELECT {UUID7_SQL}, m.tenant_id, m.id, m.version, %(status)s, m.content,
                   m.content_encrypted, jsonb_build_object({state}), %(actor_kind)s, %(actor_id)s, %(rule)s, '', %(now)s
            FROM gone m
        ),
        stones AS (
            INSERT INTO {Tombstone._meta.db_table}
                (id, tenant_id, memory_id, subject_id, previous_status, cause, rule, reason, actor_kind, actor_id,
                 run_id, at, purge_after)
            SELECT {UUID7_SQL}, m.tenant_id, m.id, m.subject_id, 'current', %(cause)s, %(rule)s, '',
                   %(actor_kind)s, %(actor_id)s, %(run)s, %(now)s, %(purge_after)s
            FROM gone m
            ON CONFLICT DO NOTHING
        ),
        vectors AS (
            DELETE FROM {Embedding._meta.db_table} e USING doomed d WHERE e.tenant_id = %(tenant)s AND e.item_id = d.id
        ),
        postings AS (
            DELETE FROM {Posting._meta.db_table} p USING doomed d WHERE p.tenant_id = %(tenant)s AND p.item_id = d.id
        )
        SELECT kind, count(*) FROM gone GROUP BY kind
    """
    values = broom.values | {
        "rule": rule,
        "status": STATUS[rule],
        "cause": CAUSE[rule],
        **more,
    }
    hold_keys()  # The version rows copy what is sealed as it is.
    with connection.cursor() as cursor:
        cursor.execute(sql, values)
        found = dict(cursor.fetchall())
    return {rule: found} if found else {}


def state_sql() -> str:
    """The arguments of jsonb_build_object for what a version keeps of the memory `m` (services.versioning.state_of)."""
    return ", ".join(f"'{column}', {_as_json(column)}" for column in VERSIONED_COLUMNS)


_TIMES = {"said_at", "event_start", "event_end", "valid_from", "valid_to", "expires_at"}


def _as_json(column: str) -> str:
    """The column as `versioning.state_of` writes it: times in ISO form in UTC, arrays and objects as they are."""
    if column in _TIMES:
        # Python leaves the microseconds out where they are none.
        return f"""replace(to_char(m.{column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), '.000000', '') || '+00:00'"""
    if column == "tags":
        return "to_jsonb(m.tags)"
    return f"m.{column}"


def merge(into: Counts, more: Counts) -> None:
    """Add the second's numbers to the first."""
    for rule, kinds in more.items():
        target = into.setdefault(rule, {})
        for kind, number in kinds.items():
            target[kind] = target.get(kind, 0) + number
