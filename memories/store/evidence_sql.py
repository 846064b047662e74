"""What turns and memories have to do with each other: turns whose statements were replaced, successors, contradictions."""

from __future__ import annotations

from memories.store.past_sql import memories, open_then
from memories.store.recall_shape import Shape

SHORT = 240
"""Bytes of UTF-8 (some 80 Chinese characters, 40 English words) up to which a turn is about what was learnt from it."""
COVERED = 0.6
"""A longer turn is, when what was learnt from it makes up this share of its text."""
FEW = 100
"""Replaced memories of a subject up to which their turns are listed once, instead of looking behind every turn."""
GHOSTS = 40
"""Best rows of each list, before any filter, that are looked at for statements whose successor is meant."""
_WHOLE = (
    f"(octet_length({{text}}) <= {SHORT} OR sum(octet_length(v.quote)) >= {COVERED} * octet_length({{text}}))"
)


def _learnt(shape: Shape, turn: str) -> str:
    """Evidence `v` of what was learnt from a turn, each with the state of the memory `m` that it is in now."""
    return f"""memories_evidence v JOIN {memories(shape)} ON m.tenant_id = %(tenant)s AND m.id = v.memory_id
        LEFT JOIN {memories(shape, "s")} ON m.status = 'merged' AND s.tenant_id = %(tenant)s AND s.id = m.superseded_by_id
        WHERE v.tenant_id = %(tenant)s AND v.turn_id = {turn} AND m.subject_id = %(subject)s
            AND m.status NOT IN ('forgotten', 'redacted')"""


_STATUS = "coalesce(s.status, m.status)"


def touched_turns(shape: Shape) -> list[str]:
    """`touched`: turns that taught what was replaced since. Most have none, and where `old` is more than FEW they are not listed."""
    if shape.as_of:
        return []
    return [
        f"""
old AS MATERIALIZED (
    SELECT id FROM memories_memory WHERE tenant_id = %(tenant)s AND subject_id = %(subject)s AND status IN ('superseded', 'merged')
    LIMIT {FEW + 1}
)""",
        """
touched AS MATERIALIZED (
    SELECT v.turn_id FROM old o JOIN memories_evidence v ON v.tenant_id = %(tenant)s AND v.memory_id = o.id
    WHERE v.turn_id IS NOT NULL
)""",
    ]


def _may_be_old(shape: Shape) -> str:
    """Whether something that the turn of episode `e` taught may have been replaced; false is certain."""
    if shape.as_of:
        return "true"
    return f"((SELECT count(*) FROM old) > {FEW} OR e.source_id IN (SELECT turn_id FROM touched))"


def replaced_turn(shape: Shape) -> str:
    """Whether all that was learnt from episode `e` was superseded, and there is little else in it (R18)."""
    return f"""{_may_be_old(shape)} AND coalesce((SELECT bool_and({_STATUS} = 'superseded') AND {_WHOLE.format(text="e.text")}
        FROM {_learnt(shape, "e.source_id")}), false)"""


def taught(shape: Shape) -> str:
    """Lateral columns of an answered episode `e`: gone, partly, since and until when what was replaced held."""
    return f"""SELECT coalesce(bool_and({_STATUS} = 'superseded') AND {_WHOLE.format(text="e.text")}, false) AS gone,
            coalesce(bool_or({_STATUS} = 'superseded'), false) AS partly,
            min(m.valid_from) FILTER (WHERE {_STATUS} = 'superseded') AS valid_from,
            max(coalesce(s.valid_to, m.valid_to)) FILTER (WHERE {_STATUS} = 'superseded') AS valid_to
        FROM {_learnt(shape, "e.source_id")} AND {_may_be_old(shape)}"""


def sources(shape: Shape) -> str:
    """The turns that a memory `m` comes from, newest first, as one array.

    A turn out of which something was taken on purpose is not pointed at any more. One that also said what another memory
    replaced since is left out as long as another turn says the same.
    """
    known = " AND v.said_at <= %(as_of)s" if shape.as_of else ""
    newest = "array_agg(v.turn_id ORDER BY v.said_at DESC, v.id DESC)"
    return f"""SELECT coalesce({newest} FILTER (WHERE NOT beside.replaced), {newest})
        FROM memories_evidence v CROSS JOIN LATERAL (
            SELECT coalesce(bool_or(o.status = 'superseded' AND o.superseded_by_id <> m.id), false) AS replaced
            FROM memories_evidence w JOIN {memories(shape, "o")} ON o.tenant_id = %(tenant)s AND o.id = w.memory_id
            WHERE w.tenant_id = %(tenant)s AND w.turn_id = v.turn_id AND o.subject_id = %(subject)s
        ) beside
        WHERE v.tenant_id = %(tenant)s AND v.memory_id = m.id AND v.turn_id IS NOT NULL{known} AND NOT EXISTS (
            SELECT FROM memories_episode t WHERE t.tenant_id = %(tenant)s AND t.source_kind = 'turn' AND t.source_id = v.turn_id
                AND t.subject_id = %(subject)s AND (t.status IN ('forgotten', 'redacted') OR t.text ~ %(taken)s)
        )"""


def ghosts(shape: Shape) -> list[str]:
    """`ghosts`: superseded memories near the question with the current one in their place; `pairs`: open contradictions.

    Both `lend`: what replaced or contradicts a statement is found by that statement's words, too.
    """
    steps = [
        f"""
pairs AS MATERIALIZED (
    SELECT p.one, p.other FROM memories_contradiction c,
        LATERAL (VALUES (c.older_id, c.newer_id), (c.newer_id, c.older_id)) p (one, other)
    WHERE c.tenant_id = %(tenant)s AND c.subject_id = %(subject)s AND {open_then(shape, "c")}
)"""
    ]
    if not shape.memories:
        return steps
    best = [
        f"SELECT item_id FROM lexical WHERE item_kind = 'memory' ORDER BY {_best(shape, 'b')} DESC, item_id"
    ]
    if shape.dense:
        best.append(
            f"SELECT item_id FROM dense WHERE item_kind = 'memory' ORDER BY {_best(shape, 'c')} DESC, item_id"
        )
    found = " UNION ".join(f"(SELECT item_id FROM ({sql} LIMIT {GHOSTS}) f)" for sql in best)
    hops = " ".join(
        f"LEFT JOIN {memories(shape, f'h{at}')} ON h{at}.tenant_id = %(tenant)s AND {before}.status = 'superseded' "
        f"AND h{at}.id = {before}.superseded_by_id"
        for at, before in ((1, "m"), (2, "h1"), (3, "h2"))
    )
    heir = "CASE 'current' WHEN h1.status THEN h1.id WHEN h2.status THEN h2.id WHEN h3.status THEN h3.id END"
    return [
        *steps,
        f"""
ghosts AS MATERIALIZED (
    SELECT m.id AS item_id, {heir} AS heir
    FROM ({found}) g JOIN {memories(shape)} ON m.tenant_id = %(tenant)s AND m.subject_id = %(subject)s AND m.id = g.item_id {hops}
    WHERE m.status = 'superseded'
)""",
    ]


def _best(shape: Shape, name: str) -> str:
    return "greatest(" + ", ".join(f"{name}{i}" for i in range(shape.forms)) + ")"
