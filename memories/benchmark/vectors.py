"""Vectors for a large store out of a few embedded texts: each is a mixture of two of them with seeded noise."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from memories.ports import Embedder

BASES = 512
"""Texts that are really embedded; some eight seconds of work, kept on disk for the next run."""
SECOND, NOISE = 0.6, 0.3
"""How much of a second text is mixed in, and the length of the noise: neighbours then lie at cosines of .6 to .9, as those
of real sentences do."""


def base_vectors(embedder: Embedder, texts: list[str]) -> NDArray[np.float32]:
    """The unit vectors of the first texts."""
    return np.asarray(embedder.embed(texts[:BASES], kind="passage"), dtype=np.float32)


def mixed(
    bases: NDArray[np.float32], text_numbers: NDArray[np.int64], rng: np.random.Generator
) -> NDArray[np.float32]:
    """A unit vector for each text number, near to its base and to nobody else's in quite the same way."""
    first = bases[text_numbers % len(bases)]
    second = bases[rng.integers(0, len(bases), len(text_numbers))]
    noise = rng.standard_normal(first.shape, dtype=np.float32) / np.float32(np.sqrt(first.shape[1]))
    made = first + np.float32(SECOND) * second + np.float32(NOISE) * noise
    return np.asarray(made / np.linalg.norm(made, axis=1, keepdims=True), dtype=np.float32)
