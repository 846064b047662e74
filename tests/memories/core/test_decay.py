"""Strength: halves at the half-life, never grows by waiting, never passes the cap."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memories.core.decay import (
    Hit,
    archive_date,
    half_life_days,
    reinforced,
    retention_value,
    starting_strength,
    strength_at,
)
from memories.core.errors import NaiveTimeError
from memories.core.kinds import Kind
from memories.core.policy import Policy

START = datetime(2026, 1, 1, tzinfo=UTC)
POLICY = Policy.default()
strengths = st.floats(0, 5)
days = st.floats(0, 5000)
half_lives = st.floats(0.1, 400)


def strength(value: float, age: float, half_life: float | None) -> float:
    now = START + timedelta(days=age)
    return strength_at(strength=value, last_hit_at=None, created_at=START, now=now, half_life_days=half_life)


@pytest.mark.parametrize(
    ("kind", "days_"),
    [("preference", 60), ("decision", 30), ("fact", 14), ("event", 30), ("todo", 2), ("digest", 10), ("chunk", 10),
     ("procedure", 60), ("conclusion", 30), ("sensitive", 1), ("something new", 14)],
)  # fmt: skip
def test_each_kind_has_its_half_life_and_an_unknown_one_fourteen_days(kind: str, days_: float) -> None:
    assert half_life_days(POLICY, kind) == days_


@pytest.mark.parametrize("kind", [Kind.PROFILE, Kind.CONSTRAINT])
@pytest.mark.parametrize("level", [None, "low", "high"])
def test_profile_and_constraint_never_decay(kind: Kind, level: str | None) -> None:
    assert half_life_days(POLICY, kind, level) is None


def test_an_importance_level_replaces_the_kinds_half_life() -> None:
    assert half_life_days(POLICY, "todo", "high") == 180
    assert half_life_days(POLICY, "preference", "low") == 14
    with pytest.raises(ValueError, match="huge"):
        half_life_days(POLICY, "todo", "huge")


def test_strength_halves_after_one_half_life() -> None:
    assert strength(1.0, 14, 14) == pytest.approx(0.5)


def test_age_counts_from_the_last_hit() -> None:
    now = START + timedelta(days=28)
    hit = START + timedelta(days=14)
    found = strength_at(strength=1.0, last_hit_at=hit, created_at=START, now=now, half_life_days=14)
    assert found == pytest.approx(0.5)


def test_two_zones_of_the_same_instant_decay_alike() -> None:
    now = datetime(2026, 2, 1, 8, tzinfo=timezone(timedelta(hours=8)))
    found = strength_at(strength=1.0, last_hit_at=None, created_at=START, now=now, half_life_days=31)
    assert found == pytest.approx(0.5)


def test_a_time_without_a_zone_is_refused() -> None:
    with pytest.raises(NaiveTimeError):
        strength_at(
            strength=1, last_hit_at=None, created_at=datetime(2026, 1, 1), now=START, half_life_days=1  # noqa: DTZ001
        )  # fmt: skip


@given(strengths, days, days, half_lives)
def test_waiting_never_strengthens(value: float, one: float, other: float, half_life: float) -> None:
    early, late = sorted((one, other))
    assert strength(value, late, half_life) <= strength(value, early, half_life) <= value


@given(strengths, days, days, half_lives)
def test_decaying_twice_is_decaying_once_for_the_sum(
    value: float, one: float, other: float, half_life: float
) -> None:
    twice = strength(strength(value, one, half_life), other, half_life)
    assert twice == pytest.approx(strength(value, one + other, half_life), abs=1e-6)


@given(st.lists(st.sampled_from([hit for hit in Hit if hit is not Hit.WRONG]), max_size=30), strengths)
def test_no_run_of_hits_passes_the_cap_and_none_weakens(hits: list[Hit], value: float) -> None:
    for hit in hits:
        after = reinforced(POLICY, value, hit)
        assert value <= after <= 5
        value = after


def test_hits_add_what_the_policy_says_and_wrong_halves() -> None:
    assert reinforced(POLICY, 1.0, "retrieved") == 1.5
    assert reinforced(POLICY, 1.0, "cited") == 2.0
    assert reinforced(POLICY, 1.0, "confirmed") == 2.0
    assert reinforced(POLICY, 1.0, "done") == 2.0
    assert reinforced(POLICY, 1.0, "wrong") == 0.5


def test_an_experiment_can_switch_reinforcement_and_decay_off() -> None:
    off = Policy.from_overrides({"reinforce.enabled": "off", "decay.enabled": "off"})
    assert reinforced(off, 1.0, "cited") == 1.0
    assert reinforced(off, 1.0, "wrong") == 0.5
    assert half_life_days(off, "todo") is None


def test_what_compaction_finds_starts_weaker_than_what_was_told() -> None:
    assert starting_strength(POLICY, kind="fact") == 1.0
    assert starting_strength(POLICY, kind="fact", from_compaction=True) == 0.5
    assert starting_strength(POLICY, kind="digest", from_compaction=True) == 0.6


@given(st.floats(0.06, 5), half_lives)
def test_at_the_archive_date_the_strength_has_just_reached_the_floor(value: float, half_life: float) -> None:
    date = archive_date(POLICY, strength=value, last_hit_at=None, created_at=START, half_life_days=half_life)
    assert date is not None
    before = strength_at(
        strength=value,
        last_hit_at=None,
        created_at=START,
        now=date - timedelta(minutes=1),
        half_life_days=half_life,
    )
    after = strength_at(
        strength=value,
        last_hit_at=None,
        created_at=START,
        now=date + timedelta(minutes=1),
        half_life_days=half_life,
    )
    assert after < 0.0501
    assert before > 0.0499 or date == START + timedelta(days=1)


def test_hits_and_importance_keep_a_memory_when_room_is_short() -> None:
    def worth(importance: float, hits: int, age: float) -> float:
        now = START + timedelta(days=age)
        return retention_value(
            POLICY,
            importance=importance,
            hits=hits,
            last_hit_at=None,
            created_at=START,
            now=now,
            half_life_days=14,
        )

    assert worth(0.8, 0, 14) == pytest.approx(0.4)
    assert worth(0.8, 3, 14) == pytest.approx(0.7)
    assert worth(0.2, 0, 0) > worth(0.2, 0, 30)


def test_what_outlasts_the_calendar_has_a_date_all_the_same() -> None:
    policy = Policy.from_overrides({"sweep.floor": 1e-300})
    created = datetime(2026, 1, 1, tzinfo=UTC)
    due = archive_date(policy, strength=1.0, last_hit_at=None, created_at=created, half_life_days=36_500.0)
    assert due is not None and due.year > 2_900
