"""The decay of the recall statement is that of core, for any kind, level, age and policy."""

from __future__ import annotations

import uuid
from datetime import timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memories.core.decay import half_life_days, strength_at
from memories.core.kinds import Kind, Level
from memories.core.policy import Policy
from memories.models import Memory
from memories.store.candidates import Form, Search, candidates
from tests.support.factories import NOW, active_space, axis, make_memory

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("in_tenant")]

AGES = st.one_of(st.none(), st.floats(-3, 36500))


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    kind=st.sampled_from([*(kind.value for kind in Kind), "unheard-of"]),
    level=st.sampled_from(["", *(level.value for level in Level)]),
    strength=st.floats(0.0, 5.0).map(lambda value: round(value, 6)),
    age=st.floats(-3, 36500),
    hit_age=AGES,
    half_life=st.floats(0.01, 36500),
    decays=st.booleans(),
)
def test_strength_is_decayed_as_in_core(
    subject_id: uuid.UUID,
    kind: str,
    level: str,
    strength: float,
    age: float,
    hit_age: float | None,
    half_life: float,
    decays: bool,
) -> None:
    policy = Policy.from_overrides({"half_life.fact": half_life, "decay.enabled": "on" if decays else "off"})
    Memory.objects.all().delete()
    created = NOW - timedelta(days=age)
    hit = None if hit_age is None else NOW - timedelta(days=hit_age)
    make_memory(
        subject_id,
        "tea",
        axis(1),
        kind=kind,
        importance_level=level,
        strength=strength,
        said_at=created,
        last_hit_at=hit,
    )
    wanted = Search(
        subject_id=subject_id, forms=[Form("tea", axis(1))], space_id=active_space().id, now=NOW, returned=3
    )
    [row] = candidates(wanted, policy)
    expected = strength_at(
        strength=strength,
        last_hit_at=hit,
        created_at=created,
        now=NOW,
        half_life_days=half_life_days(policy, kind, level or None),
    )
    assert row.strength == pytest.approx(expected, rel=1e-6, abs=1e-12)
