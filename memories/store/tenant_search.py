"""Searches the memories of a whole tenant by vectors: bits first, over the tenant's part of the index, then exactly."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from memories.store import prepared
from memoryhub.common.db import current_tenant_id

_SQL = """
WITH question AS MATERIALIZED (SELECT %(vector)s::halfvec AS v),
nearest AS MATERIALIZED (
    SELECT e.item_id FROM memories_embedding e
    WHERE e.tenant_id = %(tenant)s AND e.space_id = %(space)s AND e.item_kind = 'memory'
    ORDER BY coalesce(e.bits <~> (SELECT binary_quantize(v)::varbit FROM question), 0) LIMIT %(first_pass)s
),
compared AS MATERIALIZED (
    SELECT e.item_id, -(e.vector <#> (SELECT v FROM question)) AS cosine
    FROM nearest n JOIN memories_embedding e
    ON e.tenant_id = %(tenant)s AND e.space_id = %(space)s AND e.item_id = n.item_id
)
SELECT m.id, m.subject_id, m.kind, m.content, m.said_at, c.cosine
FROM compared c
JOIN LATERAL (SELECT * FROM memories_memory x WHERE x.tenant_id = %(tenant)s AND x.id = c.item_id LIMIT 1) m ON true
JOIN LATERAL (SELECT 1 FROM accounts_subject s
              WHERE s.tenant_id = %(tenant)s AND s.id = m.subject_id AND s.erased_at IS NULL LIMIT 1) s ON true
WHERE m.status = 'current' AND (m.pinned OR m.expires_at IS NULL OR m.expires_at > %(now)s)
ORDER BY c.cosine DESC, m.id LIMIT %(returned)s
"""


@dataclass(frozen=True, slots=True)
class TenantHit:
    """A memory with whose it is; `cosine` is its nearness to the question."""

    id: uuid.UUID
    subject_id: uuid.UUID
    kind: str
    text: str
    said_at: datetime
    cosine: float


def tenant_hits(
    vector: Sequence[float], *, space_id: int, returned: int, first_pass: int, now: datetime
) -> list[TenantHit]:
    """The nearest current memories of all subjects of the open tenant, best first."""
    return [
        TenantHit(*row) for row in prepared.fetch(_SQL, _values(vector, space_id, returned, first_pass, now))
    ]


def explain_tenant(vector: Sequence[float], *, space_id: int, now: datetime) -> str:
    """The plan as it runs for the current role, for tests."""
    rows = prepared.fetch(f"EXPLAIN (ANALYZE) {_SQL}", _values(vector, space_id, 10, 100, now))
    return "\n".join(row[0] for row in rows)


def _values(
    vector: Sequence[float], space_id: int, returned: int, first_pass: int, now: datetime
) -> dict[str, object]:
    return {
        "vector": prepared.halfvec(vector),
        "tenant": current_tenant_id(),
        "space": space_id,
        "first_pass": max(first_pass, 4 * returned),
        "returned": returned,
        "now": now,
    }
