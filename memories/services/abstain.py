"""Abstention: whether what was found is about the question at all (R23)."""

from __future__ import annotations

from collections.abc import Sequence

from memories.store.candidates import Candidate

# A weak vector match counts as much more when the item holds most of the question's own rare words.
COVERED_WEIGHT = 0.15
TOP = 3


def evidence(found: Sequence[Candidate]) -> float:
    """How strongly the best rows speak for an answer being there, on the scale of relevance (0 to about 1).

    Below the policy's `recall.threshold` recall abstains. Strength, importance and pins have no say.

    Neighbours have no say: they help to rank, they are no answer. The best row counts, by its own nearness to the question and
    by the share of the question's rare words that it holds.
    """
    best = 0.0
    for row in found:
        cosine = max(0.0, row.cosine) if row.cosine is not None else 0.0
        words = row.covered * (COVERED_WEIGHT if row.cosine is not None else 0.6)
        best = max(best, cosine + words)
    return best
