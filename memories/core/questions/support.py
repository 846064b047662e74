"""How surely an answer is among the found rows: signs of it, and the probability that they speak for (R23)."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from memories.core.extraction.relations import BY_WORD as RELATIONS
from memories.core.questions.answering import asked_for
from memories.core.text.language import HAN
from memories.core.text.lexical import query_terms
from memories.core.text.words import tagged

SIGNS: Final = ("best", "whole", "speaker", "slot", "typed", "whom")
"""The signs in the order of the policy's `abstain.*` numbers."""
_FIRST: Final = 8
"""Best rows among which one may stand in the slot that is asked about."""
_TELLING: Final = frozenset("nijlszbvatx")
"""First letters of the tags of words that a Chinese question is about: names, nouns, verbs, qualities, times."""
_HAN: Final = re.compile(f"[{HAN}]")


@dataclass(frozen=True, slots=True)
class Found:
    """One found row as abstention sees it, best first.

    `near` is the cosine (0..1, 0 without a vector), `said` whether a speaker whom the question names said it (None where it
    names none); `slot` is the second ranking's term, 0..1.
    """

    text: str
    terms: Collection[str]
    score: float
    near: float
    said: bool | None
    slot: float


def signs(found: Sequence[Found], question: str) -> dict[str, float]:
    """Each of SIGNS for the rows; all 0 when there is none.

    best: the best row's score. whole: the best of the share of the question's words, by rarity, that one row holds, times its
    cosine. speaker: the share that the rows of the named speaker hold beyond those of others, -1 to 1. slot: a row stands in
    the slot that is asked about. typed: the question asks for a sort of value. whom: 1 where every person whom the question
    speaks of by name or relation is named by a row, -1 where none is, 0 where it speaks of nobody.
    """
    if not found:
        return dict.fromkeys(SIGNS, 0.0)
    words, holds = _words(question, found)
    rarity = [
        math.log(1 + (len(found) + 1) / (0.5 + sum(row[at] for row in holds))) for at in range(len(words))
    ]
    total = sum(rarity) or 1.0
    shares = [sum(weight for weight, held in zip(rarity, row, strict=True) if held) / total for row in holds]
    return {
        "best": found[0].score,
        "whole": max(share * max(0.0, row.near) for share, row in zip(shares, found, strict=True)),
        "speaker": _beyond(found, shares),
        "slot": max(row.slot for row in found[:_FIRST]),
        "typed": float(bool(asked_for(question))),
        "whom": _held(_people(question), found),
    }


def probability(values: Mapping[str, float], weights: Mapping[str, float], bias: float) -> float:
    """The logistic of the weighed signs: how likely an answer is there, 0..1."""
    return 1 / (
        1 + math.exp(-max(-30.0, min(30.0, bias + sum(weights[name] * values[name] for name in SIGNS))))
    )


def _words(question: str, found: Sequence[Found]) -> tuple[list[str], list[list[bool]]]:
    """The words that the question is about, and which row holds which: Chinese ones as they stand, others by their stems."""
    if _HAN.search(question):
        parts = [word.lower() for word, tag in tagged(question) if tag[0] in _TELLING and len(word) > 1]
        words = list(dict.fromkeys(word for word in parts if query_terms(word)))
        if words:
            texts = [row.text.lower() for row in found]
            return words, [[word in text for word in words] for text in texts]
    words = query_terms(question)
    return words, [[word in row.terms for word in words] for row in found]


def _people(question: str) -> list[str]:
    """The relations and the names of people in the question, as they stand there."""
    plain = question.lower()
    related = [word for word in RELATIONS if len(word) > 1 and _stands(word, plain)]
    longest = [word for word in related if not any(word != other and word in other for other in related)]
    if not _HAN.search(question):
        return longest
    return [*longest, *(word for word, tag in tagged(question) if tag in {"nr", "nrt"} and len(word) > 1)]


def _stands(word: str, plain: str) -> bool:
    if word not in plain:
        return False
    return not word.isascii() or re.search(rf"\b{re.escape(word)}s?\b", plain) is not None


def _held(words: Sequence[str], found: Sequence[Found]) -> float:
    if not words:
        return 0.0
    texts = [row.text.lower() for row in found]
    return 2 * sum(any(word.lower() in text for text in texts) for word in words) / len(words) - 1


def _beyond(found: Sequence[Found], values: Sequence[float]) -> float:
    """The best value among rows of the named speaker, less the best among the others; 0 where the question names nobody."""
    if found[0].said is None:
        return 0.0
    own = max((value for row, value in zip(found, values, strict=True) if row.said), default=0.0)
    return own - max((value for row, value in zip(found, values, strict=True) if not row.said), default=0.0)
