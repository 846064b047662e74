"""What a decision of the engine looks like: an outcome, the rule that took it, and why."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Reason(StrEnum):
    """The reason codes that every write answers with (R13)."""

    STORED = "stored"
    DUPLICATE = "duplicate"
    SUPERSEDED = "superseded"
    CONTRADICTION = "contradiction"
    BLOCKED_SENSITIVE = "blocked_sensitive"
    NEEDS_APPROVAL = "needs_approval"
    NOT_WORTH_KEEPING = "not_worth_keeping"
    BUDGET = "budget"
    FORGOTTEN = "forgotten"
    ERROR = "error"


class SweepOutcome(StrEnum):
    """What a sweep does with a memory (R24)."""

    EXPIRE = "expire"
    ARCHIVE = "archive"
    EVICT = "evict"
    ASK = "ask"


@dataclass(frozen=True, slots=True)
class Decision:
    """An outcome with the rule id that took it and human-readable reasons.

    `reasons` hold rule words and numbers ("importance 0.80 >= 0.75"), never content, so a decision may be logged.
    """

    outcome: str
    rule: str
    reasons: tuple[str, ...] = ()
