"""The sentences of found texts beside a question: a long text that holds its words here and there is no answer to it."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from memories.core.text.kept import kept
from memories.core.text.lexical import query_terms, terms
from memories.core.text.sentences import sentences

READ: Final = 2000
"""Characters of a text that are looked into."""

NEAREST: Final = 4
"""Sentences of a longer text that are read for an answer."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence with its index terms."""

    text: str
    terms: frozenset[str]


class Sentences(tuple[Sentence, ...]):
    """The sentences of one text."""

    @cached_property
    def terms(self) -> frozenset[str]:
        """The terms of all of them."""
        return frozenset[str]().union(*(one.terms for one in self))


@kept
def split(text: str) -> Sentences:
    """The sentences of a text's beginning, with their terms."""
    text = text[:READ]
    return Sentences(
        Sentence(text[start:end], frozenset(terms(text[start:end]))) for start, end in sentences(text)
    )


def weights(question: str, texts: Sequence[Sentences], leave_out: Collection[str] = ()) -> dict[str, float]:
    """The question's terms that the texts hold, each with ln(1 + n / df): the fewer of them hold it, the more it weighs."""
    found: dict[str, float] = {}
    for term in query_terms(question):
        df = sum(term in text.terms for text in texts)
        if df and term not in leave_out:
            found[term] = math.log(1 + len(texts) / df)
    return found


def share(held: frozenset[str], weight: Mapping[str, float]) -> float:
    """How much of the question's weight the terms `held` make up, 0..1."""
    total = sum(weight.values())
    return sum(weight[term] for term in held & weight.keys()) / total if total else 0.0


def near_words(text: Sequence[Sentence], weight: Mapping[str, float]) -> str:
    """The sentences nearest to the question's words, in their order: where a long text would hold an answer."""
    if len(text) <= NEAREST:
        return " ".join(one.text for one in text)
    best = sorted(range(len(text)), key=lambda at: (-share(text[at].terms, weight), at))[:NEAREST]
    return " ".join(text[at].text for at in sorted(best))


def best_share(text: Sequence[Sentence], weight: Mapping[str, float]) -> float:
    """The same of the text's best sentence."""
    return max((share(one.terms, weight) for one in text), default=0.0)
