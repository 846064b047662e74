"""Where a new statement goes among what is known: new, a repeat, a successor, a contradiction (R17, R18, first form).

In order: (1) the same words, or the same fact, reinforce the memory that holds them; what had expired or was archived
comes back; (2) a keyed constraint replaces its key; (3) another value of a single-valued slot supersedes the old one when
the words say so, or when the person says it later about themselves; else both stand and a contradiction is opened; (4) the
rest is new. An assistant's words never replace a person's.
"""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from memories.core.statement import FactPart, Statement, value_form

RANK = {"user": 2, "operator": 2, "tool": 1, "import": 1, "assistant": 0}
"""Whose word may replace whose: nobody's of a lower rank."""

ABOUT_ONESELF = frozenset({"profile", "fact", "preference", "conclusion"})


class Place(StrEnum):
    """What the writer does with a statement."""

    NEW = "new"
    REPEAT = "repeat"
    SAME_TURN = "same_turn"
    REVIVE = "revive"
    SUPERSEDE = "supersede"
    CONTRADICT = "contradict"
    HISTORY = "history"
    WAITING = "waiting"
    REFUSE = "refuse"


@dataclass(slots=True)
class Known:
    """A memory of the subject that may be about the same; the writer keeps it up to date while it places a batch."""

    id: uuid.UUID
    status: str
    kind: str
    source: str
    said_at: datetime
    fingerprint: bytes
    reach: tuple[str, uuid.UUID | None, uuid.UUID | None]
    key: str = ""
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    facts: tuple[FactPart, ...] = ()
    turn_ids: set[uuid.UUID] = field(default_factory=set)
    successor: uuid.UUID | None = None

    @property
    def current(self) -> bool:
        return self.status == "current"


@dataclass(frozen=True, slots=True)
class Placement:
    """The decision: `targets` are the memories that it concerns, `rule` and `reasons` say why."""

    place: Place
    rule: str
    targets: tuple[Known, ...] = ()
    reasons: tuple[str, ...] = ()


def reach_of(statement: Statement) -> tuple[str, uuid.UUID | None, uuid.UUID | None]:
    """(scope, agent, session): only memories of the same reach are the same memory."""
    agent = statement.agent_id if statement.scope == "agent" else None
    session = statement.session_id if statement.scope == "session" else None
    return statement.scope, agent, session


def place(statement: Statement, fingerprint: bytes, known: Sequence[Known]) -> Placement:
    """The place of one statement among the known memories of its subject."""
    mine = [one for one in known if one.reach == reach_of(statement)]
    same = [one for one in mine if one.fingerprint == fingerprint]
    seen = [one for one in same if statement.turn_id is not None and statement.turn_id in one.turn_ids]
    if seen:
        return Placement(
            Place.SAME_TURN, "dedup.same_turn", (seen[0],), ("this turn has been learnt already",)
        )
    if (exact := _first(same, "current")) is not None:
        return Placement(Place.REPEAT, "dedup.exact", (exact,))
    if (waiting := _first(same, "pending")) is not None:
        return Placement(Place.WAITING, "approval.waiting", (waiting,))
    if statement.kind == "constraint" and statement.key:
        return _keyed(statement, mine)
    conflict = _by_slot(statement, mine)
    if conflict is not None:
        return conflict
    if (merged := _survivor(same, mine)) is not None:
        return Placement(Place.REPEAT, "dedup.merged", (merged,))
    gone = [one for one in same if one.status in {"archived", "expired"}]
    if gone:
        newest = max(gone, key=lambda one: (one.said_at, one.id))
        return Placement(Place.REVIVE, f"dedup.revive.{newest.status}", (newest,))
    return Placement(Place.NEW, statement.rule)


def _keyed(statement: Statement, mine: Sequence[Known]) -> Placement:
    """A constraint takes the place of the one with its key, if its speaker may."""
    old = [one for one in mine if one.current and one.kind == "constraint" and one.key == statement.key]
    if not old:
        return Placement(Place.NEW, statement.rule)
    if _rank(statement.source) < max(_rank(one.source) for one in old):
        return Placement(
            Place.REFUSE, "constraint.source", tuple(old), ("said by one who may not replace it",)
        )
    if statement.said_at < max(one.said_at for one in old):
        return Placement(Place.HISTORY, "constraint.older", tuple(old), ("a later one has this key",))
    return Placement(Place.SUPERSEDE, "constraint.key", tuple(old), ("same key",))


def _by_slot(statement: Statement, mine: Sequence[Known]) -> Placement | None:
    """A repeat of, or a conflict with, what stands in the fact's slot; None when neither."""
    fact = statement.fact
    if fact is None:
        return None
    holders = [one for one in mine if one.current and any(other.slot == fact.slot for other in one.facts)]
    same = [one for one in holders if any(_same_fact(fact, other) for other in one.facts)]
    # A period that is over is history beside the present value; a plan for later does not end the present one yet.
    past = statement.valid_to is not None and statement.valid_to <= statement.said_at
    future = (
        statement.valid_from is not None
        and statement.valid_from > statement.said_at
        and not statement.correction
    )
    if same:
        seen = [one for one in same if statement.turn_id is not None and statement.turn_id in one.turn_ids]
        if seen:
            return Placement(
                Place.SAME_TURN, "dedup.same_turn", (seen[0],), ("this turn has been learnt already",)
            )
        if not past and not future:
            return Placement(Place.REPEAT, "dedup.fact", (same[0],), ("same slot and value",))
    if past or future:
        return None
    against = [one for one in holders if _conflicts(statement, fact, one, len(holders))]
    if not against:
        return None
    newest = max(one.valid_from or one.said_at for one in against)
    if statement.said_at < newest:
        return Placement(
            Place.HISTORY, "slot.older", tuple(against), ("a later statement stands in the slot",)
        )
    rule = _replaces(statement, fact, against)
    if rule is None:
        return Placement(Place.CONTRADICT, "slot.unclear", tuple(against), ("same slot, another value",))
    return Placement(Place.SUPERSEDE, rule, tuple(against), ("same slot, another value",))


def _same_fact(fact: FactPart, other: FactPart) -> bool:
    return other.slot == fact.slot and other.negated == fact.negated and other.value_form == fact.value_form


def _conflicts(statement: Statement, fact: FactPart, one: Known, holders: int) -> bool:
    """Whether both cannot hold: yes and no to the same value, or two values where only one can be."""
    if one.valid_to is not None and one.valid_to <= statement.said_at:
        return False
    for other in one.facts:
        if other.slot != fact.slot:
            continue
        if other.value_form == fact.value_form:
            if other.negated != fact.negated:
                return True
        elif not other.negated and not fact.negated:
            if fact.single or other.single:
                return True
            # Where several values can be, words of correction mean the value that they name, else the only one.
            if statement.replaces is not None:
                return value_form(statement.replaces) == other.value_form
            if statement.correction and holders == 1:
                return True
    return False


def _replaces(statement: Statement, fact: FactPart, against: Sequence[Known]) -> str | None:
    """The rule by which the statement takes the place of those, or None when that is not clear."""
    if _rank(statement.source) == 0 or _rank(statement.source) < max(_rank(one.source) for one in against):
        return None
    if statement.correction:
        return "slot.correction"
    if statement.update:
        return "slot.update"
    if statement.explicit:
        return "slot.explicit"
    later = all(statement.said_at > one.said_at for one in against)
    if later and fact.entity == "user" and statement.kind in ABOUT_ONESELF:
        return "slot.later"
    return None


def _survivor(same: Sequence[Known], mine: Sequence[Known]) -> Known | None:
    """The current memory that a merged one went into."""
    targets = {one.successor for one in same if one.status == "merged"}
    return next((one for one in mine if one.current and one.id in targets), None)


def _first(rows: Sequence[Known], status: str) -> Known | None:
    return next((one for one in rows if one.status == status), None)


def _rank(source: str) -> int:
    return RANK.get(source, 1)
