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
_VALUE_GAIN: Final = 2.5
_STATEMENT_GAIN: Final = 4.0
_FIRST_PERSON_WEIGHT: Final = 1.4
_QUESTION_WEIGHT: Final = 0.5
_REACTION_WEIGHT: Final = 0.4


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
    counter: TokenCounter = count,
) -> Digest:
    """Whole sentences of the turns, as they were said and in their order, within a limit; beyond it only key values.

    The limit is max(max_chars, max_share of the source's characters), for English also max(max_words, max_share of its
    words). Sentences are taken greedily by what they add (new words that are rare here, key values, binding statements;
    the user counts more than the assistant) per character. Then every key value and every rule, limit, prohibition,
    decision, format and open todo that is still missing is added in a compact form, outside the limit. Text that is no
    longer than the limit is kept as it is. An empty source gives an empty digest.
    """
    units = read_units(turns)
    language = language_of(turns)
    source_chars = sum(len(unit.text) for unit in units)
    source_words = sum(len(unit.text.split()) for unit in units)
    chars = max(max_chars, int(max_share * source_chars))
    words = max(max_words, int(max_share * source_words))
    chosen = _choose(units, chars, words if language == "en" else None)
    fragments = [Fragment(units[at], units[at].text, at) for at in sorted(chosen)]
    return _finish(turns, units, fragments, language, counter)


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


def _choose(units: Sequence[Unit], chars: int, words: int | None) -> set[int]:
    """Indexes of the units that say most within the limits; each step takes the best gain per character."""
    bags = [terms(unit.text) for unit in units]
    spread: Counter[str] = Counter(term for bag in bags for term in bag)
    rarity = {term: math.log(1 + len(units) / seen) for term, seen in spread.items()}
    bonus = [_bonus(unit) for unit in units]
    covered: set[str] = set()
    chosen: set[int] = set()
    left_chars, left_words = chars, words
    open_units = {at for at, unit in enumerate(units) if not unit.is_small_talk}
    if any(bonus[at] for at in open_units):
        # Beside something worth keeping, what only asks, or an assistant's remark, is not: a digest may be short.
        open_units = {at for at in open_units if bonus[at] or not _is_idle(units[at])}
    while open_units:
        fitting = [
            at
            for at in open_units
            if len(units[at].text) <= left_chars
            and (left_words is None or len(units[at].text.split()) <= left_words)
        ]
        scored = [(_gain(at, units, bags, rarity, bonus, covered), -at) for at in fitting]
        best = max(scored, default=(0.0, 0))
        if best[0] <= 0:
            break
        at = -best[1]
        chosen.add(at)
        open_units.discard(at)
        covered.update(bags[at])
        left_chars -= len(units[at].text)
        if left_words is not None:
            left_words -= len(units[at].text.split())
    return chosen


def _is_idle(unit: Unit) -> bool:
    return unit.is_question or unit.role == "assistant"


def _gain(
    at: int,
    units: Sequence[Unit],
    bags: Sequence[Counter[str]],
    rarity: dict[str, float],
    bonus: Sequence[float],
    covered: set[str],
) -> float:
    """What unit `at` adds, per character (damped, so that a short remark does not beat a full sentence)."""
    fresh = sum(rarity[term] for term in bags[at] if term not in covered)
    if not fresh:
        return 0.0
    unit = units[at]
    weight = _ROLE_WEIGHT.get(unit.role, 0.5) * (_QUESTION_WEIGHT if unit.is_question else 1.0)
    weight *= _REACTION_WEIGHT if unit.is_reaction else 1.0
    weight *= _FIRST_PERSON_WEIGHT if unit.is_first_person else 1.0
    return float(weight * (fresh + bonus[at]) / (len(unit.text) + 20) ** 0.8)


def _bonus(unit: Unit) -> float:
    values = min(len(must_keep(unit)), 4) * _VALUE_GAIN
    statement = _STATEMENT_GAIN if statement_kinds(unit.text) else 0.0
    return values + statement


def _finish(
    turns: Sequence[DigestTurn],
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
