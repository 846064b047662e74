"""Reads turns and older digests into sentences, and writes chosen sentences back as a digest's lines."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING, Final

from memories.core.digests.keystatements import statement_kinds
from memories.core.text.language import Language, detect
from memories.core.text.sentences import sentences

if TYPE_CHECKING:
    from memories.core.digests.making import DigestTurn

_LINE = re.compile(
    r"^(?:\[(\d{4}-\d{2}-\d{2})\] ?)?(?:([^\s:：，。,.!?！？\[\]][^:：，。,.!?！？\n]{0,23}): )?"
)
_FENCE = re.compile(r"```[\s\S]*?```")
_SEMICOLON = re.compile(r";\s+")
_SMALL_TALK = re.compile(
    r"(?:[嗯哦哈啊呀哎好的吧了呢是对行嘿]|谢谢(?:你|您)?|不客气|没关系|没事|你好|您好|早上好|晚上好|早安|晚安|再见|拜拜|辛苦了|收到|明白了?|知道了|可以的?|当然|"
    r"没问题|加油|太好了|真的|不错|有道理|[\s，。！？、~～!?,.…]|(?i:\b(?:hi|hey|hello|thanks?|thank you|so much|ok(?:ay)?|yes|yeah|yep|no|nope|sure|great|"
    r"cool|nice|wow|awesome|good (?:morning|night|evening|luck)|bye|see you|lol|haha|got it|sounds good|of course|you're welcome|no problem|absolutely|"
    r"really|right|exactly|perfect|congrats|congratulations|take care)\b))+"
)
_FIRST_PERSON = re.compile(r"我|咱|俺|\b(?:I|I'm|I've|I'd|I'll|my|we|our|we're|we've)\b", re.IGNORECASE)
_SECOND_PERSON = re.compile(r"你|您|\b(?:you|your|yours|you're|you've)\b", re.IGNORECASE)
_REACTION = re.compile(
    r"^(?:(?:wow|oh|aw+|haha|yeah|yes|thanks|thank you|hey|hi|congrats|congratulations)\b[^.!?]{0,24}[.!?]?$|"
    r"(?:(?:wow|oh|yeah|that|this|it|such|what|how)(?:'s| is| was| must| sounds?| looks?)?\b[^.!?]{0,40}\b(?:great|awesome|amazing|cool|nice|wonderful|"
    r"lovely|fantastic|incredible|sweet|beautiful|inspiring|exciting|fun|glad|happy|proud|sorry|true|tough|hard)\b)|"
    r"(?:sounds|looks|glad|happy|sorry|good|great|nice|can't wait|looking forward|take care|keep|best|hope|enjoy|stay)\b)|"
    r"^(?:哇|真棒|太棒|太好|真好|恭喜|祝|希望|加油|听起来|那太|那真|那挺|这样啊|原来|谢谢|感谢|很高兴)",
    re.IGNORECASE,
)
_QUESTION = re.compile(r"[?？]\s*$|[吗呢]\s*$")
_ASKS = re.compile(r"[?？]\s*(?:\[[^\]\n]*\]\s*)?$")
"""A turn that ends with a question, or with one and a bracketed note behind it, such as a picture's."""
_TERMINAL: Final = "。！？!?….；;"
_ROLE_LABEL: Final = {"assistant": {"zh": "助手", "en": "Assistant"}, "tool": {"zh": "工具", "en": "Tool"}}


@dataclass(frozen=True)
class Unit:
    """A sentence, or a block of code, with who said it and on which day; `people` are all who speak in the source.

    `turn` is its turn's place in the source; `answers` tells that a person says it right after somebody else's question.
    """

    text: str
    role: str
    label: str
    day: str
    people: frozenset[str] = frozenset()
    turn: int = 0
    answers: bool = False

    @cached_property
    def is_small_talk(self) -> bool:
        """Greetings, thanks and assent alone."""
        return _SMALL_TALK.fullmatch(self.text) is not None

    @cached_property
    def is_question(self) -> bool:
        return _QUESTION.search(self.text) is not None

    @cached_property
    def is_addressed(self) -> bool:
        """It speaks to the other one, and so of the other one more than of anything new."""
        return _SECOND_PERSON.search(self.text) is not None

    @cached_property
    def is_reaction(self) -> bool:
        """A remark about what the other one said: praise, sympathy, a wish."""
        return _REACTION.search(self.text) is not None or (
            self.is_addressed and _FIRST_PERSON.search(self.text) is None
        )

    @cached_property
    def binds(self) -> bool:
        """A rule, limit, prohibition, decision, format or todo by a person; an assistant's advice binds nobody."""
        return self.role in {"user", "digest"} and len(self.text) >= 4 and bool(statement_kinds(self.text))


@dataclass(frozen=True, slots=True)
class Fragment:
    """A piece of the digest: a unit's text or a compact form of it, and the unit's place in the source."""

    unit: Unit
    text: str
    order: int


def language_of(turns: Sequence[DigestTurn]) -> Language:
    """The language that most of the turns' text is in."""
    return detect("\n".join(turn.text for turn in turns))


def read_units(turns: Sequence[DigestTurn]) -> list[Unit]:
    """The sentences of the turns in order; an older digest is taken apart into its lines' dates and speakers again."""
    people = frozenset(turn.speaker for turn in turns if turn.speaker)
    names = {turn.speaker for turn in turns if turn.speaker and turn.role in {"user", "assistant"}}
    units: list[Unit] = []
    asker: tuple[str, str] | None = None
    for at, turn in enumerate(turns):
        day = f"{turn.said_at:%Y-%m-%d}" if isinstance(turn.said_at, datetime) else ""
        if turn.role == "digest":
            for line in turn.text.split("\n"):
                head = _LINE.match(line)
                assert head is not None
                units.extend(
                    _units(line[head.end() :], _role_of(head[2]), head[2] or "", head[1] or day, people, at)
                )
            continue
        label = turn.speaker if len(names) > 1 else _ROLE_LABEL.get(turn.role, {}).get(detect(turn.text), "")
        who = (turn.role, turn.speaker)
        answers = turn.role == "user" and asker is not None and asker != who
        said = list(_units(turn.text, turn.role, label, day, people, at, answers))
        units.extend(said)
        asker = who if said and (said[-1].is_question or _ASKS.search(turn.text)) else None
    return units


def _role_of(label: str | None) -> str:
    """The role behind a label in an older digest; a person's name, or none, counts as the user."""
    for role, names in _ROLE_LABEL.items():
        if label in names.values():
            return role
    return "digest"


def _units(
    text: str, role: str, label: str, day: str, people: frozenset[str], turn: int, answers: bool = False
) -> Iterator[Unit]:
    for piece in _pieces(text):
        stripped = piece.strip()
        if stripped:
            yield Unit(stripped, role, label, day, people, turn, answers)


def _pieces(text: str) -> Iterator[str]:
    """Fenced code whole, and the sentences around it."""
    at = 0
    for fence in _FENCE.finditer(text):
        yield from _sentences(text[at : fence.start()])
        yield fence.group()
        at = fence.end()
    yield from _sentences(text[at:])


def _sentences(text: str) -> Iterator[str]:
    for start, end in sentences(text):
        yield from _SEMICOLON.split(text[start:end])


def render(fragments: Sequence[Fragment], language: Language) -> str:
    """One line for each run of fragments of one day and speaker: "[2026-01-05] name: sentence sentence"."""
    lines: list[str] = []
    shown_day, last = "", None
    for fragment in fragments:
        unit = fragment.unit
        text = fragment.text.strip().rstrip("，,、")
        if not text:
            continue
        if last is None or (unit.day, unit.label) != last or "\n" in text:
            head = f"[{unit.day}] " if unit.day and unit.day != shown_day else ""
            shown_day = unit.day or shown_day
            lines.append(head + (f"{unit.label}: " if unit.label else "") + text)
        else:
            lines[-1] += _glue(lines[-1], text) + text
        last = (unit.day, unit.label)
    return "\n".join(lines)


def _glue(before: str, after: str) -> str:
    chinese = detect(before[-12:] + after[:12]) == "zh"
    if before[-1] in _TERMINAL:
        # Never straight after an ASCII stop: "1." and "0" must not become 1.0.
        return "" if chinese and not before[-1].isascii() else " "
    return "；" if chinese else "; "
