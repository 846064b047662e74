"""95% intervals of rates, means and their differences: closed formulas, so that a page and a test by hand agree."""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist

CONFIDENCE = 0.95
Z = NormalDist().inv_cdf(0.5 + CONFIDENCE / 2)
"""1.95996...: that many standard errors on either side."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value with its interval, in the unit of what was measured (rates: 0..1); `low` and `high` are None where too little is known."""

    value: float
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class Sample:
    """`n` numbers by their mean and their variance (of a sample, over n - 1; 0 where n is below 2)."""

    n: int
    mean: float = 0.0
    variance: float = 0.0


def wilson(hits: int, n: int) -> Estimate:
    """A rate of `hits` in `n` >= 1. The interval lies within [0, 1], also where all or none hit.

    E. B. Wilson, "Probable inference, the law of succession, and statistical inference", JASA 22 (1927) 209-212; without
    correction for continuity. ValueError where no share can be taken.
    """
    if n < 1 or not 0 <= hits <= n:
        raise ValueError("a rate needs 0 <= hits <= n, and n >= 1")
    rate = hits / n
    spread = Z * math.sqrt(rate * (1 - rate) / n + Z * Z / (4 * n * n))
    middle, scale = rate + Z * Z / (2 * n), 1 + Z * Z / n
    low, high = (middle - spread) / scale, (middle + spread) / scale
    # Where none or all hit, the formula's bound is that end itself, up to rounding.
    return Estimate(rate, 0.0 if hits == 0 else low, 1.0 if hits == n else high)


def newcombe(hits_a: int, n_a: int, hits_b: int, n_b: int) -> Estimate:
    """The difference of two independent rates, b - a, in [-1, 1].

    R. G. Newcombe, "Interval estimation for the difference between independent proportions: comparison of eleven methods",
    Statistics in Medicine 17 (1998) 873-890, method 10: the two Wilson intervals put together.
    """
    a, b = wilson(hits_a, n_a), wilson(hits_b, n_b)
    assert a.low is not None and a.high is not None and b.low is not None and b.high is not None
    value = b.value - a.value
    down = math.hypot(b.value - b.low, a.high - a.value)
    up = math.hypot(b.high - b.value, a.value - a.low)
    return Estimate(value, value - down, value + up)


def mean(sample: Sample) -> Estimate:
    """A mean with Student's interval ("The probable error of a mean", Biometrika 6 (1908) 1-25); none for a single number."""
    if sample.n < 2:
        return Estimate(sample.mean, None, None)
    spread = student(sample.n - 1) * math.sqrt(sample.variance / sample.n)
    return Estimate(sample.mean, sample.mean - spread, sample.mean + spread)


def welch(a: Sample, b: Sample) -> Estimate:
    """The difference of two means, b - a, whose variances may differ.

    B. L. Welch, "The generalization of 'Student's' problem when several different population variances are involved",
    Biometrika 34 (1947) 28-35, with the degrees of freedom of F. E. Satterthwaite, Biometrics Bulletin 2 (1946) 110-114.
    """
    value = b.mean - a.mean
    if a.n < 2 or b.n < 2:
        return Estimate(value, None, None)
    one, two = a.variance / a.n, b.variance / b.n
    if one + two == 0:
        return Estimate(value, value, value)
    freedom = (one + two) ** 2 / (one**2 / (a.n - 1) + two**2 / (b.n - 1))
    spread = student(freedom) * math.sqrt(one + two)
    return Estimate(value, value - spread, value + spread)


def student(freedom: float) -> float:
    """The factor of Student's t for a two-sided interval at CONFIDENCE with `freedom` >= 1 degrees of freedom.

    Exact for 1 and 2; else the expansion around the normal quantile of Abramowitz and Stegun, "Handbook of Mathematical
    Functions" (1964), 26.7.5: within 0.2% from 3 degrees on, and within 0.001% from 10 on.
    """
    tail = 0.5 + CONFIDENCE / 2
    if freedom <= 1:
        return math.tan(math.pi * (tail - 0.5))
    if freedom <= 2:
        return (2 * tail - 1) * math.sqrt(2 / (4 * tail * (1 - tail)))
    z = Z
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return z + sum(term / freedom**power for power, term in enumerate(terms, start=1))
