"""Experiments: an even and lasting split by id, what may differ between the arms, and what their numbers say."""

from __future__ import annotations

import uuid

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memories.core.errors import PolicyError
from memories.core.experiments import (
    LEAST,
    PER_SESSION,
    WHY_NOT,
    Arm,
    ArmNumbers,
    Measure,
    Trial,
    arm_b,
    compare,
    point,
    why_not,
)
from memories.core.intervals import Sample
from memories.core.policy import RULES, Policy

SALTS = st.binary(min_size=16, max_size=16)


def trial(salt: bytes, share: float) -> Trial:
    return Trial(uuid.uuid4(), salt, share, Policy.default())


@given(SALTS, st.uuids(), st.floats(0.05, 0.95))
def test_a_session_stays_in_its_arm_also_where_the_share_grows(
    salt: bytes, session: uuid.UUID, share: float
) -> None:
    at = point(salt, session)
    assert 0 <= at < 1 and at == point(salt, uuid.UUID(str(session)))
    assert trial(salt, share).arm_of(session) == (Arm.B if at < share else Arm.A)
    if trial(salt, share).arm_of(session) == Arm.B:
        assert trial(salt, 0.95).arm_of(session) == Arm.B


@pytest.mark.parametrize("share", [0.05, 0.3, 0.5, 0.95])
def test_the_split_is_even_over_ids_that_follow_each_other(share: float) -> None:
    """Ids of one moment differ in a counter alone, so a split by their bits would not be even."""
    first, n = uuid.UUID("0198d3a2-5b00-7000-8000-000000000000").int, 20_000
    one = trial(b"a salt of sixteen", share)
    found = sum(one.arm_of(uuid.UUID(int=first + (at << 64))) == Arm.B for at in range(n))
    # Five standard deviations.
    assert abs(found - n * share) < 5 * (n * share * (1 - share)) ** 0.5


def test_tenths_of_the_split_are_equally_full_and_another_salt_splits_anew() -> None:
    n = 20_000
    points = [point(b"one", uuid.UUID(int=at)) for at in range(n)]
    tenths = [sum(int(10 * at) == tenth for at in points) for tenth in range(10)]
    # Chi-squared with nine degrees of freedom: above 33.7 once in ten thousand salts.
    assert sum((found - n / 10) ** 2 / (n / 10) for found in tenths) < 33.7
    others = [point(b"two", uuid.UUID(int=at)) for at in range(n)]
    together = sum((one < 0.5) == (two < 0.5) for one, two in zip(points, others, strict=True))
    assert abs(together - n / 2) < 5 * (n / 4) ** 0.5


def test_every_rule_may_differ_or_says_why_not() -> None:
    may = {key for key in RULES if not why_not(key)}
    assert {"recall.k", "recall.threshold", "window.rounds", "context.cap_tokens", "decay.enabled"} <= may
    assert {"reinforce.enabled", "slots.ttl.task_minutes", "digest.max_chars", "abstain.bias"} <= may
    assert all(key.startswith(PER_SESSION) for key in may)
    for key in ("sweep.floor", "pii.action.phone", "operators.contents", "gate.importance", "slots.capacity"):
        assert why_not(key), key
    # Each beginning is that of some rule: none is left over from a renamed one.
    for start in (*PER_SESSION, *(start for start, _ in WHY_NOT)):
        assert any(key.startswith(start) for key in RULES), start


def test_a_rule_that_nobody_has_thought_about_is_shared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(RULES, "novel.number", RULES["recall.k"])
    assert why_not("novel.number")
    assert why_not("no.rule") == ""


def test_arm_b_is_the_base_with_its_rules_over_it() -> None:
    base = Policy.from_overrides({"recall.k": 9, "sweep.floor": 0.1})
    policy = arm_b(base, {"recall.k": 4, "window.rounds": 20})
    assert policy.overrides() == {"recall.k": 4, "sweep.floor": 0.1, "window.rounds": 20}
    for overrides, key in (
        ({"sweep.floor": 0.2}, "sweep.floor"),
        ({"recall.k": 9}, "recall.k"),
        ({"recall.kk": 9}, "recall.kk"),
        ({"recall.k": 0}, "recall.k"),
        ({"recall.k": 90}, "recall.k"),
    ):
        with pytest.raises(PolicyError) as refused:
            arm_b(base, overrides)
        assert refused.value.key == key


def by_name(a: ArmNumbers, b: ArmNumbers) -> dict[str, Measure]:
    return {one.name: one for one in compare(a, b)}


def test_numbers_by_hand() -> None:
    a = ArmNumbers(
        100, 80, 48, 20, 10, 4, Sample(90, 1000.0, 10_000.0), Sample(90, 0.2, 0.04), Sample(1, 50.0)
    )
    b = ArmNumbers(90, 70, 56, 7, 0, 0, Sample(80, 900.0, 10_000.0), Sample(80, 0.2, 0.04), Sample(0))
    found = by_name(a, b)
    done = found["completion"]
    assert done.a is not None and done.b is not None and done.difference is not None
    assert (done.a.value, done.b.value) == (0.6, 0.8) and done.counts == (80, 70)
    # Newcombe's own example, 56/70 against 48/80.
    assert done.difference.low == pytest.approx(0.0524, abs=5e-5)
    assert done.difference.high == pytest.approx(0.3339, abs=5e-5)
    assert (done.apart, done.better) == (1, Arm.B)
    assert (found["rework"].apart, found["rework"].better) == (-1, Arm.B)
    assert (found["tokens"].apart, found["tokens"].better) == (-1, Arm.B)
    assert (found["abstained"].apart, found["abstained"].better) == (0, None)
    bad = found["bad_verdicts"]
    assert bad.early and bad.b is None and bad.difference is None and bad.apart == 0
    assert found["milliseconds"].a is not None and found["milliseconds"].a.low is None


def test_nothing_is_said_of_a_difference_before_there_are_enough_sessions() -> None:
    def found(n: int) -> Measure:
        return by_name(ArmNumbers(n, n, 0), ArmNumbers(n, n, n))["completion"]

    assert found(LEAST - 1).early and found(LEAST - 1).better is None
    assert not found(LEAST).early and found(LEAST).better is Arm.B


def test_more_outcomes_in_one_arm_are_told_and_are_no_merit() -> None:
    found = by_name(ArmNumbers(200, 20), ArmNumbers(200, 180))["with_outcome"]
    assert (found.apart, found.better) == (1, None)
