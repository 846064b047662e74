"""How surely an answer is among the found rows: signs of it, and the probability that they speak for (R23)."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from memories.core.questions.answering import asked_for
from memories.core.questions.whose import asked_about
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
    cosine. speaker: the share that the rows of the named speaker hold beyond those of others, -1 to 1. slot: a row that names
    what the question is about stands in the slot that is asked about. typed: the question asks for a sort of value. whom: the
    share of the people and things that the question names as what it is about (whose.asked_about) that stand in a row; 1
    where it names none.
    """
    if not found:
        return dict.fromkeys(SIGNS, 0.0)
    words, holds = _words(question, found)
    rarity = [
        math.log(1 + (len(found) + 1) / (0.5 + sum(row[at] for row in holds))) for at in range(len(words))
    ]
    total = sum(rarity) or 1.0
    about = asked_about(question)
    named = [[one.stands_in(text) for one in about] for text in (row.text.lower() for row in found)]
    shares = [sum(weight for weight, held in zip(rarity, row, strict=True) if held) / total for row in holds]
    return {
        "best": found[0].score,
        "whole": max(share * max(0.0, row.near) for share, row in zip(shares, found, strict=True)),
        "speaker": _beyond(found, shares),
        "slot": max(
            row.slot if not about or any(held) else 0.0
            for row, held in zip(found[:_FIRST], named, strict=False)
        ),
        "typed": float(bool(asked_for(question))),
        "whom": _held(named),
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


def _held(named: Sequence[Sequence[bool]]) -> float:
    """`named` tells for each row which of the words it holds."""
    words = list(zip(*named, strict=True))
    return sum(map(any, words)) / len(words) if words else 1.0


def _beyond(found: Sequence[Found], values: Sequence[float]) -> float:
    """The best value among rows of the named speaker, less the best among the others; 0 where the question names nobody."""
    if found[0].said is None:
        return 0.0
    own = max((value for row, value in zip(found, values, strict=True) if row.said), default=0.0)
    return own - max((value for row, value in zip(found, values, strict=True) if not row.said), default=0.0)
