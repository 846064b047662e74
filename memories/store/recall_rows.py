"""Which rows a recall may see: the filters of memories and episodes, now or as of a past time."""

from __future__ import annotations

from memories.core.kinds import NEVER_DECAYS
from memories.store.evidence_sql import replaced_turn
from memories.store.past_sql import memories
from memories.store.recall_shape import Shape


def kind_filter(shape: Shape) -> str:
    if shape.episodes and shape.memories:
        return ""
    return f" AND item_kind = '{'memory' if shape.memories else 'episode'}'"


def allowed(shape: Shape) -> str:
    """One item's attributes, if it may be recalled now; `s` is the item asked for."""
    branches = []
    if shape.memories:
        branches.append(
            f"""SELECT 'memory' AS item_kind, m.id AS item_id, m.importance, m.source, m.pinned, m.strength,
                {_half_life()} AS half_life, coalesce(m.last_hit_at, m.created_at) AS anchor, m.said_at,
                m.session_id, NULL::int AS seq
            FROM {memories(shape)} WHERE s.item_kind = 'memory' AND m.id = s.item_id
                AND m.tenant_id = %(tenant)s AND m.subject_id = %(subject)s AND {_memory_filter(shape)}"""
        )
    if shape.episodes:
        branches.append(
            f"""SELECT 'episode' AS item_kind, {episode_attributes()}
            FROM memories_episode e WHERE s.item_kind = 'episode' AND e.id = s.item_id
                AND e.tenant_id = %(tenant)s AND e.subject_id = %(subject)s AND {episode_filter(shape)}"""
        )
    return " UNION ALL ".join(branches)


def _half_life() -> str:
    """Days by kind and level from bound arrays; NULL where nothing decays."""
    never = ", ".join(f"'{kind.value}'" for kind in sorted(NEVER_DECAYS))
    return f"""CASE WHEN m.kind IN ({never}) THEN NULL
                WHEN m.importance_level <> '' THEN (%(level_days)s::jsonb ->> m.importance_level)::float8
                ELSE coalesce(%(kind_days)s::jsonb ->> m.kind, %(kind_days)s::jsonb ->> '')::float8 END"""


def _memory_filter(shape: Shape) -> str:
    at = "%(as_of)s" if shape.as_of else "%(now)s"
    held = "m.status IN ('current', 'superseded')" if shape.past else "m.status = 'current'"
    parts = [
        held,
        f"(m.pinned OR m.expires_at IS NULL OR m.expires_at > {at})",
        "(m.scope = 'user' OR (m.scope = 'session' AND m.session_id = %(session)s::uuid) "
        "OR (m.scope = 'agent' AND m.agent_id = %(agent)s::uuid))",
    ]
    if shape.kinds:
        parts.append("m.kind = ANY(%(kinds)s::text[])")
    if shape.tags:
        parts.append("m.tags @> %(tags)s::varchar[]")
    if shape.metadata:
        parts.append("m.metadata @> %(metadata)s::jsonb")
    return " AND ".join([*parts, *_time_filter(shape, "m.said_at")])


def episode_attributes() -> str:
    return """e.id AS item_id, 0.5::float8 AS importance,
                CASE WHEN e.role IN ('user', 'assistant', 'tool') THEN e.role ELSE 'import' END AS source, false AS pinned,
                least(%(cap)s, 1 + %(hit_bonus)s * e.hits)::float8 AS strength, %(turn_days)s::float8 AS half_life,
                coalesce(e.last_hit_at, e.said_at) AS anchor, e.said_at, e.session_id, e.seq::int AS seq"""


def episode_filter(shape: Shape) -> str:
    parts = ["e.status = 'current'"]
    if not shape.past:
        parts.append(f"NOT (e.source_kind = 'turn' AND {replaced_turn(shape)})")
    if shape.as_of:
        parts.append("e.said_at <= %(as_of)s")
    if shape.excluded:
        parts.append("NOT (e.source_id = ANY(%(excluded)s::uuid[]))")
    return " AND ".join([*parts, *_time_filter(shape, "e.said_at")])


def _time_filter(shape: Shape, column: str) -> list[str]:
    since = [f"{column} >= %(since)s"] if shape.since else []
    return since + ([f"{column} < %(until)s"] if shape.until else [])
