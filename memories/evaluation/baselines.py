"""What plain search reaches on the same turns: BM25, exact vectors, and their reciprocal rank fusion."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from memories.core.text import lexical
from memories.evaluation.datasets import SaidTurn
from memories.ports import Embedder

RRF_K = 60
"""The constant of Cormack, Clarke and Büttcher (2009)."""
NAMES = ("bm25", "dense", "rrf")
BATCH = 8
"""Texts embedded at once: few, so that long ones do not run into the embedder's time limit on a busy machine."""


class Baselines:
    """One haystack, indexed once; a turn is one unit, its vector that of its text."""

    def __init__(self, turns: Sequence[SaidTurn], embedder: Embedder) -> None:
        self._ids = [turn.id for turn in turns]
        self._embedder = embedder
        texts = [turn.text if turn.text.strip() else "-" for turn in turns]
        # In pieces, so that a cache keeps what was done when a long run is cut off.
        parts = [embedder.embed(texts[at : at + BATCH], kind="passage") for at in range(0, len(texts), BATCH)]
        self._vectors = np.vstack(parts)
        self._postings: dict[str, tuple[NDArray[np.intp], NDArray[np.float64]]] = {}
        counted = [lexical.terms(turn.text) for turn in turns]
        lengths = np.array([sum(terms.values()) for terms in counted], dtype=np.float64)
        self._norm = lexical.K1 * (1 - lexical.B + lexical.B * lengths / max(1.0, float(lengths.mean())))
        gathered: dict[str, list[tuple[int, int]]] = {}
        for at, terms in enumerate(counted):
            for term, frequency in terms.items():
                gathered.setdefault(term, []).append((at, frequency))
        for term, pairs in gathered.items():
            where, how_often = zip(*pairs, strict=True)
            self._postings[term] = (np.array(where, dtype=np.intp), np.array(how_often, dtype=np.float64))

    def rank(self, question: str) -> dict[str, list[str]]:
        """Turn ids, best first, by baseline."""
        bm25 = self._bm25(question)
        dense = (self._vectors @ self._embedder.embed([question], kind="query")[0]).astype(np.float64)
        fused = 1 / (RRF_K + 1 + _places(bm25)) + 1 / (RRF_K + 1 + _places(dense))
        return {
            name: [self._ids[at] for at in np.argsort(-scores, kind="stable")]
            for name, scores in (("bm25", bm25), ("dense", dense), ("rrf", fused))
        }

    def _bm25(self, question: str) -> NDArray[np.float64]:
        scores = np.zeros(len(self._ids))
        for term in lexical.query_terms(question):
            if term in self._postings:
                at, frequency = self._postings[term]
                idf = math.log(1 + (len(self._ids) - len(at) + 0.5) / (len(at) + 0.5))
                scores[at] += idf * frequency * (lexical.K1 + 1) / (frequency + self._norm[at])
        return scores


def _places(scores: NDArray[np.float64]) -> NDArray[np.intp]:
    places = np.empty(len(scores), dtype=np.intp)
    places[np.argsort(-scores, kind="stable")] = np.arange(len(scores))
    return places
