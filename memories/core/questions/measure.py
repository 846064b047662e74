"""What a question wants measured or counted ("how many pages", "what percentage", 多少人), and which values give that."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from memories.core.text.kept import kept
from memories.core.text.lexical import stem
from memories.core.text.stopwords import ARTICLES, AUXILIARIES, CONJUNCTIONS, PREPOSITIONS, PRONOUNS
from memories.core.values.keyvalues import KeyValue
from memories.core.values.numerals import EN_WORD_NUMBER

_ENDS: Final = AUXILIARIES | PREPOSITIONS | CONJUNCTIONS | PRONOUNS | ARTICLES
_MANY: Final = re.compile(r"\bhow many\s+(?P<what>(?:[a-z'’-]+\s+){0,5}[a-z'’-]+)", re.IGNORECASE)
_WORDS: Final = re.compile(r"[a-z\u00c0-\u024f'’-]+", re.IGNORECASE)
_DUO: Final = re.compile(
    r"(?:多少|几)(?P<what>[\u4e00-\u9fff]{1,3})(?![\u4e00-\u9fff]{0,1}钱)|(?:多少|几)(?P<one>[\u4e00-\u9fff])"
)
_SHARE: Final = re.compile(
    r"\b(?:percent(?:age)?|coverage|accuracy|(?:success|error|hit|conversion|interest|completion)\s+rate|share of)\b|百分之|百分比|比例|[率占]比?[是为有]?多少|[\u4e00-\u9fff]率",
    re.IGNORECASE,
)
_LIMIT: Final = 3
"""Words behind a number within which what is counted is named: "4,700 rather dry words"."""
_UNITS: Final = re.compile(r"^[^\u4e00-\u9fff]*(?P<unit>[\u4e00-\u9fff]{1,3})$")
_MEASURES: Final = "个位名条本张只件份台套次家间所篇页节人种"
"""Classifiers: between a number and what is counted."""
_PARTICLES: Final = "了呢吗啊呀的吧"
_OTHER: Final = ("钱", "岁", "点", "号", "月", "时")
"""What is asked for by money, age or date is no count of a thing."""


@dataclass(frozen=True, slots=True)
class Measure:
    """`counted` is the stem or the characters of what is counted, "" where nothing is named; `share` asks for a percentage."""

    counted: str = ""
    share: bool = False


@kept
def measure_of(question: str) -> Measure:
    """What the question wants counted or measured; an empty one when it wants neither."""
    if (match := _MANY.search(question)) is not None:
        words: list[str] = []
        for word in _WORDS.findall(match["what"].lower()):
            if word in _ENDS:
                break
            words.append(word)
        return Measure(stem(words[-1])) if words else Measure()
    if _SHARE.search(question):
        return Measure(share=True)
    if (match := _DUO.search(question)) is not None:
        what = (match["what"] or match["one"]).rstrip(_PARTICLES)
        return Measure("" if what.startswith(_OTHER) else what.strip(_MEASURES) or what)
    return Measure()


def measured(clause: str, values: Sequence[KeyValue], wanted: Measure) -> list[KeyValue]:
    """Those of the values that give what is wanted: numbers of the counted thing where some are, else numbers that name none.

    All of them for a question that wants nothing counted; for a percentage those with a percent sign.
    """
    if wanted.share:
        return [one for one in values if re.search(r"[%％]|percent|百分", one.text)]
    if not wanted.counted:
        return list(values)
    named = [one for one in values if _names(clause, one, wanted.counted)]
    return named or [one for one in values if one.kind in {"number", "amount"} and _bare(clause, one)]


def word_numbers(clause: str, wanted: Measure) -> list[KeyValue]:
    """Numbers in English words beside what is counted ("three days"), which are no key values by their form."""
    if not wanted.counted or not wanted.counted.isascii():
        return []
    found = [
        KeyValue("number", match.group(), *match.span())
        for match in re.finditer(rf"\b(?:{EN_WORD_NUMBER})\b", clause, re.IGNORECASE)
    ]
    return [one for one in found if _names(clause, one, wanted.counted)]


def _names(clause: str, value: KeyValue, counted: str) -> bool:
    if not counted.isascii():
        unit = _UNITS.match(value.text)
        held = (unit["unit"] if unit else "") + clause[value.end : value.end + 4]
        return any(one in held for one in counted)
    behind = _WORDS.findall(f"{value.text} {clause[value.end : value.end + 60]}")[: _LIMIT + 1]
    return any(stem(word.lower()) == counted for word in behind)


def _bare(clause: str, value: KeyValue) -> bool:
    """Whether the number stands alone: no unit in it, and no noun behind it."""
    if re.search(r"[a-z%％$€£¥￥\u4e00-\u9fff]", value.text, re.IGNORECASE):
        return False
    behind = re.match(r"\s*([a-z'’-]+)", clause[value.end :], re.IGNORECASE)
    return behind is None or behind[1].lower() in _ENDS
