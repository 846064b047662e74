"""The kinds of memory and the few facts about a kind that no policy may change."""

from __future__ import annotations

from enum import StrEnum


class Kind(StrEnum):
    """What a memory is; decides its half-life (policy) and how the sweep treats it."""

    PREFERENCE = "preference"
    PROFILE = "profile"
    FACT = "fact"
    EVENT = "event"
    DECISION = "decision"
    CONSTRAINT = "constraint"
    TODO = "todo"
    DIGEST = "digest"
    CHUNK = "chunk"
    PROCEDURE = "procedure"
    CONCLUSION = "conclusion"
    SENSITIVE = "sensitive"


class Level(StrEnum):
    """An importance level that a person or a rule set by name; replaces the kind's half-life."""

    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"


class Source(StrEnum):
    """Who said it; the policy gives each a credibility."""

    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"
    IMPORT = "import"
    OPERATOR = "operator"


NEVER_DECAYS = frozenset({Kind.PROFILE, Kind.CONSTRAINT})
"""Kinds without a half-life (R12)."""

NEVER_SWEPT = frozenset({Kind.PROFILE, Kind.CONSTRAINT, Kind.PREFERENCE})
"""Kinds that neither the strength floor nor the capacity limit takes (R24); TTL expiry still does."""

NEVER_PINNED = frozenset({Kind.SENSITIVE})
"""Kinds that may not be pinned (R28)."""
