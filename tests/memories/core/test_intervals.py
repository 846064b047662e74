"""Intervals: numbers of the literature, and what must hold whatever the sample."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memories.core.intervals import Sample, mean, newcombe, student, welch, wilson

counts = st.integers(1, 5_000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


def test_wilson_gives_the_numbers_of_newcombes_table() -> None:
    """Newcombe, "Two-sided confidence intervals for the single proportion", Statistics in Medicine 17 (1998), table I, method 3."""
    for hits, n, low, high in (
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ):
        found = wilson(hits, n)
        assert found.low == pytest.approx(low, abs=5e-5) and found.high == pytest.approx(high, abs=5e-5)


def test_newcombe_gives_the_numbers_of_his_comparison() -> None:
    """The same journal and year, pages 873-890, table II, method 10; there it is a - b."""
    for a, n_a, b, n_b, low, high in (
        (56, 70, 48, 80, 0.0524, 0.3339),
        (9, 10, 3, 10, 0.1705, 0.8090),
        (6, 7, 2, 7, 0.0582, 0.8062),
        (5, 56, 0, 29, -0.0381, 0.1926),
        (0, 10, 0, 20, -0.1611, 0.2775),
        (10, 10, 0, 10, 0.6075, 1.0),
    ):
        found = newcombe(b, n_b, a, n_a)
        assert found.low == pytest.approx(low, abs=5e-5) and found.high == pytest.approx(high, abs=5e-5)


def test_students_factor_is_that_of_the_tables() -> None:
    for freedom, factor in (
        (1, 12.7062),
        (2, 4.3027),
        (3, 3.1824),
        (10, 2.2281),
        (30, 2.0423),
        (120, 1.9799),
    ):
        assert student(freedom) == pytest.approx(factor, rel=2e-3 if freedom < 10 else 2e-5)
    assert student(1e9) == pytest.approx(1.959964, rel=1e-6)


def test_a_mean_and_a_difference_of_means_by_hand() -> None:
    found = mean(Sample(25, 100.0, 400.0))
    # 2.0639 x 20 / 5
    assert found.high == pytest.approx(108.2556, abs=1e-3) and found.low == pytest.approx(91.7444, abs=1e-3)
    apart = welch(Sample(40, 1000.0, 400.0), Sample(40, 985.0, 400.0))
    # Equal variances and sizes: 78 degrees of freedom, 1.9908 x sqrt(20)
    assert apart.value == -15.0
    assert apart.low == pytest.approx(-23.903, abs=1e-2) and apart.high == pytest.approx(-6.097, abs=1e-2)


def test_too_little_has_no_interval() -> None:
    assert (mean(Sample(1, 3.0)).low, mean(Sample(1, 3.0)).value) == (None, 3.0)
    assert welch(Sample(1, 3.0), Sample(9, 4.0, 1.0)).high is None
    still = welch(Sample(9, 4.0), Sample(9, 5.0))
    assert (still.low, still.value, still.high) == (1.0, 1.0, 1.0)
    for hits, n in ((0, 0), (2, 1), (-1, 3)):
        with pytest.raises(ValueError):
            wilson(hits, n)


@given(counts, counts)
def test_an_interval_of_rates_holds_its_value_and_stays_in_bounds(
    a: tuple[int, int], b: tuple[int, int]
) -> None:
    one, apart, back = wilson(*a), newcombe(*a, *b), newcombe(*b, *a)
    assert one.low is not None and one.high is not None and apart.low is not None and apart.high is not None
    assert 0 <= one.low <= one.value <= one.high <= 1
    assert -1 - 1e-12 <= apart.low <= apart.value <= apart.high <= 1 + 1e-12
    assert back.low is not None and math.isclose(back.low, -apart.high, abs_tol=1e-12)
