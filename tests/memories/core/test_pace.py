"""The pace of batches: fewer rows after a slow one, more after a fast one, never above what is allowed."""

from __future__ import annotations

import pytest

from memories.core.pace import BOUND, LEAST, TARGET, Pace


def test_fast_batches_grow_to_what_the_policy_allows_and_no_further() -> None:
    pace = Pace(1_000)
    for _ in range(10):
        pace.took(TARGET / 10)
    assert pace.rows == 1_000


def test_a_slow_batch_is_followed_by_one_that_would_have_met_the_target() -> None:
    pace = Pace(1_000, 0)
    before = pace.rows
    pace.took(2 * TARGET)
    assert pace.rows == before // 2


@pytest.mark.parametrize("most", [10, 1_000])
def test_it_never_falls_below_the_least_which_is_not_given_up(most: int) -> None:
    pace = Pace(most)
    for _ in range(10):
        pace.gave_up()
    assert pace.rows == LEAST and not pace.bounded
    pace.took(10 * BOUND)
    assert pace.rows == LEAST


def test_between_half_the_target_and_the_target_it_stays() -> None:
    pace = Pace(1_000)
    before = pace.rows
    pace.took(0.75 * TARGET)
    assert pace.rows == before
