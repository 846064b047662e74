"""Retrieval metrics on rankings small enough to work out by hand."""

from __future__ import annotations

import math

import pytest

from memories.evaluation import metrics

A, B, C = (frozenset({name}) for name in "abc")


def test_recall_counts_groups_not_turns() -> None:
    groups = (frozenset({"a", "a2"}), B)
    assert metrics.recall_at(["a2", "a", "x", "b"], groups, 2) == 0.5
    assert metrics.recall_at(["a2", "a", "x", "b"], groups, 4) == 1.0


def test_all_and_hit_are_the_strict_and_the_lenient_form() -> None:
    assert metrics.all_at(["a", "x"], (A, B), 2) == 0.0
    assert metrics.hit_at(["a", "x"], (A, B), 2) == 1.0
    assert metrics.hit_at(["x", "a"], (A, B), 1) == 0.0


def test_ndcg_is_one_only_for_the_best_order() -> None:
    assert metrics.ndcg_at(["a", "b", "x"], (A, B), 10) == pytest.approx(1.0)
    late = metrics.ndcg_at(["x", "a", "b"], (A, B), 10)
    assert late == pytest.approx((1 / math.log2(3) + 1 / math.log2(4)) / (1 + 1 / math.log2(3)))


def test_a_second_member_of_a_group_earns_nothing_more() -> None:
    groups = (frozenset({"a", "a2"}),)
    assert (
        metrics.ndcg_at(["a", "a2"], groups, 10)
        == metrics.ndcg_at(["a", "x"], groups, 10)
        == pytest.approx(1.0)
    )


def test_auroc_is_the_chance_that_a_positive_lies_above_a_negative() -> None:
    assert metrics.auroc([3, 4], [1, 2]) == 1.0
    assert metrics.auroc([1, 2], [3, 4]) == 0.0
    assert metrics.auroc([1, 1], [1, 1]) == 0.5
    assert metrics.auroc([1, 3], [2]) == 0.5
    with pytest.raises(ValueError, match="both classes"):
        metrics.auroc([], [1.0])


def test_percent_is_the_mean() -> None:
    assert metrics.percent([0.0, 1.0, 1.0]) == 66.67


def test_f1_is_zero_without_a_hit_and_balanced_with() -> None:
    assert metrics.f1(0, 3, 2) == (0.0, 0.0, 0.0)
    assert metrics.f1(3, 1, 3) == (75.0, 50.0, 60.0)


def test_the_first_place_of_several_turns() -> None:
    assert metrics.first_place(["a", "b", "c"], {"c", "b"}) == 1
    assert metrics.first_place(["a"], {"z"}) == math.inf
