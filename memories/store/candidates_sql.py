"""The text of the recall statement: exact dense scan, lexical postings, neighbours, score and texts in one round trip.

Formulas, equal to their oracles in core (tested):

    bm25       = sum over terms of idf * f * (k1 + 1) / (f + k1 * (1 - b + b * length / mean)), core.text.lexical.bm25, with
                 idf = ln(1 + (n - df + .5) / (df + .5)); n, df and mean are those of one subject's items
    strength   = strength * 2 ^ (-days since the last hit, else since creation / half-life), core.decay.strength_at
    relevance, score = core.scoring.relevance and score

Only numbers and ids move through the steps; texts are read for the rows that are returned.
"""

from __future__ import annotations

from memories.core.text import lexical
from memories.store.evidence_sql import ghosts, touched_turns
from memories.store.first_pass_sql import first_pass, rare_terms
from memories.store.ranking_sql import answer, based, in_context, ranked, scored, settled
from memories.store.recall_rows import allowed, episode_attributes, episode_filter, kind_filter
from memories.store.recall_shape import Shape, each

__all__ = ["Shape", "statement"]

_ATTRIBUTES = "importance, source, pinned, strength, half_life, anchor, said_at, session_id, seq"  # of both branches, in this order

_IDF = "ln(1 + greatest(0, n - df + 0.5) / (df + 0.5))"
# A join with the weights would be taken for one of a row or two, and what is found by words compared with everything in loops.


def statement(shape: Shape) -> str:
    """The whole statement with named parameters."""
    steps = [
        *touched_turns(shape),
        *([_vectors(shape), _nearest(shape), _dense_top(shape)] if shape.dense else []),
        *_lexical(shape),
        _lexical_top(shape),
        *ghosts(shape),
        *_pool(shape),
        based(shape),
        settled(shape),
        in_context(shape),
        scored(),
        ranked(),
    ]
    return f"WITH {','.join(steps)}\n{answer(shape)}"


def _vectors(shape: Shape) -> str:
    return f"question AS MATERIALIZED (SELECT {each(shape, '%(vector{i})s::halfvec AS v{i}')})"


def _nearest(shape: Shape) -> str:
    return first_pass(shape, kind_filter(shape)) if shape.large else _dense(shape)


def _dense(shape: Shape) -> str:
    cosines = each(shape, "-(vector <#> (SELECT v{i} FROM question)) AS c{i}")
    stored, more = "", ""
    if shape.extra:
        stored = " AND NOT item_id = ANY(%(extra_ids)s::uuid[])"
        more = f"""
    UNION ALL SELECT 'memory', item_id, {cosines}
    FROM (SELECT item_id, vector::halfvec AS vector FROM unnest(%(extra_ids)s::uuid[], %(extra_vectors)s::text[]) x (item_id, vector)
          WHERE x.vector IS NOT NULL) y"""
    return f"""
dense AS MATERIALIZED (
    SELECT item_kind, item_id, {cosines} FROM memories_embedding
    WHERE tenant_id = %(tenant)s AND subject_id = %(subject)s AND space_id = %(space)s{kind_filter(shape)}{stored}{more}
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
    stored, more = "", ""
    if shape.extra:
        stored = " AND NOT item_id = ANY(%(extra_ids)s::uuid[])"
        more = """
    UNION ALL SELECT 'memory', item_id, term, frequency::float8, length::float8
    FROM unnest(%(hit_ids)s::uuid[], %(hit_terms)s::text[], %(hit_counts)s::int[], %(hit_lengths)s::int[]) x (item_id, term, frequency, length)"""
    terms = "ARRAY(SELECT u.term FROM terms_used u)" if shape.large else "%(terms)s::text[]"
    return [
        *(rare_terms() if shape.large else []),
        f"""
hits AS MATERIALIZED (
    SELECT item_kind, item_id, term, frequency::float8 AS frequency, length::float8 AS length FROM memories_posting
    WHERE {where} AND term = ANY({terms}){kind_filter(shape)}{stored}{more}
)""",
        *([] if shape.large else [_corpus(where + kind_filter(shape))]),
        f"""
weights AS MATERIALIZED (
    SELECT t.term, {_IDF} AS idf
    FROM (SELECT u.term, coalesce(d.df, 0)::float8 AS df FROM unnest({terms}) u(term)
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
    FROM (SELECT h.*, {_IDF} AS idf, mean FROM (SELECT *, count(*) OVER (PARTITION BY term)::float8 AS df FROM hits) h, corpus) f
    GROUP BY item_kind, item_id
)""",
    ]


def _corpus(where: str) -> str:
    return f"""
corpus AS MATERIALIZED (
    SELECT count(*)::float8 AS n, greatest(coalesce(avg(length), 1), 1)::float8 AS mean FROM memories_posting
    WHERE {where} AND term = ''
)"""


def _lexical_top(shape: Shape) -> str:
    best = f"greatest({each(shape, 'b{i}')})"
    return f"""
lexical_top AS MATERIALIZED (
    SELECT a.*, row_number() OVER () AS place
    FROM (SELECT item_kind, item_id FROM lexical WHERE {best} > 0 ORDER BY {best} DESC, item_id) s
    JOIN LATERAL ({allowed(shape)}) a ON true LIMIT %(candidates)s
)"""


def _pool(shape: Shape) -> list[str]:
    """Both lists together, the turns next to their best turns, and what stands in the place of what was found."""
    lists = ["dense_top"] if shape.dense else []
    columns = f"item_kind, item_id, {_ATTRIBUTES}"
    found = " UNION ALL ".join(f"SELECT {columns}, place FROM {name}" for name in [*lists, "lexical_top"])
    steps = [
        f"pool AS MATERIALIZED (SELECT DISTINCT ON (item_id) * FROM ({found}) f ORDER BY item_id, place)"
    ]
    parts = [f"SELECT {columns}, false AS ghost FROM pool"]
    if shape.memories:
        parts += _linked(shape, columns)
    if shape.episodes:
        steps.append(
            """
beside AS MATERIALIZED (
    SELECT DISTINCT p.session_id, p.seq + d.step AS seq FROM pool p, (VALUES (-1), (1)) d(step)
    WHERE p.item_kind = 'episode' AND p.place <= %(neighbours_of)s AND p.session_id IS NOT NULL
)"""
        )
        parts.append(
            f"""SELECT 'episode', {episode_attributes()}, false FROM beside b
    JOIN memories_episode e ON e.tenant_id = %(tenant)s AND e.session_id = b.session_id AND e.seq = b.seq
    WHERE e.subject_id = %(subject)s AND {episode_filter(shape)} AND NOT EXISTS (SELECT 1 FROM pool p WHERE p.item_id = e.id)"""
        )
    together = "\n    UNION ALL ".join(parts)
    return [*steps, f"\neverything AS MATERIALIZED (\n    {together}\n)"]


def _linked(shape: Shape, columns: str) -> list[str]:
    """Successors and other sides, where they may be recalled; and the ghosts, which only lend their words."""
    return [
        f"""SELECT {columns}, false FROM (
        SELECT l.item_kind AS kind, l.item_id AS id FROM (
            SELECT 'memory' AS item_kind, heir AS item_id FROM ghosts WHERE heir IS NOT NULL
            UNION SELECT 'memory', p.other FROM pairs p JOIN pool q ON q.item_id = p.one) l
        WHERE NOT EXISTS (SELECT 1 FROM pool p WHERE p.item_id = l.item_id)) w
    JOIN LATERAL (SELECT w.kind AS item_kind, w.id AS item_id) s ON true JOIN LATERAL ({allowed(shape)}) a USING (item_kind, item_id)""",
        """SELECT 'memory', g.item_id, 0, 'user', false, 0, NULL, %(now)s, %(now)s, NULL, NULL, true
    FROM (SELECT DISTINCT item_id FROM ghosts) g WHERE NOT EXISTS (SELECT 1 FROM pool p WHERE p.item_id = g.item_id)""",
    ]
