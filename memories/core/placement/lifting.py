"""Which constraint a permission ends: "可以用表格了", "you no longer need to sign my emails" (R12)."""

from __future__ import annotations

from collections.abc import Sequence

from memories.core.placement.placing import RANK, Known, Place, Placement, reach_of
from memories.core.statement import Statement


def place_lift(statement: Statement, known: Sequence[Known]) -> Placement:
    """The place of a statement that lifts: it succeeds the constraint of its key, or of the only key that fits its words.

    `known` are the subject's constraints, those of the statement's session among them. A permission with nothing to lift is
    refused: there is nothing to keep of it.
    """
    reaches = {reach_of(statement), ("session", None, statement.session_id)}
    mine = [one for one in known if one.current and one.key and one.reach in reaches]
    seen = [one for one in mine if statement.turn_id is not None and statement.turn_id in one.turn_ids]
    if seen and seen[0].kind != "constraint":
        return Placement(
            Place.SAME_TURN, "dedup.same_turn", (seen[0],), ("this turn has been learnt already",)
        )
    rules = [one for one in mine if one.kind == "constraint"]
    exact = [one for one in rules if one.key == statement.key]
    near = exact or [one for one in rules if _fits(statement.key, one.key)]
    if not near:
        return Placement(Place.REFUSE, "constraint.nothing_to_lift", (), ("no rule of this kind stands",))
    if len({one.key for one in near}) > 1:
        return Placement(Place.REFUSE, "constraint.unclear_lift", tuple(near), ("it fits several rules",))
    if RANK.get(statement.source, 1) < max(RANK.get(one.source, 1) for one in near):
        return Placement(Place.REFUSE, "constraint.source", tuple(near), ("said by one who may not lift it",))
    if statement.said_at < max(one.said_at for one in near):
        return Placement(Place.REFUSE, "constraint.older", tuple(near), ("the rule is younger",))
    return Placement(Place.SUPERSEDE, "constraint.lifted", tuple(near), ("allowed again",))


def _fits(lift: str, rule: str) -> bool:
    """A permission may name less than the rule did, or more."""
    words, others = set(lift.split()), set(rule.split())
    return bool(words) and bool(others) and (words <= others or others <= words)
