"""Which rows a recall may see: the shape of its statement, and the filters of memories and episodes."""

from __future__ import annotations

from dataclasses import dataclass

from memories.core.kinds import NEVER_DECAYS


@dataclass(frozen=True, slots=True)
class Shape:
    """What makes one statement differ from another; all values are bound as parameters.

    `forms` is the number of forms of the question (1, or 2 with a standalone one), `dense` is off when there is no query
    vector, `speakers` is on when the question names speakers of the subject.
    """

    forms: int = 1
    dense: bool = True
    speakers: bool = False
    episodes: bool = True
    memories: bool = True
    kinds: bool = False
    tags: bool = False
    metadata: bool = False
    since: bool = False
    until: bool = False
    as_of: bool = False
    excluded: bool = False


def each(shape: Shape, pattern: str, separator: str = ", ") -> str:
    return separator.join(pattern.format(i=i) for i in range(shape.forms))


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
            FROM memories_memory m WHERE s.item_kind = 'memory' AND m.id = s.item_id
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
    held = "m.status = 'current'"
    if shape.as_of:
        # Believed then: known by then, and not yet replaced by what superseded it.
        held = f"""(m.status = 'current' OR (m.status = 'superseded' AND coalesce(
                (SELECT n.created_at FROM memories_memory n WHERE n.tenant_id = %(tenant)s AND n.id = m.superseded_by_id),
                m.valid_to, m.updated_at) > {at})) AND m.created_at <= {at}
                AND (m.valid_from IS NULL OR m.valid_from <= {at})"""
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
    if shape.as_of:
        parts.append("e.said_at <= %(as_of)s")
    if shape.excluded:
        parts.append("NOT (e.source_id = ANY(%(excluded)s::uuid[]))")
    return " AND ".join([*parts, *_time_filter(shape, "e.said_at")])


def _time_filter(shape: Shape, column: str) -> list[str]:
    since = [f"{column} >= %(since)s"] if shape.since else []
    return since + ([f"{column} < %(until)s"] if shape.until else [])
