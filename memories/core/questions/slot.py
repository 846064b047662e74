"""Which slot a question asks about: the attributes that it names, and whether a fact is about whom it names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final

from memories.core.extraction.attributes import BY_WORD, EN_WORDS, ZH_WORDS
from memories.core.extraction.relations import BY_WORD as RELATIONS
from memories.core.statement import FactPart
from memories.core.values.normalise import canonical

_SHORTEST: Final = 2
_SELF: Final = re.compile(r"我|咱|俺|\b(?:i|my|mine|me|our|we)\b", re.IGNORECASE)
_MIXED: Final = re.compile(r"[_\s]+")
_VERBS: Final = (
    ("home", r"住(?:在|哪|什么)|\blive\b|\bliving\b"),
    ("age", r"多大|几岁|多少岁|\bhow old\b"),
    ("name", r"叫什么|\bcalled\b"),
    ("employer", r"在哪(?:里|儿|家)?(?:上班|工作)|在什么公司|\bwork (?:for|at)\b"),
    ("workplace", r"在哪(?:里|儿)?(?:上班|工作|办公)|\bwhere .{1,40}\bworks?\b"),
    ("height", r"多高|\bhow tall\b"),
    ("weight", r"多重|\bweighs?\b"),
    ("price", r"多少钱|\bhow much\b"),
    ("duration", r"多久|多长时间|\bhow long\b"),
    ("scale", r"多少人|\bhow many (?:people|guests|attendees)\b"),
    ("location", r"在哪(?:里|儿)?(?:举行|举办|开|办)|\bwhere\b"),
    ("time", r"什么时候|几点|\bwhen\b|\bwhat time\b"),
    ("deadline", r"什么时候(?:截止|到期|交)|\bdue\b"),
    ("occupation", r"做什么(?:的|工作)|\bfor a living\b"),
)  # fmt: skip
"""Attributes that a question asks for by other words than their names."""
_BY_VERB: Final = tuple((name, re.compile(pattern, re.IGNORECASE)) for name, pattern in _VERBS)


@lru_cache(maxsize=256)
def attributes_asked(question: str) -> frozenset[str]:
    """The canonical names of the attributes that the question's words name; longer words win over those within them."""
    plain = canonical(question)
    found: set[str] = set()
    for words, pattern in ((ZH_WORDS, "{}"), (EN_WORDS, r"(?<![a-z0-9]){}(?:s|es)?(?![a-z0-9])")):
        for word in words:
            if len(word) < _SHORTEST or word not in plain:
                continue
            left = re.sub(pattern.format(re.escape(word)), "\0", plain)
            if left != plain:
                plain = left
                found.add(BY_WORD[word].name)
    found.update(name for name, pattern in _BY_VERB if pattern.search(question))
    return frozenset(found)


def slot_fit(facts: Iterable[FactPart], question: str, covered: float) -> float:
    """How surely one of a memory's facts stands in the slot that the question asks about, 0..1.

    1 when the question names its attribute and whom or what it is about; where the entity is not named as it is stored, it
    counts as far as the memory's words cover the question's (`covered`, 0..1).
    """
    return max((_fit(fact.entity, fact.attribute, question, covered) for fact in facts), default=0.0)


def _fit(entity: str, attribute: str, question: str, covered: float) -> float:
    if attribute not in attributes_asked(question) and not _named(attribute, question):
        return 0.0
    return 1.0 if _about(entity, question) else covered


def _named(attribute: str, question: str) -> bool:
    """A word that no table knows stands in the question itself; "favorite_书" in parts."""
    plain = canonical(question)
    parts = [part for part in _MIXED.split(attribute.casefold()) if part]
    if parts and parts[0] == "favorite":
        wants = re.search(r"最(?:喜欢|爱)|favou?rite", plain) is not None
        return wants and len(parts) > 1 and all(part in plain for part in parts[1:])
    return bool(parts) and all(len(part) >= _SHORTEST and part in plain for part in parts)


def _about(entity: str, question: str) -> bool:
    """Whether the question names the entity; "user" is meant where somebody speaks of themselves and of no relation."""
    plain = canonical(question)
    who, *path = entity.split(":")
    if who != "user":
        return all(_said(part, plain) for part in (who, *path))
    if not path:
        return _SELF.search(question) is not None and not _relations(plain)
    return any(_said(part, plain) or part in _relations(plain) for part in path)


def _said(part: str, plain: str) -> bool:
    form = canonical(part)
    return bool(form) and form in plain


@lru_cache(maxsize=256)
def _relations(plain: str) -> frozenset[str]:
    """The relations whose words stand in the question."""
    words: Sequence[str] = [word for word in RELATIONS if len(word) >= _SHORTEST and word in plain]
    return frozenset(
        RELATIONS[word]
        for word in words
        if not word.isascii() or re.search(rf"(?<![a-z]){re.escape(word)}s?(?![a-z])", plain)
    )
