"""Finds what compaction keeps as memories of their own: binding sentences that nothing was learnt from yet (R10)."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from memories.core.importance import importance_of
from memories.core.keystatements import statement_kinds
from memories.core.kinds import Kind
from memories.core.sentences import sentences

MAX_CHARS: Final = 300
_KIND: Final[Mapping[str, Kind]] = {"decision": Kind.DECISION, "todo": Kind.TODO}
_OFFERED: Final = (
    Kind.PREFERENCE,
    Kind.PROFILE,
    Kind.FACT,
    Kind.EVENT,
    Kind.DECISION,
    Kind.TODO,
    Kind.PROCEDURE,
    Kind.CONCLUSION,
)
"""Constraints are not taken from a model: they are always injected, so a person must have laid them down."""

SCHEMA: Final[dict[str, Any]] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["digest", "memories"],
    "properties": {
        "digest": {"type": "string"},
        "memories": {
            "type": "array",
            "maxItems": 12,
            "items": {
                "type": "object",
                "additionalProperties": False,
                "required": ["kind", "content", "quote", "turn"],
                "properties": {
                    "kind": {"enum": [kind.value for kind in _OFFERED]},
                    "content": {"type": "string", "maxLength": MAX_CHARS},
                    "quote": {"type": "string", "maxLength": MAX_CHARS},
                    "turn": {"type": "integer"},
                },
            },
        },
    },
}
"""What a model answers with: the digest, and atomic memories with the exact words that prove them and their turn."""


@dataclass(frozen=True, slots=True)
class Said:
    """A turn of the span."""

    turn_id: uuid.UUID
    role: str
    text: str
    speaker: str
    said_at: datetime


@dataclass(frozen=True, slots=True)
class Atomic:
    """One memory out of a compaction; `quote` stands verbatim in the turn. `salience` is its importance in 0..1."""

    kind: Kind
    content: str
    quote: str
    salience: float
    said: Said
    rule: str


def by_rules(turns: Sequence[Said]) -> list[Atomic]:
    """The person's sentences that decide, limit, forbid, demand or leave something to do; as they were said."""
    found: list[Atomic] = []
    for turn in turns:
        if turn.role != "user":
            continue
        for start, end in sentences(turn.text):
            sentence = turn.text[start:end].strip()
            kinds = statement_kinds(sentence)
            if not kinds or not 4 <= len(sentence) <= MAX_CHARS:
                continue
            kind = next((_KIND[name] for name in kinds if name in _KIND), Kind.FACT)
            salience = importance_of(sentence, kind)
            found.append(Atomic(kind, sentence, sentence, salience, turn, f"compaction.{kinds[0]}"))
    return found


def by_model(answer: Mapping[str, Any], turns: Sequence[Said]) -> list[Atomic]:
    """The model's memories whose quote really stands in the turn that it names; the others are dropped."""
    found: list[Atomic] = []
    for item in answer.get("memories", ()):
        at = int(item["turn"]) - 1
        quote, content = str(item["quote"]).strip(), str(item["content"]).strip()
        if not 0 <= at < len(turns) or not content or len(quote) < 2 or quote not in turns[at].text:
            continue
        kind = Kind(item["kind"])
        found.append(
            Atomic(kind, content, quote, importance_of(content, kind), turns[at], "compaction.model")
        )
    return found
