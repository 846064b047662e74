"""Finds what compaction keeps as memories of their own: binding sentences that nothing was learnt from yet (R10)."""

from __future__ import annotations

import re
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from memories.core.digests.keystatements import statement_kinds
from memories.core.extraction.directives import decision
from memories.core.importance import importance_of
from memories.core.kinds import Kind
from memories.core.text.sentences import sentences
from memories.core.values.keyvalues import key_values

MAX_CHARS: Final = 300
_KIND: Final[Mapping[str, Kind]] = {"decision": Kind.DECISION, "todo": Kind.TODO}
_VALUES: Final = frozenset({"number", "amount", "date", "time", "code", "url", "email", "snippet"})
_CONCLUDES: Final = re.compile(
    r"\bmust(?:['’]ve| have| not have|n['’]t have)\b|\bmust-\w+|\ba must\b|一定是|想必", re.I
)
"""What must have been so is what somebody concludes, and binds nobody."""
_IMAGINED: Final = re.compile(
    r"\bmust(?: (?:still|really|also|all|just|surely|certainly|definitely|so))* "
    r"(?:be|feel|look|seem|sound|bring|make|mean|know|like|love|enjoy|hate|miss|want|need|remind|take)\b",
    re.I,
)
"""What must be or feel some way: a rule only where it gives a value ("must be under 40 pages")."""
_PLAINLY: Final[Mapping[str, re.Pattern[str]]] = {
    "prohibition": re.compile(r"."),
    "rule": re.compile(
        r"\bmust\b|\bis required to\b|\bfrom now on\b|\bthe rule is\b|\bby default\b|^(?:please )?(?:always|only)\b"
        r"|(?:(?<!现在)(?<!现在我)必须|务必|一律|统一|规定|以后(?:都|请|要|不|一律)|默认|只允许|只接受)[^，。！？]{2,}",
        re.I,
    ),
    "decision": re.compile(
        r"\b(?:we|i)(?:['’]ve| have)? (?:decided|agreed|settled|approved)\b|\blet's go with\b|\bsigned off\b"
        r"|(?:决定|选定|敲定|同意)(?!了?[，。！？]|了?$)[^，。！？]{2,}",
        re.I,
    ),
    "todo": re.compile(
        r"(?:^|please |could you |can you )remind me to\b|\b(?:i|we) (?:still )?(?:need|have) to\b[^.!?]*\bby\b|提醒我[^，。！？]{2,}|(?:我|我们)(?:要|得|会|负责)[^，。！？]{2,}",
        re.I,
    ),
}
"""What binds without any value in it, by kind of statement; a limit or a format is nothing without one."""
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
    """The person's sentences that decide, limit, forbid, demand or leave something to do; as they were said.

    Each has a value that must not be lost (a number, a date, a code, an address), or says plainly what holds. What somebody
    only supposes ("that must have been fun") is none.
    """
    found: list[Atomic] = []
    for turn in turns:
        if turn.role != "user":
            continue
        for start, end in sentences(turn.text):
            sentence = turn.text[start:end].strip()
            kinds = statement_kinds(sentence)
            if not 4 <= len(sentence) <= MAX_CHARS or not _binds(sentence, kinds):
                continue
            decides = decision(sentence) is not None or _PLAINLY["decision"].search(sentence) is not None
            kind = next(
                (_KIND[name] for name in kinds if name in _KIND and (name != "decision" or decides)),
                Kind.FACT,
            )
            salience = importance_of(sentence, kind)
            found.append(Atomic(kind, sentence, sentence, salience, turn, f"compaction.{kinds[0]}"))
    return found


def _binds(sentence: str, kinds: Sequence[str]) -> bool:
    if not kinds or _CONCLUDES.search(sentence):
        return False
    if any(value.kind in _VALUES for value in key_values(sentence)):
        return True
    if "decision" in kinds and decision(sentence) is None:
        kinds = [kind for kind in kinds if kind != "decision"]
    plain = _IMAGINED.sub(" ", sentence)
    return any(kind in _PLAINLY and _PLAINLY[kind].search(plain) is not None for kind in kinds)


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
