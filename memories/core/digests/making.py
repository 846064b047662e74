"""Condenses turns into a digest by rules: the most telling sentences, and every key value with the words around it (R8)."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from memories.core.digests.keystatements import statement_kinds
from memories.core.digests.text import Fragment, Unit, language_of, read_units, render
from memories.core.digests.values import compact, holds, must_keep
from memories.core.text.language import Language
from memories.core.text.lexical import terms
from memories.core.text.tokens import TokenCounter, count

MAX_CHARS: Final = 150
MAX_WORDS: Final = 100
MAX_SHARE: Final = 0.25

_ROLE_WEIGHT: Final = {"user": 1.0, "digest": 1.0, "assistant": 0.45, "tool": 0.5}
_VALUE_GAIN: Final = 5.0
_STATEMENT_GAIN: Final = 4.0
_HARD_WEIGHT: Final = 0.5
"""Each of at most two numbers, dates, amounts, codes, contacts, titles: what is asked for later has one more often."""
_HARD: Final = frozenset({"snippet", "url", "email", "code", "amount", "date", "time", "number", "title"})
_ANSWER_WEIGHT: Final = 2.0
"""What somebody says when asked is about themselves, and is what others ask for again."""
_ADDRESSED_WEIGHT: Final = 0.7
_QUESTION_WEIGHT: Final = 0.5
_REACTION_WEIGHT: Final = 0.4
_SAME_TURN_WEIGHT: Final = 1.3
"""Two sentences of one turn explain each other better than two of different ones."""
_COMMON: Final = 6.0
"""What every new word is worth beside its rarity: a word that returns is what the conversation is about."""
_STEPS: Final = 32
"""Parts of the limit: a digest is held, values included, to a number of tokens by how many of them it has room for, found by halving."""


@dataclass(frozen=True, slots=True)
class DigestTurn:
    """A turn, or an older digest (role "digest"), to be condensed.

    `role` is user, assistant, tool or digest; `speaker` a name where there are several people, else empty.
    """

    role: str
    speaker: str
    text: str
    said_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Digest:
    """What stands for the turns: the text, the key values in it (each once, in order), its language and its length."""

    text: str
    values: tuple[str, ...]
    language: Language
    tokens: int


def make_digest(
    turns: Sequence[DigestTurn],
    *,
    max_chars: int = MAX_CHARS,
    max_words: int = MAX_WORDS,
    max_share: float = MAX_SHARE,
    max_tokens: int | None = None,
    counter: TokenCounter = count,
) -> Digest:
    """Whole sentences of the turns, as they were said and in their order, within a limit; beyond it only key values.

    The limit is max(max_chars, max_share of the source's characters), for English also max(max_words, max_share of its
    words). Sentences are taken greedily by what they add (new words, key values, binding statements; the user counts more than
    the assistant, an answer more than a question, what is said of oneself more than what is said to the other) per token. Then every key value and every rule, limit, prohibition,
    decision, format and open todo that is still missing is added in a compact form, outside the limit. Text that is no
    longer than the limit is kept as it is. An empty source gives an empty digest. With `max_tokens` fewer sentences are taken, so
    that the whole stays within it as far as the key values leave room.
    """
    units = read_units(turns)
    language = language_of(turns)
    source_chars = sum(len(unit.text) for unit in units)
    source_words = sum(len(unit.text.split()) for unit in units)
    chars = max(max_chars, int(max_share * source_chars))
    words = max(max_words, int(max_share * source_words))

    def made(steps: int) -> Digest:
        most_words = steps * words // _STEPS if language == "en" else None
        chosen = _choose(units, steps * chars // _STEPS, most_words, counter)
        fragments = [Fragment(units[at], units[at].text, at) for at in sorted(chosen)]
        return _finish(units, fragments, language, counter)

    whole = made(_STEPS)
    if max_tokens is None or whole.tokens <= max_tokens:
        return whole
    held, too_many, best = 0, _STEPS, None
    while too_many - held > 1:
        steps = (held + too_many) // 2
        tried = made(steps)
        if tried.tokens <= max_tokens:
            held, best = steps, tried
        else:
            too_many = steps
    return best or made(0)


def complete_digest(turns: Sequence[DigestTurn], text: str, *, counter: TokenCounter = count) -> Digest:
    """A digest that a model wrote, with what it left out appended: the values of `missing_values`, in compact form."""
    units = read_units(turns)
    language = language_of(turns)
    written = text.strip()
    added = _missing_fragments(units, written, with_statements=False)
    tail = render(added, language)
    joined = "\n".join(part for part in (written, tail) if part)
    return Digest(joined, _values_in(units, joined), language, counter(joined))


def missing_values(source_turns: Sequence[DigestTurn], digest_text: str) -> list[str]:
    """The key values of the turns that do not stand verbatim in the text, in their order, each once."""
    values = (value.text for unit in read_units(source_turns) for value in must_keep(unit))
    return [value for value in dict.fromkeys(values) if not holds(digest_text, value)]


def invented_values(source_turns: Sequence[DigestTurn], digest_text: str) -> list[str]:
    """The key values of the text that stand in none of the turns: what a model made up or changed."""
    source = "\n".join([*(turn.text for turn in source_turns), *_labels(source_turns)])
    found = (
        value.text
        for unit in read_units([DigestTurn("digest", "", digest_text)])
        for value in must_keep(unit)
    )
    return [value for value in dict.fromkeys(found) if not holds(source, value)]


def _labels(turns: Sequence[DigestTurn]) -> list[str]:
    """What a digest may add to the words: speakers and dates."""
    return [f"{turn.speaker} {turn.said_at:%Y-%m-%d}" if turn.said_at else turn.speaker for turn in turns]


def _choose(units: Sequence[Unit], chars: int, words: int | None, counter: TokenCounter) -> set[int]:
    """Indexes of the units that say most within the limits; each step takes the best gain per token."""
    bags = [terms(unit.text) for unit in units]
    spread: Counter[str] = Counter(term for bag in bags for term in bag)
    worth = {term: _COMMON + math.log(1 + len(units) / seen) for term, seen in spread.items()}
    bonus = [_bonus(unit) for unit in units]
    # Damped, so that a short remark does not beat a full sentence.
    rate = [_weight(unit) / (counter(unit.text) + 6) ** 0.8 for unit in units]
    covered: set[str] = set()
    begun: set[int] = set()
    chosen: set[int] = set()
    left_chars, left_words = chars, words
    open_units = {at for at, unit in enumerate(units) if not unit.is_small_talk}
    if any(bonus[at] for at in open_units):
        # Beside something worth keeping, what only asks, or an assistant's remark, is not: a digest may be short.
        open_units = {at for at in open_units if bonus[at] or not _is_idle(units[at])}

    def gain(at: int) -> float:
        fresh = sum(worth[term] for term in bags[at] if term not in covered)
        same = _SAME_TURN_WEIGHT if units[at].turn in begun else 1.0
        return same * rate[at] * (fresh + bonus[at]) if fresh else 0.0

    while open_units:
        open_units = {
            at
            for at in open_units
            if len(units[at].text) <= left_chars
            and (left_words is None or len(units[at].text.split()) <= left_words)
        }
        best = max(((gain(at), -at) for at in open_units), default=(0.0, 0))
        if best[0] <= 0:
            break
        at = -best[1]
        chosen.add(at)
        begun.add(units[at].turn)
        open_units.discard(at)
        covered.update(bags[at])
        left_chars -= len(units[at].text)
        if left_words is not None:
            left_words -= len(units[at].text.split())
    return chosen


def _is_idle(unit: Unit) -> bool:
    return unit.is_question or unit.role == "assistant"


def _weight(unit: Unit) -> float:
    """How likely what the unit says is asked for later, by who says it and how; 1 for a plain statement."""
    weight = _ROLE_WEIGHT.get(unit.role, 0.5) * (_QUESTION_WEIGHT if unit.is_question else 1.0)
    weight *= _REACTION_WEIGHT if unit.is_reaction else 1.0
    weight *= _ADDRESSED_WEIGHT if unit.is_addressed else 1.0
    weight *= _ANSWER_WEIGHT if unit.answers else 1.0
    return weight * (1 + _HARD_WEIGHT * min(2, sum(value.kind in _HARD for value in must_keep(unit))))


def _bonus(unit: Unit) -> float:
    values = min(len(must_keep(unit)), 2) * _VALUE_GAIN
    statement = _STATEMENT_GAIN if statement_kinds(unit.text) else 0.0
    return values + statement


def _finish(
    units: Sequence[Unit],
    fragments: list[Fragment],
    language: Language,
    counter: TokenCounter,
) -> Digest:
    kept = "\n".join(fragment.text for fragment in fragments)
    added = _missing_fragments(units, kept, with_statements=True)
    text = render(sorted([*fragments, *added], key=lambda fragment: fragment.order), language)
    return Digest(text, _values_in(units, text), language, counter(text))


def _missing_fragments(units: Sequence[Unit], text: str, *, with_statements: bool) -> list[Fragment]:
    """Compact pieces for every value, and with `with_statements` every binding statement, that the text lacks."""
    added: list[Fragment] = []
    seen = text
    for at, unit in enumerate(units):
        if with_statements and unit.binds and unit.text not in seen:
            added.append(Fragment(unit, compact(unit, None), at))
            seen += "\n" + added[-1].text
        for value in must_keep(unit):
            if not holds(seen, value.text):
                piece = compact(unit, value)
                added.append(Fragment(unit, piece if holds(piece, value.text) else value.text, at))
                seen += "\n" + added[-1].text
    return added


def _values_in(units: Sequence[Unit], text: str) -> tuple[str, ...]:
    values = dict.fromkeys(value.text for unit in units for value in must_keep(unit))
    return tuple(value for value in values if holds(text, value))
