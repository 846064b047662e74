"""What a context is made of: recalled entries and turns, before and after they are fitted into the budget."""

from __future__ import annotations

import uuid
from dataclasses import dataclass, field
from datetime import datetime

from memories.core.text.language import Language


@dataclass(frozen=True, slots=True)
class Entry:
    """A constraint, a memory, an episode or a digest that may stand in the context under a number.

    `said_at` carries the reader's time zone. `confidence` is 0..1. `score` is the recall's, 0 where it was not recalled.
    `stale` matters and was not confirmed for long; `ask` means that the person is to be asked whether it still holds.
    `holding` is "" for what holds now, else superseded, ended or upcoming; `since` and `until` say when it does.
    `contradicts` names the memories on the other side of open contradictions.
    """

    id: uuid.UUID
    item_kind: str
    kind: str
    text: str
    said_at: datetime | None = None
    source: str = "user"
    speaker: str = ""
    confidence: float = 1.0
    contradicted: bool = False
    stale: bool = False
    ask: bool = False
    score: float = 0.0
    holding: str = ""
    since: datetime | None = None
    until: datetime | None = None
    contradicts: tuple[uuid.UUID, ...] = ()


@dataclass(frozen=True, slots=True)
class TurnPiece:
    """A turn of the window. `text` is what is shown: a tool's result as its summary."""

    id: uuid.UUID
    role: str
    text: str
    speaker: str = ""


@dataclass(frozen=True, slots=True)
class Parts:
    """Everything that would like to stand in the context, in R6's order; memories best first, digests oldest first.

    `terms` are the question's index terms: long entries are shortened around them. `profile` is one line about the person;
    `constraints_beyond` counts rules that are not even tried. `aside`: the context stands beside another program's own
    instructions, and tells what is known without saying how to answer.
    """

    language: Language
    today: datetime
    constraints: list[Entry]
    memories: list[Entry]
    slots: str
    digests: list[Entry]
    turns: list[TurnPiece]
    message: str
    terms: frozenset[str] = frozenset()
    profile: str = ""
    constraints_beyond: int = 0
    aside: bool = False


@dataclass(frozen=True, slots=True)
class Limits:
    """Token limits: of the whole (with the margin counted in), of the constraints, of all recalled entries and of one.

    `keep_memories` best memories and `keep_turns` newest turns go last when room is short.
    """

    budget: int
    margin: float = 0.05
    constraint_cap: int = 600
    memory_cap: int = 2000
    entry_cap: int = 200
    turn_excerpt: int = 40
    keep_memories: int = 3
    keep_turns: int = 2


@dataclass(frozen=True, slots=True)
class Numbered:
    """An entry as it stands in the context."""

    number: int
    section: str
    entry: Entry
    text: str


@dataclass(frozen=True, slots=True)
class Assembled:
    """The messages, within the budget. `tokens` is the final count with the margin; `sections` splits it without.

    `left_out` counts what did not fit: constraints, memories, digests, turns, excerpts (turns shortened), slots, message.
    """

    messages: list[dict[str, str]]
    tokens: int
    sections: dict[str, int]
    numbered: list[Numbered]
    turn_ids: list[uuid.UUID]
    left_out: dict[str, int] = field(default_factory=dict)
