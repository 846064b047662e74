"""What a statement is placed among, and what a placement says: memories as the writer knows them, rules and decisions."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum

from memories.core.policy import Policy
from memories.core.statement import FactPart, Statement

RANK = {"user": 2, "operator": 2, "tool": 1, "import": 1, "assistant": 0}
"""Whose word may replace whose: nobody's of a lower rank."""


class Place(StrEnum):
    """What the writer does with a statement."""

    NEW = "new"
    REPEAT = "repeat"
    SAME_TURN = "same_turn"
    REVIVE = "revive"
    SUPERSEDE = "supersede"
    CONTRADICT = "contradict"
    HISTORY = "history"
    PLAN = "plan"
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
    expires_at: datetime | None = None
    event_start: datetime | None = None
    content: str = ""
    claim: bytes | None = None
    facts: tuple[FactPart, ...] = ()
    turn_ids: set[uuid.UUID] = field(default_factory=set)
    successor: uuid.UUID | None = None

    @property
    def current(self) -> bool:
        return self.status == "current"

    @property
    def starts(self) -> datetime:
        """From when it holds."""
        return self.valid_from or self.said_at

    @property
    def dated(self) -> bool:
        """Whether it says itself from when it holds; where it does not, it starts when it was said."""
        return self.valid_from is not None and self.valid_from != self.said_at


@dataclass(frozen=True, slots=True)
class SlotRules:
    """What the policy says about another value without words of change, and what this subject has taught so far.

    `kept` are pairs of value forms of a slot that a person let stand side by side; `many` the slots that by now hold several.
    """

    own_later: str = "supersede"
    other_later: str = "contradict"
    correction_window: timedelta = timedelta(minutes=30)
    kept: Mapping[str, frozenset[frozenset[str]]] = field(default_factory=dict)
    many: frozenset[str] = frozenset()

    @classmethod
    def of(cls, policy: Policy, kept: Mapping[str, frozenset[frozenset[str]]] | None = None) -> SlotRules:
        """The tenant's rules with what the subject taught."""
        pairs = dict(kept or {})
        enough = policy.integer("slot.many_after")
        return cls(
            own_later=policy.choice("slot.later.own"),
            other_later=policy.choice("slot.later.other"),
            correction_window=timedelta(minutes=policy.number("slot.correction_minutes")),
            kept=pairs,
            many=frozenset(slot for slot, found in pairs.items() if len(found) >= enough),
        )


@dataclass(frozen=True, slots=True)
class Placement:
    """The decision: `targets` are the memories that it concerns, `rule` and `reasons` say why.

    `disputed` are memories that it contradicts beside that. `until` is when what is new stops holding, where a later
    value is known already, `since` from when a corrected value holds; `shortened` the memory whose time it cuts short, because it comes between that one and the next.
    """

    place: Place
    rule: str
    targets: tuple[Known, ...] = ()
    reasons: tuple[str, ...] = ()
    disputed: tuple[Known, ...] = ()
    until: datetime | None = None
    since: datetime | None = None
    shortened: tuple[Known, ...] = ()


def reach_of(statement: Statement) -> tuple[str, uuid.UUID | None, uuid.UUID | None]:
    """(scope, agent, session): only memories of the same reach are the same memory."""
    agent = statement.agent_id if statement.scope == "agent" else None
    session = statement.session_id if statement.scope == "session" else None
    return statement.scope, agent, session


def rank(source: str) -> int:
    """How much the word of this source weighs against others'."""
    return RANK.get(source, 1)
