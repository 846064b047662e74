"""Fits the numbers of abstention: a logistic regression over the signs, every set and class weighing the same."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

PENALTY = 3.0
"""Ridge penalty on the standardised weights, beside CLASS_WEIGHT questions of each class."""
CLASS_WEIGHT = 200.0
STEPS = 30


def fit_signs(
    sets: Mapping[str, tuple[Sequence[Sequence[float]], Sequence[bool]]], names: Sequence[str]
) -> dict[str, float]:
    """The policy's `abstain.*` numbers (names and "bias") that best tell questions with an answer from those without.

    `sets` holds for each set the signs of its questions and whether they have an answer; both kinds must be there.
    """
    rows = np.vstack([np.asarray(signs, dtype=np.float64) for signs, _ in sets.values()])
    labels = np.concatenate([np.asarray(answered, dtype=np.float64) for _, answered in sets.values()])
    weights = np.concatenate([_balanced(answered) for _, answered in sets.values()])
    mean, spread = rows.mean(axis=0), rows.std(axis=0)
    spread[spread < 1e-9] = 1.0
    fitted = _newton((rows - mean) / spread, labels, weights)
    slopes = fitted[:-1] / spread
    bias = float(fitted[-1] - slopes @ mean)
    return {
        "bias": round(bias, 2),
        **{name: round(float(slope), 2) for name, slope in zip(names, slopes, strict=True)},
    }


def _balanced(answered: Sequence[bool]) -> NDArray[np.float64]:
    given = np.asarray(answered, dtype=bool)
    return np.where(given, CLASS_WEIGHT / max(1, given.sum()), CLASS_WEIGHT / max(1, (~given).sum()))


def _newton(
    rows: NDArray[np.float64], labels: NDArray[np.float64], weights: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Weights of the columns, the constant last."""
    design = np.hstack([rows, np.ones((len(rows), 1))])
    ridge = np.append(np.full(rows.shape[1], PENALTY), 1e-9)
    found = np.zeros(design.shape[1])
    for _ in range(STEPS):
        chance = 1 / (1 + np.exp(-np.clip(design @ found, -30, 30)))
        slope = design.T @ (weights * (chance - labels)) + ridge * found
        curve = (design * (weights * chance * (1 - chance))[:, None]).T @ design + np.diag(ridge)
        found = found - np.linalg.solve(curve, slope)
    return found
