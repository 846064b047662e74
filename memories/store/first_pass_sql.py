"""What of the recall statement is different for a large subject: bits before vectors, and no terms that most of it holds.

An exact scan, BM25's counts and the postings of common words all grow with the subject. Above `recall.exact_up_to` items:
the nearest by Hamming distance of the bits, read from the index alone, are compared exactly, and what lies beyond an edge that
a sample gives is not even sorted; the number of items and their mean length come along as parameters (store.sizes); and terms
are used from the rarest on, as long as they stand in at most MOST_HITS items together: what is everywhere tells little of any
one.
"""

from __future__ import annotations

import math

from memories.store.recall_shape import Shape, each

MOST_HITS = 2_000
"""Postings that are read of a large subject for one question."""
SAMPLE = 2_000
"""Items whose distances tell from where on nothing needs to be sorted."""
EDGE = 100
"""The place in the sorted sample that is the edge, at least: about a twentieth of the subject stays. What lies nearer than
that is never left out, so that a sample of which a twentieth is about the question does no harm."""
_WHOLE = 100_000
"""Items from which on `recall.first_pass` holds in full; smaller subjects need fewer for the same share of the nearest."""
_LEAST = 200


def passed(first_pass: int, items: int) -> int:
    """How many of that many items are compared exactly: with the square root of their number, between 200 and `first_pass`.

    Measured over a generated store: 268 of 20,000 keep .997 of the ten nearest, 600 of 100,000 .994.
    """
    return min(first_pass, max(_LEAST, round(first_pass * math.sqrt(min(1.0, items / _WHOLE)))))


def first_pass(shape: Shape, kinds: str) -> str:
    """`dense` for a large subject: the exact cosines of those that are nearest by bits.

    What has no bits yet counts as near: rows are filled in batches after an upgrade.
    """
    distances = each(shape, "coalesce(bits <~> (SELECT binary_quantize(v{i})::varbit FROM question), 0)")
    nearest = f"least({distances})" if shape.forms > 1 else distances
    cosines = each(shape, "-(e.vector <#> (SELECT v{i} FROM question)) AS c{i}")
    mine = f"tenant_id = %(tenant)s AND subject_id = %(subject)s AND space_id = %(space)s{kinds}"
    # Putting each of 100,000 rows into the sort, even to throw it out again, takes as long as their distances.
    return f"""
edge AS MATERIALIZED (
    SELECT coalesce((
        SELECT d FROM (SELECT {nearest} AS d FROM memories_embedding WHERE {mine} LIMIT {SAMPLE}) s
        ORDER BY d OFFSET greatest({EDGE}, 2.5 * {SAMPLE} * %(first_pass)s::int / %(items)s::float8)::int LIMIT 1
    ), 'Infinity') AS d
),
dense AS MATERIALIZED (
    SELECT e.item_kind, e.item_id, {cosines}
    FROM (SELECT item_id FROM memories_embedding
          WHERE {mine} AND {nearest} <= (SELECT d FROM edge)
          ORDER BY {nearest} LIMIT %(first_pass)s) f
    JOIN memories_embedding e ON e.tenant_id = %(tenant)s AND e.space_id = %(space)s AND e.item_id = f.item_id
)"""


def rare_terms() -> list[str]:
    """`terms_used`: the question's terms, rarest first, up to MOST_HITS postings; always the rarest. And `corpus`, as measured."""
    return [
        f"""
counts AS MATERIALIZED (
    SELECT u.term, (SELECT count(*) FROM (
        SELECT 1 FROM memories_posting p
        WHERE p.tenant_id = %(tenant)s AND p.subject_id = %(subject)s AND p.term = u.term LIMIT {MOST_HITS + 1}) c) AS df
    FROM unnest(%(terms)s::text[]) u(term)
)""",
        f"""
terms_used AS MATERIALIZED (
    SELECT term FROM (
        SELECT term, sum(df) OVER (ORDER BY df, term) AS together, row_number() OVER (ORDER BY df, term) AS place
        FROM counts WHERE df > 0
    ) o WHERE together <= {MOST_HITS} OR place = 1
)""",
        "corpus AS MATERIALIZED (SELECT %(items)s::float8 AS n, %(mean_length)s::float8 AS mean)",
    ]
