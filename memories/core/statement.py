"""A statement ready to be kept: screened, with its fact, its times and where it was said; what the writer writes."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache
from typing import Any

from memories.core.values.forms import value_form
from memories.core.values.normalise import slot_key


@dataclass(frozen=True, slots=True)
class FactPart:
    """The structured form: `entity` is "user" for the person whose memory it is, `attribute` canonical, `value` as said."""

    entity: str
    attribute: str
    value: str
    single: bool = False
    negated: bool = False

    @property
    def slot(self) -> str:
        """The key that facts about the same thing share, at most 320 characters."""
        return _slot(self.entity, self.attribute)

    @property
    def value_form(self) -> str:
        """The same for the same value written differently."""
        return value_form(self.value)


@dataclass(frozen=True, slots=True)
class Statement:
    """One thing to keep. `content` is screened: what may be shown, embedded and indexed.

    `clear` is the unmasked text, for the kind sensitive only (stored encrypted). `quote` is the screened evidence. Times
    are aware; `importance` is 0..1. `fact` is what it states, `more` further facts of the same sentence. `update` and `correction` say that the words themselves replace something older, `replaces` which value, where they name it, `confirms` that nothing changed.
    `lifts` says that the words allow what the constraint of this key forbids.
    """

    content: str
    kind: str
    source: str
    said_at: datetime
    clear: str | None = None
    language: str = "en"
    speaker: str = ""
    quote: str = ""
    rule: str = ""
    reasons: tuple[str, ...] = ()
    importance: float = 0.5
    importance_level: str = ""
    explicit: bool = False
    update: bool = False
    correction: bool = False
    confirms: bool = False
    replaces: str | None = None
    amends: str | None = None
    """The right value where the words name two values and nothing else ("it's 700, not 600"): core/placement/anchoring.py finds of what."""
    open: bool = False
    """The words name the fact only in part ("会员" for "爱奇艺会员"): core/placement/anchoring.py finds which one."""
    around: str = ""
    """The sentence of what is `open`, while it is looked up; never stored."""
    delta: str | None = None
    """By how much the value of the fact changed ("+一周"): core/placement/anchoring.py finds what it comes to."""
    fact: FactPart | None = None
    more: tuple[FactPart, ...] = ()
    key: str = ""
    scope: str = "user"
    agent_id: uuid.UUID | None = None
    session_id: uuid.UUID | None = None
    turn_id: uuid.UUID | None = None
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    event_start: datetime | None = None
    event_end: datetime | None = None
    expires_at: datetime | None = None
    expires_after_turns: int | None = None
    expires_with_session: bool = False
    lifts: bool = False
    tags: tuple[str, ...] = ()
    metadata: Mapping[str, Any] = field(default_factory=dict)
    pinned: bool = False
    from_compaction: bool = False
    needs_approval: bool = False
    approval: str = "approval.sensitive"
    """The rule that asks: it decides what a yes does (services/approve.py)."""

    @property
    def facts(self) -> tuple[FactPart, ...]:
        """All that it states in structured form; empty for encrypted content, whose values must not stand in the clear."""
        if self.fact is None or self.clear is not None:
            return ()
        return (self.fact, *self.more)

    @property
    def starts(self) -> datetime:
        """From when it holds: what it says of that, else when it was said."""
        return self.valid_from or self.said_at

    @property
    def over(self) -> bool:
        """It speaks of a period that had ended when it was said."""
        return self.valid_to is not None and self.valid_to <= self.said_at

    @property
    def planned(self) -> bool:
        """It speaks of what will hold from later on."""
        return self.valid_from is not None and self.valid_from > self.said_at


@lru_cache(maxsize=4096)
def _slot(entity: str, attribute: str) -> str:
    return slot_key(entity, attribute)[:320]
