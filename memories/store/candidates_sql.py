"""The text of the recall statement: exact dense scan, lexical postings, neighbours, score and texts in one round trip.

Formulas, equal to their oracles in core (tested):

    bm25       = sum over terms of idf * f * (k1 + 1) / (f + k1 * (1 - b + b * length / mean)), core.lexical.bm25, with
                 idf = ln(1 + (n - df + .5) / (df + .5)); n, df and mean are those of one subject's items
    strength   = strength * 2 ^ (-days since the last hit, else since creation / half-life), core.decay.strength_at
    relevance, score = core.scoring.relevance and score

Only numbers and ids move through the steps; texts are read for the rows that are returned.
"""

from __future__ import annotations

from dataclasses import dataclass

from memories.core import lexical
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


_ATTRIBUTES = "importance, source, pinned, strength, half_life, anchor, said_at, session_id, seq"  # of both branches, in this order


def statement(shape: Shape) -> str:
    """The whole statement with named parameters."""
    steps = [
        *([_vectors(shape), _dense(shape), _dense_top(shape)] if shape.dense else []),
        *_lexical(shape),
        _lexical_top(shape),
        *_pool(shape),
        _based(shape),
        _in_context(shape),
        _scored(),
        _ranked(),
    ]
    return f"WITH {','.join(steps)}\n{_answer(shape)}"


def _each(shape: Shape, pattern: str, separator: str = ", ") -> str:
    return separator.join(pattern.format(i=i) for i in range(shape.forms))


def _kind_filter(shape: Shape) -> str:
    if shape.episodes and shape.memories:
        return ""
    return f" AND item_kind = '{'memory' if shape.memories else 'episode'}'"


def _vectors(shape: Shape) -> str:
    return f"question AS MATERIALIZED (SELECT {_each(shape, '%(vector{i})s::halfvec AS v{i}')})"


def _dense(shape: Shape) -> str:
    cosines = _each(shape, "-(vector <#> (SELECT v{i} FROM question)) AS c{i}")
    return f"""
dense AS MATERIALIZED (
    SELECT item_kind, item_id, {cosines} FROM memories_embedding
    WHERE tenant_id = %(tenant)s AND subject_id = %(subject)s AND space_id = %(space)s{_kind_filter(shape)}
)"""


def _dense_top(shape: Shape) -> str:
    best = f"greatest({_each(shape, 'c{i}')})"
    return f"""
dense_top AS MATERIALIZED (
    SELECT a.*, row_number() OVER () AS place
    FROM (SELECT item_kind, item_id FROM dense ORDER BY {best} DESC, item_id) s
    JOIN LATERAL ({_allowed(shape)}) a ON true LIMIT %(candidates)s
)"""


def _lexical(shape: Shape) -> list[str]:
    where = "tenant_id = %(tenant)s AND subject_id = %(subject)s"
    gain = f"idf * frequency * {lexical.K1 + 1} / (frequency + {lexical.K1} * (1 - {lexical.B} + {lexical.B} * length / mean))"
    spoke = "bool_or(term = ANY(%(speakers)s::text[]))" if shape.speakers else "false"
    return [
        f"""
hits AS MATERIALIZED (
    SELECT item_kind, item_id, term, frequency::float8 AS frequency, length::float8 AS length FROM memories_posting
    WHERE {where} AND term = ANY(%(terms)s::text[]){_kind_filter(shape)}
)""",
        f"""
corpus AS MATERIALIZED (
    SELECT count(*)::float8 AS n, greatest(coalesce(avg(length), 1), 1)::float8 AS mean FROM memories_posting
    WHERE {where} AND term = ''{_kind_filter(shape)}
)""",
        """
weights AS MATERIALIZED (
    SELECT t.term, ln(1 + greatest(0, n - df + 0.5) / (df + 0.5)) AS idf
    FROM (SELECT u.term, coalesce(d.df, 0)::float8 AS df FROM unnest(%(terms)s::text[]) u(term)
          LEFT JOIN (SELECT term, count(*) AS df FROM hits GROUP BY term) d USING (term)) t, corpus
)""",
        f"""
masses AS MATERIALIZED (
    SELECT {_each(shape, "greatest(1e-9, sum(idf) FILTER (WHERE term = ANY(%(terms{i})s::text[]))) AS t{i}")} FROM weights
)""",
        f"""
lexical AS MATERIALIZED (
    SELECT item_kind, item_id, {spoke} AS spoke,
        {_each(shape, "coalesce(sum(" + gain + ") FILTER (WHERE term = ANY(%(terms{i})s::text[])), 0) AS b{i}")},
        {_each(shape, "coalesce(sum(idf) FILTER (WHERE term = ANY(%(terms{i})s::text[])), 0) AS m{i}")}
    FROM hits JOIN weights USING (term) CROSS JOIN corpus GROUP BY item_kind, item_id
)""",
    ]


def _lexical_top(shape: Shape) -> str:
    best = f"greatest({_each(shape, 'b{i}')})"
    return f"""
lexical_top AS MATERIALIZED (
    SELECT a.*, row_number() OVER () AS place
    FROM (SELECT item_kind, item_id FROM lexical WHERE {best} > 0 ORDER BY {best} DESC, item_id) s
    JOIN LATERAL ({_allowed(shape)}) a ON true LIMIT %(candidates)s
)"""


def _allowed(shape: Shape) -> str:
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
            f"""SELECT 'episode' AS item_kind, {_episode_attributes()}
            FROM memories_episode e WHERE s.item_kind = 'episode' AND e.id = s.item_id
                AND e.tenant_id = %(tenant)s AND e.subject_id = %(subject)s AND {_episode_filter(shape)}"""
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
        f"(m.expires_at IS NULL OR m.expires_at > {at})",
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


def _episode_attributes() -> str:
    return """e.id AS item_id, 0.5::float8 AS importance,
                CASE WHEN e.role IN ('user', 'assistant', 'tool') THEN e.role ELSE 'import' END AS source, false AS pinned,
                least(%(cap)s, 1 + %(hit_bonus)s * e.hits)::float8 AS strength, %(turn_days)s::float8 AS half_life,
                coalesce(e.last_hit_at, e.said_at) AS anchor, e.said_at, e.session_id, e.seq::int AS seq"""


def _episode_filter(shape: Shape) -> str:
    parts = ["e.status = 'current'"]
    if shape.as_of:
        parts.append("e.said_at <= %(as_of)s")
    if shape.excluded:
        parts.append("NOT (e.source_id = ANY(%(excluded)s::uuid[]))")
    return " AND ".join([*parts, *_time_filter(shape, "e.said_at")])


def _time_filter(shape: Shape, column: str) -> list[str]:
    since = [f"{column} >= %(since)s"] if shape.since else []
    return since + ([f"{column} < %(until)s"] if shape.until else [])


def _pool(shape: Shape) -> list[str]:
    """Both lists together, and the turns next to their best turns."""
    lists = ["dense_top"] if shape.dense else []
    columns = f"item_kind, item_id, {_ATTRIBUTES}"
    found = " UNION ALL ".join(f"SELECT {columns}, place FROM {name}" for name in [*lists, "lexical_top"])
    pool = f"pool AS MATERIALIZED (SELECT DISTINCT ON (item_id) * FROM ({found}) f ORDER BY item_id, place)"
    if not shape.episodes:
        return [pool, f"everything AS MATERIALIZED (SELECT {columns} FROM pool)"]
    return [
        pool,
        """
beside AS MATERIALIZED (
    SELECT DISTINCT p.session_id, p.seq + d.step AS seq FROM pool p, (VALUES (-1), (1)) d(step)
    WHERE p.item_kind = 'episode' AND p.place <= %(neighbours_of)s AND p.session_id IS NOT NULL
)""",
        f"""
everything AS MATERIALIZED (
    SELECT {columns} FROM pool
    UNION ALL
    SELECT 'episode', {_episode_attributes()} FROM beside b
    JOIN memories_episode e ON e.tenant_id = %(tenant)s AND e.session_id = b.session_id AND e.seq = b.seq
    WHERE e.subject_id = %(subject)s AND {_episode_filter(shape)} AND NOT EXISTS (SELECT 1 FROM pool p WHERE p.item_id = e.id)
)""",
    ]


def _based(shape: Shape) -> str:
    """Each form's own relevance, then the better form's; `peak` scales bm25 by the best item that may be recalled."""
    peaks = _each(shape, "nullif(max(coalesce(b{i}, 0)) OVER (), 0) AS p{i}")
    lexicals = _each(shape, "coalesce(b{i} / p{i}, 0) AS l{i}")
    covered = _each(shape, "coalesce(m{i} / t{i}, 0)")
    dense = "LEFT JOIN dense d USING (item_kind, item_id)" if shape.dense else ""
    cosines = _each(shape, "d.c{i}" if shape.dense else "NULL::float8 AS c{i}")
    base = _each(
        shape,
        "CASE WHEN c{i} IS NULL THEN %(lexical_alone)s * l{i} ELSE greatest(0, c{i}) + %(lexical_weight)s * l{i} END",
    )
    return f"""
raw AS (
    SELECT v.*, {cosines}, coalesce(x.spoke, false) AS spoke,
        {_each(shape, "x.b{i}")}, {_each(shape, "x.m{i}")}, {peaks}
    FROM everything v {dense} LEFT JOIN lexical x USING (item_kind, item_id)
),
based AS MATERIALIZED (
    SELECT r.*, greatest({_each(shape, "c{i}")}) AS cosine, greatest({_each(shape, "l{i}")}) AS lexical,
        greatest({covered}) AS covered, greatest({base}) AS base
    FROM (SELECT raw.*, {lexicals} FROM raw) r, masses
)"""


def _in_context(shape: Shape) -> str:
    """What stands next to it, as far as that stands out by itself; and whether a named speaker said it.

    The level above which a turn stands out is the question's own: where everything is about one topic, it is high.
    """
    spoken = "CASE WHEN b.spoke THEN %(speaker_weight)s ELSE 0 END"
    if not shape.episodes:
        return f"placed AS (SELECT b.*, {spoken}::float8 AS context FROM based b)"
    beside = "greatest(0, coalesce({0}.base, 0) - level.base)"
    return f"""
turns AS MATERIALIZED (
    SELECT session_id, seq, max(base) AS base FROM based WHERE item_kind = 'episode' AND session_id IS NOT NULL GROUP BY 1, 2
),
level AS MATERIALIZED (
    SELECT greatest(%(context_floor)s::float8, (SELECT base FROM turns ORDER BY base DESC OFFSET %(context_rank)s LIMIT 1)) AS base
),
placed AS (
    SELECT b.*, ({spoken} + CASE WHEN b.item_kind = 'episode' THEN
        %(context_weight)s * ({beside.format("before")} + {beside.format("after")}) ELSE 0 END)::float8 AS context
    FROM level CROSS JOIN based b
    LEFT JOIN turns before ON before.session_id = b.session_id AND before.seq = b.seq - 1
    LEFT JOIN turns after ON after.session_id = b.session_id AND after.seq = b.seq + 1
)"""


def _scored() -> str:
    days = "greatest(0, extract(epoch FROM %(now)s - {0})::float8) / 86400"
    return f"""
terms AS (
    SELECT p.*, least(1, base + context) AS relevance, max(least(1, base + context)) OVER () AS best,
        CASE WHEN half_life IS NULL THEN strength
             ELSE strength * power(2, greatest(-1000, -({days.format("anchor")}) / half_life)) END AS strength_now,
        exp(greatest(-700, -({days.format("said_at")}) / %(recency_days)s)) AS recent,
        coalesce((%(credibilities)s::jsonb ->> source)::float8, (%(credibilities)s::jsonb ->> 'import')::float8) AS credible
    FROM placed p
),
scored AS (
    SELECT t.*, least(1, greatest(0, (relevance - %(scale_low)s) / (%(scale_high)s - %(scale_low)s))) AS similarity,
        strength_now / (strength_now + 1) AS strong,
        CASE WHEN pinned AND best > 0 THEN power(relevance / best, 2) ELSE 0 END AS pin
    FROM terms t
)"""


def _ranked() -> str:
    return """
ranked AS MATERIALIZED (
    SELECT *, row_number() OVER () AS place FROM (
        SELECT s.*, (w_similarity * similarity + w_strength * strong + w_recency * recent
                + w_importance * least(1, greatest(0, importance)) + w_credibility * credible) + %(pin_bonus)s * pin AS score,
            count(*) OVER () AS considered, max(cosine) OVER () AS top_cosine
        FROM scored s, (SELECT %(w_similarity)s::float8 AS w_similarity, %(w_strength)s::float8 AS w_strength,
            %(w_recency)s::float8 AS w_recency, %(w_importance)s::float8 AS w_importance,
            %(w_credibility)s::float8 AS w_credibility) w
        ORDER BY score DESC, base + context DESC, item_id LIMIT %(returned)s
    ) r
)"""


def _answer(shape: Shape) -> str:
    """Texts, turns and marks of the ranked rows, and which better-ranked rows each is near to."""
    content = "m.content"
    if shape.as_of:
        content = """coalesce((SELECT v.content FROM memories_memoryversion v WHERE v.tenant_id = %(tenant)s
            AND v.memory_id = m.id AND v.at <= %(as_of)s ORDER BY v.number DESC LIMIT 1), m.content)"""
    near = "NULL::float8[]"
    if shape.dense:
        near = """(SELECT array_agg(ARRAY[o.place::float8, -(own.vector <#> o.vector)]) FROM vectors own JOIN vectors o ON o.place < own.place
            AND -(own.vector <#> o.vector) >= %(near)s WHERE own.place = r.place)"""
    vectors = """, vectors AS MATERIALIZED (
    SELECT r.place, e.vector FROM ranked r JOIN memories_embedding e
    ON e.tenant_id = %(tenant)s AND e.space_id = %(space)s AND e.item_id = r.item_id
)"""
    return f"""{vectors if shape.dense else ""}
SELECT r.item_id, r.item_kind, coalesce(m.kind, CASE e.source_kind WHEN 'turn' THEN 'turn' ELSE 'chunk' END),
    coalesce({content}, e.text), r.said_at, coalesce(m.speaker, e.speaker), coalesce(e.role, m.source), r.source,
    r.importance, r.pinned, r.strength_now, r.score, r.cosine, r.lexical, r.covered, r.context, r.relevance, r.similarity,
    r.strong, r.recent, r.credible, r.pin, r.session_id, coalesce(r.seq, 0),
    CASE WHEN m.id IS NULL THEN CASE e.source_kind WHEN 'turn' THEN ARRAY[e.source_id] ELSE '{{}}'::uuid[] END
        ELSE (SELECT array_agg(v.turn_id ORDER BY v.said_at, v.id) FROM memories_evidence v
              WHERE v.tenant_id = %(tenant)s AND v.memory_id = m.id AND v.turn_id IS NOT NULL) END,
    m.id IS NOT NULL AND EXISTS (SELECT 1 FROM memories_contradiction c WHERE c.tenant_id = %(tenant)s
        AND c.subject_id = %(subject)s AND c.state = 'open' AND (c.older_id = m.id OR c.newer_id = m.id)),
    coalesce(m.credibility, r.credible), {near}, r.considered, e.source_id
FROM ranked r
LEFT JOIN memories_memory m ON r.item_kind = 'memory' AND m.tenant_id = %(tenant)s AND m.id = r.item_id
LEFT JOIN memories_episode e ON r.item_kind = 'episode' AND e.tenant_id = %(tenant)s AND e.id = r.item_id
ORDER BY r.place"""
