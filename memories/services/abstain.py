"""Abstention: how likely it is that an answer to the question was found at all (R23)."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from functools import lru_cache

from memories.core.names import speaker_term, without_names
from memories.core.policy import WEIGHTS, Policy
from memories.core.questions.support import SIGNS, Found, probability, signs
from memories.core.text.passages import split
from memories.store.candidates import Candidate

_WORD = re.compile(r"\w")
WORDS_ALONE = 0.6
"""How near an item without a vector counts that holds all of the question's rare words."""


def evidence(
    found: Sequence[Candidate], question: str, policy: Policy, speakers: Collection[str] = ()
) -> tuple[float, dict[str, float]]:
    """The probability that the rows, which are in rank order, hold an answer, and the signs that it is made of; 0 without a row or a word.

    Below the policy's `recall.threshold` recall abstains. Strength, age, importance and pins have no say. It is a logistic of several signs (core.questions.support)
    with the policy's `abstain.*` numbers; `manage.py evaluate retrieval` fits them. `speakers` are the speaker terms that
    the question names.
    """
    if not found or not _WORD.search(question):
        return 0.0, {}
    weights, bias = _weights(policy)
    asked = without_names(question, speakers) if speakers else question
    seen = signs([_seen(row, policy, speakers) for row in found], asked)
    return probability(seen, weights, bias), seen


@lru_cache(maxsize=64)
def _weights(policy: Policy) -> tuple[dict[str, float], float]:
    return {name: policy.number(f"abstain.{name}") for name in SIGNS}, policy.number("abstain.bias")


@lru_cache(maxsize=64)
def _apart(policy: Policy) -> tuple[float, float, float, float]:
    """What a score's terms weigh that say nothing about the question: strength, age, importance, credibility."""
    total = sum(policy.number(key) for key in WEIGHTS)
    strong, recent, important, credible = (
        policy.number(f"recall.weight.{name}") / total
        for name in ("strength", "recency", "importance", "credibility")
    )
    return strong, recent, important, credible


def _fit(row: Candidate, policy: Policy) -> float:
    strong, recent, important, credible = _apart(policy)
    other = strong * row.strong + recent * row.recency + credible * row.credibility
    return (
        row.score
        - other
        - important * min(1.0, max(0.0, row.importance))
        - policy.number("recall.pin_bonus") * row.pin
    )


def _seen(row: Candidate, policy: Policy, speakers: Collection[str]) -> Found:
    # Without a vector, words are all there is to go by.
    near = WORDS_ALONE * row.covered if row.cosine is None else max(0.0, row.cosine)
    return Found(
        text=row.text,
        terms=split(row.text).terms,
        score=_fit(row, policy),
        near=near,
        said=speaker_term(row.speaker) in speakers if speakers else None,
        slot=row.slot,
    )
