"""A policy is previewed on the tenant's own data, saved against lost updates, and reverted."""

from __future__ import annotations

import uuid
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection

from accounts.actor import Actor
from accounts.models import AuditEntry
from memories.core.errors import PolicyError
from memories.models import PolicyVersion, RecallTrace
from memories.ports import FixedClock
from memories.services.pin import pin
from memories.services.policies import set_policy
from memories.services.policy_history import policy_history, policy_version
from memories.services.preview_policy import preview_policy
from memories.services.recall import recall
from memories.services.revert_policy import revert_policy
from memories.services.sweep import sweep
from memories.store import sweep_preview
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import Conflict, NotFound, PermissionDenied
from tests.memories.services.helpers import keep
from tests.support.people import House

pytestmark = pytest.mark.django_db

HARSHER = {"half_life.fact": 3.0, "sweep.floor": 0.2, "sweep.capacity": 10}


@pytest.fixture
def garden(system: Actor, subject_id: uuid.UUID, clock: FixedClock) -> None:
    for at in range(24):
        kind = ("fact", "event", "preference")[at % 3]
        kept = keep(
            system, subject_id, f"tea number {at} grows in bed {at}", kind=kind, importance=0.1 + at / 100
        )
        if at == 0:
            assert kept.memory_id is not None
            pin(actor=system, memory_id=kept.memory_id, pinned=True)
    keep(system, subject_id, "the shed is open", expires_at=clock.now() + timedelta(days=2))


def test_the_counts_are_what_a_sweep_then_takes(
    acme: House, system: Actor, garden: None, clock: FixedClock, django_capture_on_commit_callbacks: Any
) -> None:
    clock.advance(days=20)
    seen = preview_policy(actor=acme.actor("operator"), overrides=HARSHER).sweep
    assert seen is not None
    assert seen.after != seen.before and seen.examined == 25
    assert seen.totals[1] > seen.totals[0]
    dry = sweep(actor=system, dry_run=True)
    assert dry.counts["rules"] == seen.before
    with django_capture_on_commit_callbacks(execute=True):
        set_policy(actor=acme.actor("admin"), overrides=HARSHER)
    taken = sweep(actor=system)
    assert taken.counts["rules"] == seen.after
    assert {rule for rule, *_ in seen.rows} == {"sweep.ttl", "sweep.floor", "sweep.capacity"}


def test_rescoring_with_the_same_policy_changes_nothing(
    acme: House, system: Actor, garden: None, subject_id: uuid.UUID
) -> None:
    for at in range(5):
        recall(actor=system, subject_id=subject_id, query=f"where grows tea number {at}", reinforce=False)
    seen = preview_policy(actor=acme.actor("operator"), overrides={})
    assert (seen.recalls.examined, seen.recalls.order, seen.recalls.chosen, seen.recalls.partly) == (
        5,
        0,
        0,
        0,
    )
    assert seen.recalls.overlap == 1.0 and seen.recalls.most == [] and seen.rules == []
    assert seen.sweep is not None and seen.sweep.before == seen.sweep.after


def test_another_weight_changes_the_rankings_and_names_the_recalls(
    acme: House, system: Actor, garden: None, subject_id: uuid.UUID
) -> None:
    result = recall(actor=system, subject_id=subject_id, query="where grows tea number 3", k=4)
    operator = acme.actor("operator")
    overrides = {"recall.weight.similarity": 0.0, "recall.weight.importance": 1.0, "half_life.fact": 3.0}
    seen = preview_policy(actor=operator, overrides=overrides)
    assert seen.recalls.order == 1
    (changed,) = seen.recalls.most
    assert changed.trace_id == result.trace_id and changed.query == "where grows tea number 3"
    assert changed.shift.correlation < 1
    assert seen.unseen == ["half_life.fact"]
    with tenant_transaction(acme.id):
        entries = AuditEntry.objects.order_by("-seq").values_list("changes", flat=True)[:5]
        actions = [change["action"] for changes in entries for change in changes]
        assert {"policy.previewed", "trace.read"} <= set(actions)
        assert not PolicyVersion.objects.exists()


def test_both_rankings_are_worked_out_from_the_policy_of_then(
    acme: House, subject_id: uuid.UUID, clock: FixedClock
) -> None:
    """Kept under the defaults, in force is another policy: the comparison is between that one and the changed one."""
    parts = [{"similarity": 0.8, "strength": 0.2}, {"similarity": 0.6, "strength": 0.7}]
    considered = [
        {"id": str(uuid.uuid4()), "item_kind": "memory", "score": score, "scores": scores, "used": True}
        for score, scores in zip((0.48, 0.47), parts, strict=True)
    ]
    with tenant_transaction(acme.id):
        RecallTrace.objects.create(subject_id=subject_id, query="q", considered=considered, at=clock.now())
    admin = acme.actor("admin")
    set_policy(actor=admin, overrides={"recall.weight.strength": 0.4})
    assert preview_policy(actor=admin, overrides={"recall.weight.strength": 0.4}).recalls.order == 0
    assert preview_policy(actor=admin, overrides={}).recalls.top == 1


def test_too_long_a_count_is_given_up_and_the_rest_is_told(
    acme: House, system: Actor, garden: None, subject_id: uuid.UUID, monkeypatch: pytest.MonkeyPatch
) -> None:
    def endless(broom: Any) -> Any:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_sleep(60)")

    recall(actor=system, subject_id=subject_id, query="where grows tea number 3", reinforce=False)
    monkeypatch.setattr(sweep_preview, "preview", endless)
    seen = preview_policy(actor=acme.actor("operator"), overrides=HARSHER, patience=50)
    assert seen.sweep is None
    assert seen.recalls.examined == 1


def test_a_preview_of_what_does_not_fit_names_the_part_and_others_may_not(acme: House) -> None:
    with pytest.raises(PolicyError) as refused:
        preview_policy(actor=acme.actor("operator"), overrides={"recall.k": 0})
    assert refused.value.key == "recall.k"
    with pytest.raises(PermissionDenied):
        preview_policy(actor=acme.actor("user"), overrides={})


def test_a_preview_takes_few_queries_however_many_recalls_there_are(
    acme: House, system: Actor, garden: None, subject_id: uuid.UUID, django_assert_max_num_queries: Any
) -> None:
    for at in range(12):
        recall(actor=system, subject_id=subject_id, query=f"where grows tea number {at}", reinforce=False)
    operator = acme.actor("operator")
    overrides = {"recall.weight.similarity": 0.0, "recall.weight.importance": 1.0, "sweep.floor": 0.2}
    with django_assert_max_num_queries(24):
        assert len(preview_policy(actor=operator, overrides=overrides).recalls.most) == 10


OWN = {"patterns": [{"name": "badge", "pattern": "B-[0-9]{4}"}]}


def test_an_earlier_version_comes_back_as_a_new_one_with_all_that_it_held(acme: House, globex: House) -> None:
    admin, operator = acme.actor("admin"), acme.actor("operator")
    set_policy(actor=admin, overrides={"recall.k": 9}, custom=OWN, note="first")
    set_policy(actor=admin, overrides={"recall.k": 9, "sweep.floor": 0.1}, custom={}, note="second")
    with pytest.raises(PermissionDenied):
        revert_policy(actor=operator, number=1, expected=2)
    with pytest.raises(Conflict):
        revert_policy(actor=admin, number=1, expected=1)
    with pytest.raises(NotFound):
        revert_policy(actor=admin, number=7, expected=2)
    made = revert_policy(actor=admin, number=1, expected=2, note="back")
    assert (made.number, made.overrides) == (3, {"recall.k": 9})
    assert made.custom["patterns"][0]["name"] == "badge"
    made = revert_policy(actor=admin, number=0, expected=3)
    assert (made.overrides, made.custom) == ({}, {})

    newest, more = policy_history(actor=operator, limit=2)
    assert more and [one.version.number for one in newest] == [4, 3]
    assert newest[1].by == "acme admin" and newest[1].version.note == "back"
    older, more = policy_history(actor=operator, before=3)
    assert not more
    assert [([rule.key for rule in one.rules], [own.how for own in one.own]) for one in older] == [
        (["sweep.floor"], ["removed"]),
        (["recall.k"], ["added"]),
    ]
    assert policy_version(actor=operator).number == 4
    assert policy_history(actor=globex.actor("operator")) == ([], False)
    assert policy_version(actor=globex.actor("operator")).number == 0
    with pytest.raises(NotFound):
        policy_version(actor=globex.actor("operator"), number=1)
