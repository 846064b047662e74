"""Where a new statement goes among what is known: new, a repeat, a successor, history, a contradiction (R17, R18).

In order: (1) the same words, or the same fact, reinforce the memory that holds them; what had expired or was archived
comes back; (2) a keyed constraint replaces its key; (3) what stands in the slots of its facts decides (core/placement/order.py);
(4) the same claim in other words reinforces, too; (5) the rest is new. An assistant's words never replace a person's. No
step looks at likeness: numbers, negation, times and whom it is about are compared as such.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from memories.core.placement.known import RANK, Known, Place, Placement, SlotRules, rank, reach_of
from memories.core.placement.order import by_slot, revived, seen_in_turn
from memories.core.statement import Statement
from memories.core.values.compare import same_claim

__all__ = ["RANK", "Known", "Place", "Placement", "SlotRules", "place", "reach_of"]


def place(
    statement: Statement,
    fingerprint: bytes,
    known: Sequence[Known],
    rules: SlotRules | None = None,
    claim: bytes | None = None,
) -> Placement:
    """The place of one statement among the known memories of its subject.

    `fingerprint` is of its words, `claim` of its words without those that carry nothing (core/placement/claims.py).
    """
    rules = rules or SlotRules()
    mine = [one for one in known if one.reach == reach_of(statement)]
    same = [one for one in mine if one.fingerprint == fingerprint]
    if (seen := seen_in_turn(statement, same)) is not None:
        return seen
    if (exact := _first(same, "current")) is not None:
        return Placement(Place.REPEAT, "dedup.exact", (exact,))
    if (waiting := _first(same, "pending")) is not None:
        return Placement(Place.WAITING, "approval.waiting", (waiting,))
    if statement.kind == "constraint" and statement.key:
        return _keyed(statement, mine)
    if (found := _by_facts(statement, mine, rules)) is not None:
        return found
    if (merged := _survivor(same, mine)) is not None:
        return Placement(Place.REPEAT, "dedup.merged", (merged,))
    if claim is not None and not statement.facts and (told := _told(statement, claim, mine)) is not None:
        return told
    return revived(same) or Placement(Place.NEW, statement.rule)


def _keyed(statement: Statement, mine: Sequence[Known]) -> Placement:
    """A constraint takes the place of the one with its key, or of what lifted that one, if its speaker may."""
    old = [one for one in mine if one.current and one.key == statement.key]
    if not old:
        return Placement(Place.NEW, statement.rule)
    if rank(statement.source) < max(rank(one.source) for one in old):
        return Placement(
            Place.REFUSE, "constraint.source", tuple(old), ("said by one who may not replace it",)
        )
    if statement.said_at < (newest := max(one.said_at for one in old)):
        reason = ("a later one has this key",)
        return Placement(Place.HISTORY, "constraint.older", tuple(old), reason, until=newest)
    return Placement(Place.SUPERSEDE, "constraint.key", tuple(old), ("same key",))


def _by_facts(statement: Statement, mine: Sequence[Known], rules: SlotRules) -> Placement | None:
    """A repeat of, or a conflict with, what stands in the facts' slots; None when neither.

    A statement of several facts repeats only a memory that has them all; its conflicts are those of each of its facts.
    """
    found = [one for fact in statement.facts if (one := by_slot(statement, fact, mine, rules)) is not None]
    if len(statement.facts) < 2:
        return found[0] if found else None
    repeats = [one for one in found if one.place in {Place.REPEAT, Place.SAME_TURN, Place.REVIVE}]
    if len(repeats) == len(statement.facts) and len({one.targets[0].id for one in repeats}) == 1:
        return repeats[0]
    ending = [one for one in found if one.place is Place.SUPERSEDE]
    disputed = _union(one.targets for one in found if one.place is Place.CONTRADICT)
    if ending:
        return replace(ending[0], targets=_union(one.targets for one in ending), disputed=disputed)
    if disputed:
        return Placement(Place.CONTRADICT, "slot.unclear", disputed, ("same slot, another value",))
    return next((one for one in found if one.place in {Place.HISTORY, Place.PLAN}), None)


def _told(statement: Statement, claim: bytes, mine: Sequence[Known]) -> Placement | None:
    """The memory without structure that makes the same claim in other words (R17)."""
    for one in mine:
        if one.claim == claim and one.kind == statement.kind and one.current:
            if statement.event_start != one.event_start or not same_claim(statement.content, one.content):
                continue
            return Placement(Place.REPEAT, "dedup.claim", (one,), ("the same claim in other words",))
    return None


def _survivor(same: Sequence[Known], mine: Sequence[Known]) -> Known | None:
    """The current memory that a merged one went into."""
    targets = {one.successor for one in same if one.status == "merged"}
    return next((one for one in mine if one.current and one.id in targets), None)


def _first(rows: Sequence[Known], status: str) -> Known | None:
    return next((one for one in rows if one.status == status), None)


def _union(groups: Iterable[tuple[Known, ...]]) -> tuple[Known, ...]:
    return tuple({one.id: one for group in groups for one in group}.values())
