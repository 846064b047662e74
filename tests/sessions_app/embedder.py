"""A small embedder for tests that are not about meaning: texts are near when they share words."""

from __future__ import annotations

import zlib
from collections.abc import Sequence

import numpy as np

from memories.core.text.lexical import terms
from memories.ports import EmbedderIdentity, EmbeddingKind, Vectors


class WordEmbedder:
    """Each index term is one axis; instant, deterministic over processes."""

    identity = EmbedderIdentity("words", "1", 896)

    def embed(self, texts: Sequence[str], *, kind: EmbeddingKind) -> Vectors:
        rows = np.zeros((len(texts), self.identity.dim), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            for term, number in terms(text).items():
                row[zlib.crc32(term.encode()) % (self.identity.dim - 1)] += number
            row[-1] = 0.1  # A text without terms has a direction, too.
            row /= np.linalg.norm(row)
        return rows
