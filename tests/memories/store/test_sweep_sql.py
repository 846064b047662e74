"""The sweep's SQL says of each memory what the rules in Python say, and its version rows are those of the services."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from accounts.actor import system_actor
from memories.adapters import factory
from memories.core.decay import strength_at
from memories.core.kinds import Kind
from memories.core.policy import Policy
from memories.core.sweeprules import MemoryFacts, evictions, verdict
from memories.models import Memory, MemoryVersion, SweepRun, Tombstone
from memories.ports import FixedClock
from memories.services import policies
from memories.services.sweep import sweep
from memories.services.versioning import state_of
from memories.store.strength import strength_sql
from memoryhub.common.db import tenant_transaction
from memoryhub.common.ids import uuid7
from tests.support.factories import make_subject, make_tenant

NOW = datetime(2026, 5, 4, 3, 0, tzinfo=UTC)
pytestmark = pytest.mark.django_db

_days = st.floats(min_value=0, max_value=400).map(lambda days: round(days, 3))
_rows = st.fixed_dictionaries(
    {
        "kind": st.sampled_from([kind.value for kind in Kind] + ["homemade"]),
        "importance_level": st.sampled_from(["", "", "", "high", "medium", "low"]),
        "importance": st.sampled_from([0.0, 0.2, 0.5, 0.75, 1.0]),
        "strength": st.sampled_from([0.051, 0.5, 0.6, 1.0, 2.5, 5.0]),
        "hits": st.integers(0, 9),
        "age": _days,
        "hit_age": st.none() | _days,
        "ends_in": st.none() | st.floats(min_value=-20, max_value=20).map(lambda days: round(days, 3)),
        "pinned": st.sampled_from([False, False, False, True]),
    }
)
_policies = st.sampled_from(
    [
        {},
        {"sweep.floor": 0.3, "sweep.min_age_days": 5, "half_life.fact": 2.5},
        {"decay.enabled": "off"},
        {"sweep.hit_weight": 0, "half_life.unknown": 1, "half_life.level.low": 3},
    ]
)


def stored(subject_id: uuid.UUID, row: dict[str, Any]) -> Memory:
    created = NOW - timedelta(days=row["age"])
    hit = None if row["hit_age"] is None else NOW - timedelta(days=min(row["hit_age"], row["age"]))
    ends = None if row["ends_in"] is None else NOW + timedelta(days=row["ends_in"])
    return Memory(
        id=uuid7(),
        subject_id=subject_id,
        content="x",
        fingerprint=uuid7().bytes,
        said_at=created,
        created_at=created,
        updated_at=created,
        last_hit_at=hit,
        expires_at=ends,
        **{
            name: row[name]
            for name in ("kind", "importance_level", "importance", "strength", "hits", "pinned")
        },
    )


def facts_of(memory: Memory) -> MemoryFacts:
    return MemoryFacts(
        id=str(memory.id),
        kind=memory.kind,
        created_at=memory.created_at,
        strength=memory.strength,
        importance=memory.importance,
        importance_level=memory.importance_level or None,
        last_hit_at=memory.last_hit_at,
        expires_at=memory.expires_at,
        hits=memory.hits,
        pinned=memory.pinned,
    )


def by_rules(memories: list[Memory], policy: Policy) -> dict[uuid.UUID, str]:
    """What the Python rules say: id to rule."""
    said = {}
    staying = []
    for memory in memories:
        decision = verdict(facts_of(memory), policy, NOW)
        if decision is None:
            staying.append(memory)
        else:
            said[memory.id] = decision.rule
    for subject_id in {memory.subject_id for memory in staying}:
        mine = [facts_of(memory) for memory in staying if memory.subject_id == subject_id]
        said |= {uuid.UUID(facts.id): decision.rule for facts, decision in evictions(mine, policy, NOW)}
    return said


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rows=st.lists(_rows, min_size=1, max_size=40), overrides=_policies, batch=st.sampled_from([10, 2000]))
def test_the_sql_and_the_python_rules_agree(
    rows: list[dict[str, Any]], overrides: dict[str, Any], batch: int
) -> None:
    overrides = {**overrides, "sweep.capacity": 10, "sweep.batch": batch}
    policy = Policy.from_overrides(overrides)
    tenant_id = make_tenant()
    subjects = [make_subject(tenant_id) for _ in range(2)]
    memories = [stored(subjects[at % 3 == 0], row) for at, row in enumerate(rows)]
    with tenant_transaction(tenant_id):
        Memory.objects.bulk_create(memories)
        from memories.models import PolicyVersion

        PolicyVersion.objects.create(number=1, overrides=overrides, created_at=NOW)
    said = by_rules(memories, policy)
    actor = system_actor(tenant_id)
    policies.forget_cached()
    with factory.override(clock=FixedClock(NOW)):
        dry = sweep(actor=actor, dry_run=True)
        with tenant_transaction(tenant_id):
            assert Memory.objects.current().count() == len(memories), "a dry run changes nothing"
        real = sweep(actor=actor)
    with tenant_transaction(tenant_id):
        done = dict(Tombstone.objects.values_list("memory_id", "rule"))
        statuses = dict(Memory.objects.values_list("id", "status"))
    assert done == said
    assert dry.counts == real.counts
    assert {id_ for id_, status in statuses.items() if status != "current"} == set(said)
    assert {statuses[id_] for id_, rule in said.items() if rule == "sweep.ttl"} <= {"expired"}
    assert {statuses[id_] for id_, rule in said.items() if rule != "sweep.ttl"} <= {"archived"}


@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rows=st.lists(_rows, min_size=1, max_size=15), overrides=_policies)
def test_decayed_strength_in_sql_is_the_formula_in_python(
    rows: list[dict[str, Any]], overrides: dict[str, Any]
) -> None:
    from django.db import connection

    from memories.core.decay import half_life_days

    policy = Policy.from_overrides(overrides)
    tenant_id = make_tenant()
    subject_id = make_subject(tenant_id)
    memories = [stored(subject_id, row) for row in rows]
    with tenant_transaction(tenant_id):
        Memory.objects.bulk_create(memories)
        sql, values = strength_sql(policy)
        with connection.cursor() as cursor:
            cursor.execute(
                f"SELECT m.id, {sql} FROM memories_memory m WHERE m.subject_id = %(s)s",
                {**values, "now": NOW, "s": subject_id},
            )
            found = dict(cursor.fetchall())
    for memory in memories:
        expected = strength_at(
            strength=memory.strength,
            last_hit_at=memory.last_hit_at,
            created_at=memory.created_at,
            now=NOW,
            half_life_days=half_life_days(policy, memory.kind, memory.importance_level or None),
        )
        assert found[memory.id] == pytest.approx(expected, rel=1e-9, abs=1e-12)


def test_a_very_old_memory_does_not_overflow() -> None:
    tenant_id = make_tenant()
    subject_id = make_subject(tenant_id)
    ancient = stored(subject_id, {**_plain(), "kind": "sensitive", "age": 36_500.0})
    with tenant_transaction(tenant_id):
        Memory.objects.bulk_create([ancient])
    policies.forget_cached()
    run = sweep(actor=system_actor(tenant_id), now=NOW)
    assert run.counts["rules"] == {"sweep.floor": {"sensitive": 1}}


def test_a_sweeps_version_row_is_the_one_that_a_service_writes() -> None:
    tenant_id = make_tenant()
    subject_id = make_subject(tenant_id)
    memory = stored(subject_id, {**_plain(), "ends_in": -1.0})
    memory.tags, memory.metadata, memory.key = ["a", "b"], {"n": [1, {"x": None}]}, "k"
    memory.valid_from, memory.event_start = NOW - timedelta(days=9, microseconds=17), NOW
    with tenant_transaction(tenant_id):
        memory.save()
    policies.forget_cached()
    run = sweep(actor=system_actor(tenant_id), now=NOW)
    with tenant_transaction(tenant_id):
        memory = Memory.objects.get(id=memory.id)
        [version] = MemoryVersion.objects.filter(memory_id=memory.id)
        [stone] = Tombstone.objects.filter(memory_id=memory.id)
    assert version.state == state_of(memory)
    assert (version.number, version.change, version.rule) == (2, "expired", "sweep.ttl")
    assert (memory.version, memory.status) == (2, "expired")
    assert (stone.run_id, stone.purge_after, stone.previous_status) == (
        run.id,
        NOW + timedelta(days=30),
        "current",
    )


def test_the_sweep_of_one_tenant_leaves_the_others_alone() -> None:
    tenants = [make_tenant(), make_tenant()]
    for tenant_id in tenants:
        subject_id = make_subject(tenant_id)
        with tenant_transaction(tenant_id):
            Memory.objects.bulk_create([stored(subject_id, {**_plain(), "ends_in": -1.0})])
    policies.forget_cached()
    sweep(actor=system_actor(tenants[0]), now=NOW)
    with tenant_transaction(tenants[1]):
        assert Memory.objects.current().count() == 1
        assert not SweepRun.objects.exists()


def test_a_second_sweep_finds_nothing() -> None:
    tenant_id = make_tenant()
    subject_id = make_subject(tenant_id)
    with tenant_transaction(tenant_id):
        Memory.objects.bulk_create([stored(subject_id, {**_plain(), "age": 300.0}) for _ in range(5)])
    policies.forget_cached()
    first = sweep(actor=system_actor(tenant_id), now=NOW)
    second = sweep(actor=system_actor(tenant_id), now=NOW)
    assert first.counts["rules"] == {"sweep.floor": {"fact": 5}}
    assert (second.counts["rules"], second.state) == ({}, "done")


def _plain() -> dict[str, Any]:
    return {
        "kind": "fact",
        "importance_level": "",
        "importance": 0.5,
        "strength": 1.0,
        "hits": 0,
        "age": 10.0,
        "hit_age": None,
        "ends_in": None,
        "pinned": False,
    }
