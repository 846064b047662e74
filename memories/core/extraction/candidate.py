"""A memory candidate: one statement found in a turn, with its structure and the exact span that proves it."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from memories.core.kinds import Kind


@dataclass(frozen=True, slots=True)
class Candidate:
    """One thing worth remembering, as said.

    `content` is the sentence in the language it was said in; `quote` equals `text[start:end]` of the turn and contains the
    evidence. `subject` is "user" for the person whose memory it is, "user:boss" for someone in relation to them, else
    a name as said. `attribute` is canonical (English, snake case) where the table knows it, else the noun as said; `value`
    is as said. Times are aware: `valid_from`/`valid_to` say when the statement holds or the event happens, `expires_at`
    when a temporary statement stops being useful. `importance` is 0..1. `key` is set for constraints only. `negated` with an attribute means that the statement holds no longer ("我不住在杭州了").
    `replaces` is the old value where a correction names it ("不是 A，是 B"). What holds for a while only says so:
    `expires_after_turns` more rounds, or `expires_with_session`. `confirms` says that the words repeat what stood before ("没变，还是…"). `amends` is the new value of a bare correction ("it's 700, not 600"), of which
    only what is known tells the attribute. `open` marks a fact that
    the words name only in part ("会员" for "爱奇艺会员"), `delta` one that they tell as a difference ("+一周"): only what is known tells the rest. `lifts` marks a permission that ends the constraint of its key. `notable` marks an event that
    lies on another day than the one on which it is told or weighs much, and tells by itself what it was.
    """

    kind: Kind
    content: str
    subject: str
    quote: str
    start: int
    end: int
    rule: str
    attribute: str | None = None
    value: str | None = None
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    expires_at: datetime | None = None
    importance: float = 0.5
    explicit: bool = False
    correction: bool = False
    confirms: bool = False
    update: bool = False
    negated: bool = False
    key: str | None = None
    owner: str | None = None
    due: datetime | None = None
    single: bool = False
    language: str = "en"
    source: str = "user"
    replaces: str | None = None
    expires_after_turns: int | None = None
    expires_with_session: bool = False
    lifts: bool = False
    amends: str | None = None
    open: bool = False
    delta: str | None = None
    notable: bool = False
    around: str = ""
    """The sentence of what is `open`: its other words may name the fact that is meant."""
    names: tuple[str, ...] = field(default=())

    @property
    def slot(self) -> str | None:
        """The key of the fact's slot, or None when the candidate has no structure."""
        from memories.core.values.normalise import slot_key

        return slot_key(self.subject, self.attribute) if self.attribute else None
