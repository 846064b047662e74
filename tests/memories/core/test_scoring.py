"""The score: every term within its weight, relevance first, pins break ties only, near-duplicates make room."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memories.core.policy import WEIGHTS, Policy
from memories.core.scoring import (
    ScoreParts,
    diversify,
    graded_pin,
    relevance,
    saturated,
    scaled,
    score,
    weighted,
)

POLICY = Policy.default()
units = st.floats(0, 1)
parts = st.builds(ScoreParts, units | st.none(), units, units, units, units, units, units)
MIDDLING = ScoreParts(similarity=0.3, lexical=0, strength=0.5, recency=0.5, importance=0.5, credibility=1)


@given(parts)
def test_a_score_lies_between_nothing_and_one_plus_the_pin(found: ScoreParts) -> None:
    assert 0 <= score(found, POLICY) <= 1 + POLICY.number("recall.pin_bonus") + 1e-9


@given(parts)
def test_the_shares_of_the_trace_add_up_to_the_score(found: ScoreParts) -> None:
    assert sum(weighted(found, POLICY).values()) == pytest.approx(score(found, POLICY))


@given(parts, st.sampled_from(["lexical", "strength", "recency", "importance", "credibility", "pin"]), units)
def test_more_of_any_term_never_lowers_the_score(found: ScoreParts, name: str, value: float) -> None:
    raised = replace(found, **{name: max(value, getattr(found, name))})
    assert score(raised, POLICY) >= score(found, POLICY) - 1e-12


@given(parts, st.floats(0.05, 1))
def test_scaling_all_weights_alike_changes_nothing(found: ScoreParts, factor: float) -> None:
    other = Policy.from_overrides({key: POLICY.number(key) * factor for key in WEIGHTS})
    assert score(found, other) == pytest.approx(score(found, POLICY))


def test_a_permanent_but_unimportant_memory_does_not_beat_what_fits_the_question() -> None:
    everlasting = ScoreParts(
        similarity=0.05, lexical=0, strength=saturated(5), recency=1, importance=0, credibility=1
    )
    fitting = ScoreParts(
        similarity=0.6, lexical=0.5, strength=saturated(0.3), recency=0, importance=0.5, credibility=0.4
    )
    assert score(fitting, POLICY) > score(everlasting, POLICY)


def test_a_pin_breaks_a_tie() -> None:
    assert score(replace(MIDDLING, pin=1.0), POLICY) > score(MIDDLING, POLICY)


def test_a_pin_never_beats_strong_relevance() -> None:
    strong, weak = replace(MIDDLING, similarity=0.7), replace(MIDDLING, similarity=0.1)
    pin = graded_pin(relevance(weak, POLICY), relevance(strong, POLICY))
    assert score(strong, POLICY) > score(replace(weak, pin=pin), POLICY)


def test_without_a_vector_words_alone_rank() -> None:
    hit = replace(MIDDLING, similarity=None, lexical=0.9)
    miss = replace(MIDDLING, similarity=None, lexical=0.1)
    assert score(hit, POLICY) > score(miss, POLICY)


def test_the_raw_values_are_scaled_as_documented() -> None:
    found = scaled(
        POLICY,
        similarity=-0.4,
        lexical=2,
        strength=1.0,
        age_days=7,
        importance=0.3,
        source="nobody",
        pinned=True,
    )
    assert found.similarity == 0
    assert found.lexical == 1
    assert found.strength == 0.5
    assert found.recency == pytest.approx(0.3679, abs=1e-4)
    assert found.credibility == POLICY.number("credibility.import")
    assert found.pin == 1


def test_near_identical_items_make_room_but_are_not_lost_when_there_is_room() -> None:
    def alike(one: str, other: str) -> float:
        return 1.0 if one[0] == other[0] else 0.0

    ranked = ["a1", "a2", "a3", "b1", "c1"]
    assert diversify(ranked, 3, alike, 0.97) == ["a1", "b1", "c1"]
    assert diversify(ranked, 5, alike, 0.97) == ["a1", "b1", "c1", "a2", "a3"]


@given(st.lists(st.integers(0, 9), max_size=20, unique=True), st.integers(0, 12))
def test_diversifying_only_reorders(ranked: list[int], k: int) -> None:
    found = diversify(ranked, k, lambda one, other: 1.0 if one % 3 == other % 3 else 0.0, 0.9)
    assert len(found) == min(k, len(ranked))
    assert len(set(found)) == len(found)
    assert set(found) <= set(ranked)
    if ranked and k:
        assert found[0] == ranked[0]
