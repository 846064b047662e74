"""The second half of the recall statement: relevance, context, score, and the texts of the best rows."""

from __future__ import annotations

from memories.store.evidence_sql import sources, taught
from memories.store.past_sql import memories
from memories.store.recall_shape import Shape, each

_BESIDE = {"before": -1, "after": 1}
_FAR = {"before_that": -2, "after_that": 2}
"""The turns that stand around one: the two next to it, and the two behind those."""


def based(shape: Shape) -> str:
    """Each form's own relevance, then the better form's; `peak` scales bm25 by the best item that may be recalled."""
    peaks = each(shape, "nullif(max(coalesce(b{i}, 0)) FILTER (WHERE NOT ghost) OVER (), 0) AS p{i}")
    lexicals = each(shape, "least(1, coalesce(b{i} / p{i}, 0)) AS l{i}")
    covered = each(shape, "coalesce(m{i} / t{i}, 0)")
    dense = "LEFT JOIN dense d USING (item_kind, item_id)" if shape.dense else ""
    spoke = "coalesce(x.spoke, false)"
    if shape.large and shape.dense:
        # The first pass leaves out what was found by words, or stands beside.
        own = each(shape, "-(e.vector <#> (SELECT v{i} FROM question)) AS c{i}")
        dense = f"""LEFT JOIN LATERAL (SELECT {own} FROM memories_embedding e
        WHERE e.tenant_id = %(tenant)s AND e.space_id = %(space)s AND e.item_id = v.item_id LIMIT 1) d ON true"""
    if shape.large and shape.speakers:
        # Who speaks much is no rare term.
        spoke = """EXISTS (SELECT 1 FROM memories_posting p WHERE p.tenant_id = %(tenant)s AND p.item_id = v.item_id
            AND p.term = ANY(%(speakers)s::text[]))"""
    cosines = each(shape, "d.c{i}" if shape.dense else "NULL::float8 AS c{i}")
    base = each(
        shape,
        "CASE WHEN c{i} IS NULL THEN %(lexical_alone)s * l{i} ELSE greatest(0, c{i}) + %(lexical_weight)s * l{i} END",
    )
    return f"""
raw AS (
    SELECT v.*, {cosines}, {spoke} AS spoke,
        {each(shape, "x.b{i}")}, {each(shape, "x.m{i}")}, {peaks}
    FROM everything v {dense} LEFT JOIN lexical x USING (item_kind, item_id)
),
based AS MATERIALIZED (
    SELECT r.*, greatest({each(shape, "c{i}")}) AS cosine, greatest({each(shape, "l{i}")}) AS lexical,
        greatest({covered}) AS covered, greatest({base}) AS base
    FROM (SELECT raw.*, {lexicals} FROM raw) r, masses
)"""


def settled(shape: Shape) -> str:
    """A memory that took another's place, or contradicts it, fits a question as well as that one's words do."""
    if not shape.memories:
        return "settled AS MATERIALIZED (SELECT * FROM based WHERE NOT ghost)"
    kept = "item_kind, item_id, importance, source, pinned, strength, half_life, anchor, said_at, session_id, seq, spoke"
    own = ", ".join(f"b.{column.strip()}" for column in kept.split(","))
    lent = ", ".join(
        f"greatest(b.{name}, l.{name}) AS {name}" for name in ("cosine", "lexical", "covered", "base")
    )
    most = ", ".join(f"max(b.{name}) AS {name}" for name in ("cosine", "lexical", "covered", "base"))
    return f"""
settled AS MATERIALIZED (
    SELECT {own}, {lent} FROM based b LEFT JOIN (
        SELECT k.heir AS item_id, {most}
        FROM (SELECT item_id, heir FROM ghosts UNION SELECT one, other FROM pairs) k JOIN based b ON b.item_id = k.item_id
        GROUP BY k.heir
    ) l USING (item_id) WHERE NOT b.ghost
)"""


def in_context(shape: Shape) -> str:
    """What stands next to it, as far as that stands out by itself; and whether a named speaker said it.

    The level above which a turn stands out is the question's own: where everything is about one topic, it is high.
    """
    spoken = "CASE WHEN b.spoke THEN %(speaker_weight)s ELSE 0 END"
    if not shape.episodes:
        return f"placed AS (SELECT b.*, {spoken}::float8 AS context FROM settled b)"
    beside = (
        " + ".join(
            f"%(context_{name})s * greatest(0, coalesce({name}.base, 0) - level.base)" for name in _BESIDE
        )
        + f" + %(context_far)s * ({' + '.join(f'greatest(0, coalesce({name}.base, 0) - level.base)' for name in _FAR)})"
    )
    joins = "".join(
        f"\n    LEFT JOIN turns {name} ON {name}.session_id = b.session_id AND {name}.seq = b.seq + ({step})"
        for name, step in (_BESIDE | _FAR).items()
    )
    return f"""
turns AS MATERIALIZED (
    SELECT session_id, seq, max(base) AS base FROM settled WHERE item_kind = 'episode' AND session_id IS NOT NULL GROUP BY 1, 2
),
level AS MATERIALIZED (
    SELECT greatest(%(context_floor)s::float8, (SELECT base FROM turns ORDER BY base DESC OFFSET %(context_rank)s LIMIT 1)) AS base
),
placed AS (
    SELECT b.*, ({spoken} + CASE WHEN b.item_kind = 'episode' THEN
        {beside} ELSE 0 END)::float8 AS context
    FROM level CROSS JOIN settled b{joins}
)"""


def scored() -> str:
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
    SELECT t.*, least(1, greatest(0, (base - %(scale_low)s) / (%(scale_high)s - %(scale_low)s))) AS similarity,
        strength_now / (strength_now + 1) AS strong,
        CASE WHEN pinned AND best > 0 THEN power(relevance / best, 2) ELSE 0 END AS pin
    FROM terms t
)"""


def ranked() -> str:
    return """
ranked AS MATERIALIZED (
    SELECT *, row_number() OVER () AS place FROM (
        SELECT s.*, (w_similarity * similarity + w_strength * strong + w_recency * recent
                + w_importance * least(1, greatest(0, importance)) + w_credibility * credible)
                + %(context_gain)s * context + %(pin_bonus)s * pin AS score,
            count(*) OVER () AS considered, max(cosine) OVER () AS top_cosine
        FROM scored s, (SELECT %(w_similarity)s::float8 AS w_similarity, %(w_strength)s::float8 AS w_strength,
            %(w_recency)s::float8 AS w_recency, %(w_importance)s::float8 AS w_importance,
            %(w_credibility)s::float8 AS w_credibility) w
        ORDER BY score DESC, base + context DESC, item_id LIMIT %(returned)s
    ) r
)"""


def answer(shape: Shape) -> str:
    """Texts, turns, marks and vectors of the ranked rows."""
    vector = "NULL::bytea"
    if shape.dense:
        vector = """(SELECT halfvec_send(e.vector) FROM memories_embedding e
        WHERE e.tenant_id = %(tenant)s AND e.space_id = %(space)s AND e.item_id = r.item_id LIMIT 1)"""
    return f"""
SELECT r.item_id, r.item_kind, coalesce(m.kind, CASE e.source_kind WHEN 'turn' THEN 'turn' ELSE 'chunk' END),
    coalesce(m.content, e.text), r.said_at, coalesce(m.speaker, e.speaker), coalesce(e.role, m.source), r.source,
    r.importance, r.pinned, r.strength_now, r.score, r.cosine, r.lexical, r.covered, r.context, r.relevance, r.similarity,
    r.strong, r.recent, r.credible, r.pin, r.session_id, coalesce(r.seq, 0),
    CASE WHEN m.id IS NULL THEN CASE e.source_kind WHEN 'turn' THEN ARRAY[e.source_id] ELSE '{{}}'::uuid[] END
        ELSE ({sources(shape)}) END,
    coalesce(m.credibility, r.credible), {vector}, r.considered, e.source_id,
    coalesce(m.status = 'superseded', t.gone, false), coalesce(m.valid_from, t.valid_from), coalesce(m.valid_to, t.valid_to),
    coalesce(t.partly, false),
    CASE WHEN m.id IS NOT NULL THEN (SELECT array_agg(p.other ORDER BY p.other) FROM pairs p WHERE p.one = m.id)
        ELSE (SELECT array_agg(DISTINCT p.other) FROM memories_evidence v JOIN pairs p ON p.one = v.memory_id
              WHERE v.tenant_id = %(tenant)s AND v.turn_id = e.source_id) END,
    (SELECT jsonb_agg(jsonb_build_array(f.entity, f.attribute, f.value, f.negated)) FROM memories_fact f
     WHERE f.tenant_id = %(tenant)s AND f.memory_id = m.id AND (f.valid_to IS NULL OR f.valid_to > %(now)s))
FROM ranked r
LEFT JOIN LATERAL (SELECT m.* FROM {memories(shape)} WHERE r.item_kind = 'memory' AND m.tenant_id = %(tenant)s
    AND m.id = r.item_id LIMIT 1) m ON true
LEFT JOIN LATERAL (SELECT e.* FROM memories_episode e WHERE r.item_kind = 'episode' AND e.tenant_id = %(tenant)s
    AND e.id = r.item_id LIMIT 1) e ON true
LEFT JOIN LATERAL ({taught(shape)}) t ON r.item_kind = 'episode' AND e.source_kind = 'turn'
ORDER BY r.place"""
