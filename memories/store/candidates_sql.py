"""The text of the recall statement: exact dense scan, lexical postings, neighbours, score and texts in one round trip.

Formulas, equal to their oracles in core (tested):

    bm25       = sum over terms of idf * f * (k1 + 1) / (f + k1 * (1 - b + b * length / mean)), core.lexical.bm25, with
                 idf = ln(1 + (n - df + .5) / (df + .5)); n, df and mean are those of one subject's items
    strength   = strength * 2 ^ (-days since the last hit, else since creation / half-life), core.decay.strength_at
    relevance, score = core.scoring.relevance and score

Only numbers and ids move through the steps; texts are read for the rows that are returned.
"""

from __future__ import annotations

from memories.core import lexical
from memories.store.ranking_sql import answer, based, in_context, ranked, scored
from memories.store.recall_rows import Shape, allowed, each, episode_attributes, episode_filter, kind_filter

__all__ = ["Shape", "statement"]

_ATTRIBUTES = "importance, source, pinned, strength, half_life, anchor, said_at, session_id, seq"  # of both branches, in this order


def statement(shape: Shape) -> str:
    """The whole statement with named parameters."""
    steps = [
        *([_vectors(shape), _dense(shape), _dense_top(shape)] if shape.dense else []),
        *_lexical(shape),
        _lexical_top(shape),
        *_pool(shape),
        based(shape),
        in_context(shape),
        scored(),
        ranked(),
    ]
    return f"WITH {','.join(steps)}\n{answer(shape)}"


def _vectors(shape: Shape) -> str:
    return f"question AS MATERIALIZED (SELECT {each(shape, '%(vector{i})s::halfvec AS v{i}')})"


def _dense(shape: Shape) -> str:
    cosines = each(shape, "-(vector <#> (SELECT v{i} FROM question)) AS c{i}")
    return f"""
dense AS MATERIALIZED (
    SELECT item_kind, item_id, {cosines} FROM memories_embedding
    WHERE tenant_id = %(tenant)s AND subject_id = %(subject)s AND space_id = %(space)s{kind_filter(shape)}
)"""


def _dense_top(shape: Shape) -> str:
    best = f"greatest({each(shape, 'c{i}')})"
    return f"""
dense_top AS MATERIALIZED (
    SELECT a.*, row_number() OVER () AS place
    FROM (SELECT item_kind, item_id FROM dense ORDER BY {best} DESC, item_id) s
    JOIN LATERAL ({allowed(shape)}) a ON true LIMIT %(candidates)s
)"""


def _lexical(shape: Shape) -> list[str]:
    where = "tenant_id = %(tenant)s AND subject_id = %(subject)s"
    gain = f"idf * frequency * {lexical.K1 + 1} / (frequency + {lexical.K1} * (1 - {lexical.B} + {lexical.B} * length / mean))"
    spoke = "bool_or(term = ANY(%(speakers)s::text[]))" if shape.speakers else "false"
    return [
        f"""
hits AS MATERIALIZED (
    SELECT item_kind, item_id, term, frequency::float8 AS frequency, length::float8 AS length FROM memories_posting
    WHERE {where} AND term = ANY(%(terms)s::text[]){kind_filter(shape)}
)""",
        f"""
corpus AS MATERIALIZED (
    SELECT count(*)::float8 AS n, greatest(coalesce(avg(length), 1), 1)::float8 AS mean FROM memories_posting
    WHERE {where} AND term = ''{kind_filter(shape)}
)""",
        """
weights AS MATERIALIZED (
    SELECT t.term, ln(1 + greatest(0, n - df + 0.5) / (df + 0.5)) AS idf
    FROM (SELECT u.term, coalesce(d.df, 0)::float8 AS df FROM unnest(%(terms)s::text[]) u(term)
          LEFT JOIN (SELECT term, count(*) AS df FROM hits GROUP BY term) d USING (term)) t, corpus
)""",
        f"""
masses AS MATERIALIZED (
    SELECT {each(shape, "greatest(1e-9, sum(idf) FILTER (WHERE term = ANY(%(terms{i})s::text[]))) AS t{i}")} FROM weights
)""",
        f"""
lexical AS MATERIALIZED (
    SELECT item_kind, item_id, {spoke} AS spoke,
        {each(shape, "coalesce(sum(" + gain + ") FILTER (WHERE term = ANY(%(terms{i})s::text[])), 0) AS b{i}")},
        {each(shape, "coalesce(sum(idf) FILTER (WHERE term = ANY(%(terms{i})s::text[])), 0) AS m{i}")}
    FROM hits JOIN weights USING (term) CROSS JOIN corpus GROUP BY item_kind, item_id
)""",
    ]


def _lexical_top(shape: Shape) -> str:
    best = f"greatest({each(shape, 'b{i}')})"
    return f"""
lexical_top AS MATERIALIZED (
    SELECT a.*, row_number() OVER () AS place
    FROM (SELECT item_kind, item_id FROM lexical WHERE {best} > 0 ORDER BY {best} DESC, item_id) s
    JOIN LATERAL ({allowed(shape)}) a ON true LIMIT %(candidates)s
)"""


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
    SELECT 'episode', {episode_attributes()} FROM beside b
    JOIN memories_episode e ON e.tenant_id = %(tenant)s AND e.session_id = b.session_id AND e.seq = b.seq
    WHERE e.subject_id = %(subject)s AND {episode_filter(shape)} AND NOT EXISTS (SELECT 1 FROM pool p WHERE p.item_id = e.id)
)""",
    ]
