"""Memories as they stand, or as they stood: the row of a memory at a past time, read from its versions (R19)."""

from __future__ import annotations

from memories.store.recall_shape import Shape

NEVER_AGAIN = ("forgotten", "redacted", "quarantined")
"""What was taken out on purpose does not come back, not even as what was believed once."""
_TEXTS = ("kind", "status", "scope", "source", "speaker", "importance_level")
_TIMES = ("said_at", "valid_from", "valid_to", "expires_at")


def memories(shape: Shape, alias: str = "m") -> str:
    """The table of memories under `alias`; for `as_of` its rows as of then, none for what was not known yet.

    Which turn hit it when is not versioned: of a memory that was hit later, strength counts as if it never was.
    """
    if not shape.as_of:
        return f"memories_memory {alias}"
    columns = [
        *(f"known.state ->> '{name}' AS {name}" for name in _TEXTS),
        *(f"(known.state ->> '{name}')::timestamptz AS {name}" for name in _TIMES),
        "(known.state ->> 'importance')::float8 AS importance",
        "(known.state ->> 'pinned')::boolean AS pinned",
        "(known.state ->> 'superseded_by_id')::uuid AS superseded_by_id",
        "ARRAY(SELECT jsonb_array_elements_text(known.state -> 'tags'))::varchar[] AS tags",
        "known.state -> 'metadata' AS metadata",
        "CASE WHEN x.last_hit_at > %(as_of)s THEN least(x.strength, 1) ELSE x.strength END AS strength",
        "CASE WHEN x.last_hit_at > %(as_of)s THEN NULL ELSE x.last_hit_at END AS last_hit_at",
    ]
    never = ", ".join(f"'{status}'" for status in NEVER_AGAIN)
    return f"""(SELECT x.id, x.tenant_id, x.subject_id, x.agent_id, x.session_id, x.created_at, x.credibility,
            known.content, {", ".join(columns)}
        FROM memories_memory x CROSS JOIN LATERAL (
            SELECT v.content, v.state FROM memories_memoryversion v
            WHERE v.tenant_id = %(tenant)s AND v.memory_id = x.id AND v.at <= %(as_of)s ORDER BY v.number DESC LIMIT 1
        ) known WHERE x.tenant_id = %(tenant)s AND x.status NOT IN ({never})) {alias}"""


def open_then(shape: Shape, alias: str) -> str:
    """Whether a contradiction is open, or was."""
    if not shape.as_of:
        return f"{alias}.state = 'open'"
    return f"{alias}.opened_at <= %(as_of)s AND ({alias}.state = 'open' OR {alias}.resolved_at > %(as_of)s)"
