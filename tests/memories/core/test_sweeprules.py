"""What a sweep takes, what it must leave, and whom it asks."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memories.core.kinds import Kind
from memories.core.policy import Policy
from memories.core.sweeprules import MemoryFacts, asks, evictions, verdict

NOW = datetime(2026, 6, 1, tzinfo=UTC)
POLICY = Policy.default()


def memory(kind: str = "fact", *, age: float = 0, **changes: object) -> MemoryFacts:
    base = MemoryFacts(id="m", kind=kind, created_at=NOW - timedelta(days=age), strength=1.0)
    return replace(base, **changes)  # type: ignore[arg-type]


def test_a_todo_is_archived_a_month_later_and_a_digest_that_was_hit_stays() -> None:
    todo = memory("todo", age=30)
    hit = memory("digest", age=30, strength=1.6, last_hit_at=NOW - timedelta(days=10))
    found = verdict(todo, POLICY, NOW)
    assert found is not None
    assert (found.outcome, found.rule) == ("archive", "sweep.floor")
    assert verdict(hit, POLICY, NOW) is None


def test_nothing_younger_than_a_day_is_archived() -> None:
    assert verdict(memory("fact", age=0.5, strength=0.01), POLICY, NOW) is None
    assert verdict(memory("fact", age=1.5, strength=0.01), POLICY, NOW) is not None


@pytest.mark.parametrize("kind", [Kind.PROFILE, Kind.CONSTRAINT, Kind.PREFERENCE])
def test_kinds_that_last_are_never_archived_for_weakness(kind: Kind) -> None:
    assert verdict(memory(kind, age=5000, strength=0.0), POLICY, NOW) is None


def test_a_pin_protects_from_weakness_and_from_an_end() -> None:
    assert verdict(memory("fact", age=5000, pinned=True), POLICY, NOW) is None
    assert verdict(memory("fact", pinned=True, expires_at=NOW), POLICY, NOW) is None
    ended = verdict(memory("profile", expires_at=NOW), POLICY, NOW)
    assert ended is not None
    assert ended.outcome == "expire"


def test_the_capacity_takes_the_least_worth_and_spares_the_exempt() -> None:
    tight = Policy.from_overrides({"sweep.capacity": 10})
    low = [memory(age=i, id=f"low{i}", importance=0.1) for i in range(6)]
    high = [memory(age=1, id=f"high{i}", importance=0.9) for i in range(4)]
    pinned = [memory(age=900, id=f"pin{i}", importance=0.0, pinned=True) for i in range(3)]
    gone = [found.id for found, _ in evictions([*low, *high, *pinned], tight, NOW)]
    assert gone == ["low5", "low4", "low3"]


def test_below_the_capacity_nobody_goes() -> None:
    assert (
        evictions(
            [memory(id=str(i), age=300) for i in range(10)],
            Policy.from_overrides({"sweep.capacity": 10}),
            NOW,
        )
        == []
    )


def test_an_important_memory_gone_stale_is_asked_about_until_it_is_confirmed() -> None:
    home = memory("profile", age=400, importance=0.9)
    assert asks(home, POLICY, NOW) is not None
    assert asks(replace(home, confirmed_at=NOW - timedelta(days=5)), POLICY, NOW) is None
    assert asks(replace(home, importance=0.2), POLICY, NOW) is None


@given(
    st.floats(0, 5), st.floats(0, 400), st.floats(0, 400), st.sampled_from(["fact", "todo", "event", "chunk"])
)
def test_what_is_swept_stays_swept_as_time_passes(value: float, one: float, other: float, kind: str) -> None:
    early, late = sorted((one, other))
    subject = memory(kind, strength=value)
    if verdict(subject, POLICY, NOW + timedelta(days=early)) is not None:
        assert verdict(subject, POLICY, NOW + timedelta(days=late)) is not None
