"""Which known fact English words name in part: "71% coverage" is the test coverage, "CI build time" the build time on CI (R18).

A fact's name is the words of whose it is and what it is. What is said anew means the one known fact whose name it shortens,
or says in another order, or of whose name it mentions most; the value must be of the sort, and the unit, of the known one.
A person's facts are never another's.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from memories.core.extraction.en.plurals import singular
from memories.core.statement import FactPart
from memories.core.text.stopwords import ARTICLES, POSSESSIVES, PREPOSITIONS
from memories.core.values.forms import amount_of
from memories.core.values.sorts import Sort, sort_of, stands_for

_GENERAL = frozenset({"user", "general"})
_EMPTY = (
    ARTICLES
    | POSSESSIVES
    | PREPOSITIONS
    | frozenset({"user", "general", "count", "current", "done", "total", "time"})
)
_TIMES = frozenset({Sort.DATE, Sort.TIME})
_DIMENSIONS = (
    frozenset({"kb", "mb", "gb", "tb"}),
    frozenset({"ms", "毫秒", "秒", "分钟", "小时", "天", "周", "月", "年"}),
    frozenset({"g", "克", "kg", "公斤", "千克"}),
    frozenset({"m", "米", "km", "公里", "千米", "mile", "英里"}),
)
"""Units in the notation of core/values/units.py that measure one thing."""


def names_in_part(said: FactPart, held: Sequence[FactPart]) -> list[FactPart]:
    """The known facts, one a slot, whose name the fact's own shortens or says in another order."""
    words = name_words(said)
    if not words:
        return []
    found: dict[str, FactPart] = {}
    for one in _comparable(said, held):
        whole = name_words(one)
        own, its = words_of(said.entity.replace(":", " ")), words_of(one.entity.replace(":", " "))
        if own and its and not its & (own | words):
            continue  # It has an owner of its own, who is no part of the other's name, whatever the attribute is called.
        if words == whole or (words < whole and (len(words) > 1 or _head(said) in {_head(one), *_tail(one)})):
            found.setdefault(one.slot, one)
    return list(found.values())


def mentioned_most(said: FactPart, content: str, held: Sequence[FactPart]) -> list[FactPart]:
    """The known facts, one a slot, of whose names the words mention most, at least half; [] where they mention none."""
    spoken = words_of(content)
    counted = _counted(content, said.value)
    found: dict[str, tuple[float, FactPart]] = {}
    for one in _comparable(said, held):
        whole = name_words(one)
        share = len(whole & spoken) / len(whole) if whole else 0.0
        if counted is not None and counted not in whole:
            continue
        if share >= 0.5 and one.slot not in found:
            found[one.slot] = (share, one)
    most = max((share for share, _ in found.values()), default=0.0)
    return [one for share, one in found.values() if share == most]


def name_words(fact: FactPart) -> frozenset[str]:
    """The words that tell whose and what the fact is, in the singular."""
    return words_of(f"{fact.entity.replace(':', ' ')} {fact.attribute.replace('_', ' ')}")


def words_of(text: str) -> frozenset[str]:
    """The words of a text in the singular, in lower case, without those that carry nothing."""
    found = (singular(word) for word in re.findall(r"[a-z][a-z0-9+#-]*", text.lower().replace("'s", "")))
    return frozenset(found) - _EMPTY


def _comparable(said: FactPart, held: Sequence[FactPart]) -> list[FactPart]:
    return [
        one
        for one in held
        if one.single and not one.negated and _owner(one) == _owner(said) and _alike(one.value, said.value)
    ]


def _owner(fact: FactPart) -> str:
    """The person, or the thing with a name, that the fact is of; "" for the speaker and for common things."""
    entity = fact.entity
    named = ":" in entity or all(word[:1].isupper() for word in entity.split())
    return entity if entity not in _GENERAL and named else ""


def _alike(known: str, value: str) -> bool:
    """Whether the value may stand in the place of the known one: a time for a time, an amount for one of its unit."""
    every = [re.match(r"every\s", text, re.IGNORECASE) is not None for text in (value, known)]
    if every[0] != every[1]:
        return False
    value, known = (re.sub(r"^every\s+", "", text, flags=re.IGNORECASE) for text in (value, known))
    value, known = (_plain_count(text) for text in (value, known))
    one, other = amount_of(value), amount_of(known)
    if one is not None or other is not None:
        if one is None or other is None:
            return False
        return one[1] == other[1] or any(one[1] in units and other[1] in units for units in _DIMENSIONS)
    mine, its = sort_of(value), sort_of(known)
    if mine in _TIMES or its in _TIMES:
        return {mine, its} <= _TIMES
    return mine is its and stands_for(known, value)


def _plain_count(value: str) -> str:
    """The number alone of so many things that are no unit ("412 tests"); any other value as it is."""
    return value if amount_of(value) is not None else re.sub(r"^([\d,]+)\s+[a-z]+s$", r"\1", value)


def _head(fact: FactPart) -> str:
    return singular(fact.attribute.rpartition("_")[2])


def _tail(fact: FactPart) -> list[str]:
    """The last word of a thing's name, which may stand for it: "the backend" of what the backend runs on."""
    common = fact.entity not in _GENERAL and not _owner(fact)
    return [singular(fact.entity.rpartition(" ")[2].lower())] if common else []


def _counted(content: str, value: str) -> str | None:
    """The singular of the noun behind a bare number in the words ("3 open bugs" counts bugs); None for another value."""
    if not re.fullmatch(r"[\d,]+", value):
        return None
    match = re.search(
        rf"(?<![\d.]){re.escape(value)}\s+(?:(?:out\s+)?of\s+(?:(?:the|my|our|all)\s+)*[\d,]+\s+)?(?P<n>[a-z][a-z' -]*)",
        content,
        re.IGNORECASE,
    )
    if match is None:
        return ""
    nouns = [word for word in match["n"].lower().split()[:4] if word.endswith("s")]
    return singular(nouns[0]) if nouns else ""
