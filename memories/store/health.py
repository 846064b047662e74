"""The numbers of the health page, each over a bounded sample: a tenant's newest memories and its newest traces."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

import numpy as np
from django.db import connection

from accounts.tenancy import NEWEST
from memories.models import Embedding, Feedback, Job, Memory, RecallTrace, SweepRun
from memoryhub.common.db import current_tenant_id

MEMORIES, TRACES, PAIRS = 10_000, 10_000, 300
"""How many of the newest are looked at."""
ALIKE = 0.95
"""Cosine from which two current memories of one person are near-duplicates."""
SETTLED = timedelta(days=7)
"""A younger memory may still find its use."""


@dataclass(frozen=True, slots=True)
class Recalls:
    """Recalls of one day, or of all days (`day` None): how many, how many abstained or went without vectors, how many rows the context
    got on average, its tokens (mean, p95) and the milliseconds of the recall (p50, p95); None where there was none."""

    day: date | None
    recalls: int
    abstained: int
    degraded: int
    used: float | None
    tokens: float | None
    tokens_p95: float | None
    ms_p50: float | None
    ms_p95: float | None


@dataclass(frozen=True, slots=True)
class Kept:
    """Of the newest memories: how many, how many old enough to judge (SETTLED), and of those never recalled and junk (never recalled,
    and swept away or judged wrong or irrelevant)."""

    memories: int
    settled: int
    never: int
    junk: int


def recalls(since: datetime) -> list[Recalls]:
    """By day, and all together first; one statement over the newest TRACES."""
    sql = f"""
        WITH newest AS (
            SELECT at, abstained, degraded, used_tokens, milliseconds,
                   (SELECT count(*) FROM jsonb_array_elements(
                        CASE jsonb_typeof(considered) WHEN 'array' THEN considered ELSE '[]' END
                    ) one WHERE one.value ->> 'used' = 'true') AS used
            FROM {RecallTrace._meta.db_table}
            WHERE tenant_id = %(tenant)s AND at >= %(since)s ORDER BY at DESC LIMIT {TRACES}
        )
        SELECT (at AT TIME ZONE 'UTC')::date, count(*), count(*) FILTER (WHERE abstained), count(*) FILTER (WHERE degraded <> ''),
               avg(used) FILTER (WHERE NOT abstained), avg(used_tokens) FILTER (WHERE used_tokens > 0),
               percentile_cont(0.95) WITHIN GROUP (ORDER BY used_tokens) FILTER (WHERE used_tokens > 0),
               percentile_cont(0.5) WITHIN GROUP (ORDER BY milliseconds),
               percentile_cont(0.95) WITHIN GROUP (ORDER BY milliseconds)
        FROM newest GROUP BY GROUPING SETS ((), ((at AT TIME ZONE 'UTC')::date)) ORDER BY 1 NULLS FIRST
    """
    return [Recalls(row[0], *row[1:4], *map(_float, row[4:])) for row in _rows(sql, since=since)]


def kept(now: datetime) -> Kept:
    """One statement over the newest MEMORIES."""
    sql = f"""
        WITH newest AS (
            SELECT id, status, hits, created_at FROM {Memory._meta.db_table}
            WHERE tenant_id = %(tenant)s ORDER BY id DESC LIMIT {MEMORIES}
        ), judged AS (
            SELECT n.*, EXISTS (
                SELECT 1 FROM {Feedback._meta.db_table} f
                WHERE f.tenant_id = %(tenant)s AND f.memory_id = n.id AND f.verdict IN ('wrong', 'irrelevant')
            ) AS bad
            FROM newest n WHERE created_at < %(settled)s
        )
        SELECT (SELECT count(*) FROM newest), count(*), count(*) FILTER (WHERE hits = 0),
               count(*) FILTER (WHERE hits = 0 AND (bad OR status IN ('archived', 'expired')))
        FROM judged
    """
    return Kept(*_rows(sql, settled=now - SETTLED)[0])


def verdicts(since: datetime) -> dict[str, int]:
    """How often each verdict was given since then."""
    sql = f"""
        SELECT verdict, count(*) FROM (
            SELECT verdict FROM {Feedback._meta.db_table} WHERE tenant_id = %(tenant)s AND at >= %(since)s
            ORDER BY at DESC LIMIT {TRACES}
        ) given GROUP BY 1
    """
    return dict(_rows(sql, since=since))


def sweeps(since: datetime) -> tuple[int, int, int]:
    """(runs, memories taken, memories looked at) since then, of runs that were none dry."""
    runs = SweepRun.objects.filter(dry_run=False, started_at__gte=since).order_by("-started_at")[:TRACES]
    counts = list(runs.values_list("counts", flat=True))
    taken = sum(n for one in counts for kinds in one.get("rules", {}).values() for n in kinds.values())
    return len(counts), taken, sum(int(one.get("examined", 0)) for one in counts)


def near_duplicates(space_id: int) -> tuple[list[uuid.UUID], int]:
    """(current memories of the newest PAIRS that have another of the same person nearer than ALIKE, how many were looked at)."""
    newest = dict(Memory.objects.current().order_by(NEWEST).values_list("id", "subject_id")[:PAIRS])
    rows = Embedding.objects.filter(item_id__in=newest, item_kind="memory", space_id=space_id)
    by_subject: dict[uuid.UUID, list[tuple[uuid.UUID, Any]]] = {}
    looked_at = 0
    for item_id, vector in rows.values_list("item_id", "vector"):
        looked_at += 1
        by_subject.setdefault(newest[item_id], []).append((item_id, np.asarray(vector, dtype=np.float32)))
    alike: list[uuid.UUID] = []
    for items in by_subject.values():
        vectors = np.stack([vector for _item, vector in items])
        vectors /= np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)
        cosines = vectors @ vectors.T
        np.fill_diagonal(cosines, 0)
        alike += [item for (item, _v), most in zip(items, cosines.max(axis=1), strict=True) if most >= ALIKE]
    return alike, looked_at


def waiting_jobs(limit: int) -> int:
    """Jobs that wait or run, counted up to the limit."""
    return Job.objects.filter(state__in=[Job.State.PENDING, Job.State.RUNNING]).order_by()[:limit].count()


def _rows(sql: str, **values: Any) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(sql, {"tenant": current_tenant_id(), **values})
        return list(cursor.fetchall())


def _float(value: Any) -> float | None:
    return None if value is None else float(value)
