"""95% intervals of a mean over questions, by conversation: questions of one haystack stand or fall together."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

DRAWS = 2_000
SEED = 20_240_229


def interval(
    values: Sequence[float], groups: Sequence[int], *, draws: int = DRAWS, seed: int = SEED
) -> tuple[float, float]:
    """The 2.5th and 97.5th percentile, in percent, of the mean over conversations drawn with replacement.

    `groups` names each value's conversation. With a single one, questions are drawn instead, since there is nothing else to draw.
    """
    if len(values) != len(groups) or not values:
        raise ValueError("every value needs its conversation, and there must be one")
    given = np.asarray(values, dtype=np.float64)
    names, where = np.unique(np.asarray(groups), return_inverse=True)
    if len(names) == 1:
        where = np.arange(len(given))
    sums = np.bincount(where, weights=given)
    counts = np.bincount(where).astype(np.float64)
    drawn = np.random.default_rng(seed).integers(0, len(sums), size=(draws, len(sums)))
    means = sums[drawn].sum(axis=1) / counts[drawn].sum(axis=1)
    low, high = np.percentile(means, (2.5, 97.5))
    return round(100 * float(low), 1), round(100 * float(high), 1)
