"""Abstention: whether what was found is about the question at all (R23)."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from memories.core.names import speaker_term
from memories.store.candidates import Candidate

COVERED_WEIGHT = 0.15
"""What an item that holds all of the question's rare words has over one that holds none, at the same nearness."""
COVERED_ALONE = 0.6
"""The same without a vector: words are all there is to go by."""
SAID_BY_ANOTHER = 0.6
"""What is left of an item when the question names who said it and somebody else did."""


def evidence(found: Sequence[Candidate], speakers: Collection[str] = ()) -> float:
    """How strongly the best row speaks for an answer being there, on the scale of relevance (0 to about 1).

    Below the policy's `recall.threshold` recall abstains. Strength, importance and pins have no say, nor have
    neighbours, which help to rank but are no answer. Counted are the row's own nearness to the question, the share of
    the question's rare words that it holds, and whether one of `speakers` (speaker terms that the question names) said it.
    """
    return max((_evidence_of(row, speakers) for row in found), default=0.0)


def _evidence_of(row: Candidate, speakers: Collection[str]) -> float:
    nearness = max(0.0, row.cosine) if row.cosine is not None else 0.0
    words = row.covered * (COVERED_ALONE if row.cosine is None else COVERED_WEIGHT)
    by_another = bool(speakers) and row.item_kind == "episode" and speaker_term(row.speaker) not in speakers
    return (nearness + words) * (SAID_BY_ANOTHER if by_another else 1.0)
