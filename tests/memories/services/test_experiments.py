"""Experiments of a tenant: who may, what is refused, one at a time, and how one ends."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from typing import Any

import pytest

from accounts.models import AuditEntry
from memories.core.errors import PolicyError
from memories.core.experiments import Arm
from memories.models import Experiment, PolicyVersion, RecallTrace
from memories.services.experiments.adopt_experiment import adopt_experiment
from memories.services.experiments.create_experiment import create_experiment
from memories.services.experiments.discard_experiment import discard_experiment
from memories.services.experiments.results import experiment_results
from memories.services.experiments.start_experiment import start_experiment
from memories.services.experiments.stop_experiment import stop_experiment
from memories.services.policies import forget_cached, policy_for, policy_of, set_policy
from memories.services.replay_trace import replay_trace
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import Conflict, Invalid, NotFound, PermissionDenied
from memoryhub.common.ids import uuid7
from tests.support.factories import NOW
from tests.support.people import House
from tests.support.threads import all_at_once

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _uncached() -> Iterator[None]:
    forget_cached()
    yield
    forget_cached()


def draft(house: House, **fields: Any) -> Experiment:
    given: dict[str, Any] = {"name": "Fewer", "hypothesis": "Less is enough.", "overrides": {"recall.k": 3}}
    return create_experiment(actor=house.actor("admin"), **{**given, **fields})


def started(house: House, **fields: Any) -> Experiment:
    row = start_experiment(actor=house.actor("admin"), experiment_id=draft(house, **fields).pk)
    forget_cached()
    return row


def in_arm(house: House, arm: Arm) -> uuid.UUID:
    """A session's id that the running experiment puts into the arm."""
    return next(one for one in iter(uuid7, None) if policy_for(house.id, one).arm == arm)


def stored(row: Experiment, house: House) -> Experiment:
    with tenant_transaction(house.id):
        found: Experiment = Experiment.objects.get(pk=row.pk)
        return found


def actions(house: House) -> list[str]:
    """What the audit holds, change by change; those of one transaction stand in one entry."""
    with tenant_transaction(house.id):
        entries = AuditEntry.objects.order_by("seq").values_list("changes", flat=True)
        return [change["action"] for changes in entries for change in changes]


def test_sessions_of_the_two_arms_go_by_two_policies_and_all_else_by_one(acme: House, globex: House) -> None:
    set_policy(actor=acme.actor("admin"), overrides={"recall.k": 9, "sweep.floor": 0.1})
    row = started(acme, overrides={"recall.k": 3})
    assert (row.state, row.base_version, row.overrides) == ("running", 1, {"recall.k": 3})
    a, b = (policy_for(acme.id, in_arm(acme, arm)) for arm in Arm)
    assert (a.policy.integer("recall.k"), b.policy.integer("recall.k")) == (9, 3)
    assert b.policy.number("sweep.floor") == 0.1
    assert (a.version, b.version) == (1, 1) and a.experiment_id == b.experiment_id == row.pk
    assert policy_of(acme.id)[0].integer("recall.k") == 9
    outside = policy_for(acme.id, None)
    assert (outside.arm, outside.experiment_id, outside.policy) == (None, None, a.policy)
    assert {policy_for(globex.id, uuid7()).arm for _ in range(20)} == {None}


def test_tenants_have_experiments_of_their_own(acme: House, globex: House) -> None:
    mine, theirs = started(acme), started(globex, overrides={"recall.k": 2})
    assert policy_for(globex.id, in_arm(globex, Arm.B)).policy.integer("recall.k") == 2
    admin = globex.actor("admin")
    for verb in (start_experiment, stop_experiment, adopt_experiment, discard_experiment, experiment_results):
        with pytest.raises(NotFound):
            verb(actor=admin, experiment_id=mine.pk)
    assert stored(mine, acme).state == stored(theirs, globex).state == "running"


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"name": " "}, "name"),
        ({"name": "x" * 101}, "name"),
        ({"hypothesis": ""}, "hypothesis"),
        ({"hypothesis": "a\x00b"}, "hypothesis"),
        ({"share": 0.04}, "share"),
        ({"share": 0.96}, "share"),
        ({"share": float("nan")}, "share"),
        ({"overrides": {}}, "overrides"),
        ({"overrides": {"recall.k": 6}}, "recall.k"),
        ({"overrides": {"recall.k": 900}}, "recall.k"),
        ({"overrides": {"pii.action.phone": "mask"}}, "pii.action.phone"),
        ({"overrides": {"sweep.floor": 0.2}}, "sweep.floor"),
    ],
)
def test_what_does_not_fit_is_told_at_its_field_and_nothing_is_kept(
    acme: House, fields: dict[str, Any], field: str
) -> None:
    with pytest.raises(Invalid) as refused:
        draft(acme, **fields)
    assert list(refused.value.fields) == [field]
    with tenant_transaction(acme.id):
        assert not Experiment.objects.exists()


def test_operators_read_and_admins_decide(acme: House) -> None:
    row, operator = draft(acme), acme.actor("operator")
    assert experiment_results(actor=operator, experiment_id=row.pk).measures == []
    with pytest.raises(PermissionDenied):
        create_experiment(actor=operator, name="x", hypothesis="y", overrides={"recall.k": 3})
    for verb in (start_experiment, stop_experiment, adopt_experiment, discard_experiment):
        with pytest.raises(PermissionDenied):
            verb(actor=operator, experiment_id=row.pk)
    with pytest.raises(PermissionDenied):
        experiment_results(actor=acme.actor("user"), experiment_id=row.pk)
    assert stored(row, acme).state == "draft"


def test_only_one_runs_and_each_step_is_audited(acme: House) -> None:
    admin = acme.actor("admin")
    first, second, third = started(acme), draft(acme, name="Second"), draft(acme, name="Third")
    with pytest.raises(Conflict):
        start_experiment(actor=admin, experiment_id=second.pk)
    stop_experiment(actor=admin, experiment_id=first.pk, note="enough")
    start_experiment(actor=admin, experiment_id=second.pk)
    discard_experiment(actor=admin, experiment_id=third.pk)
    for verb in (start_experiment, stop_experiment, discard_experiment):
        with pytest.raises(Conflict):
            verb(actor=admin, experiment_id=first.pk)
    ended = stored(first, acme)
    assert (ended.state, ended.note, ended.stopped_by) == ("stopped", "enough", admin.id)
    assert [one for one in actions(acme) if one.startswith("experiment")] == [
        "experiment.created", "experiment.started", "experiment.created", "experiment.created",
        "experiment.stopped", "experiment.started", "experiment.discarded",
    ]  # fmt: skip


def test_after_the_stop_every_session_goes_by_the_policy_in_force(acme: House) -> None:
    row = started(acme)
    session = in_arm(acme, Arm.B)
    stop_experiment(actor=acme.actor("admin"), experiment_id=row.pk)
    forget_cached()
    found = policy_for(acme.id, session)
    assert (found.arm, found.experiment_id, found.policy.integer("recall.k")) == (None, None, 6)


def test_adopting_puts_bs_rules_over_those_in_force_as_a_version(acme: House) -> None:
    admin = acme.actor("admin")
    own = {"patterns": [{"name": "ticket", "pattern": "TK-[0-9]{4}", "action": "mask"}]}
    set_policy(actor=admin, overrides={"recall.k": 9, "sweep.floor": 0.1}, custom=own)
    row = started(acme, overrides={"recall.k": 3})
    session = in_arm(acme, Arm.A)
    adopted = adopt_experiment(actor=admin, experiment_id=row.pk)
    forget_cached()
    assert (adopted.state, adopted.ended_by_version, adopted.stopped_by) == ("adopted", 2, admin.id)
    with tenant_transaction(acme.id):
        version = PolicyVersion.objects.get(number=2)
    assert version.overrides == {"recall.k": 3, "sweep.floor": 0.1} and "Fewer" in version.note
    assert policy_of(acme.id)[0].own.actions() == {"own:ticket": "mask"}
    found = policy_for(acme.id, session)
    assert (found.version, found.arm, found.policy.integer("recall.k")) == (2, None, 3)
    # Adopting stops it by itself: nothing says that a policy beside it did.
    assert [one for one in actions(acme) if one.startswith(("experiment", "policy"))][-2:] == [
        "experiment.adopted",
        "policy.set",
    ]
    with pytest.raises(Conflict):
        adopt_experiment(actor=admin, experiment_id=row.pk)


def test_a_stopped_one_is_adopted_over_what_is_in_force_by_then(acme: House) -> None:
    admin = acme.actor("admin")
    row = started(acme, overrides={"recall.k": 3})
    stop_experiment(actor=admin, experiment_id=row.pk)
    set_policy(actor=admin, overrides={"window.rounds": 5})
    with pytest.raises(Conflict):
        adopt_experiment(actor=admin, experiment_id=row.pk, expected=0)
    assert stored(row, acme).state == "stopped"
    adopt_experiment(actor=admin, experiment_id=row.pk, expected=1)
    forget_cached()
    assert policy_of(acme.id)[0].overrides() == {"recall.k": 3, "window.rounds": 5}


def test_a_draft_is_not_adopted(acme: House) -> None:
    with pytest.raises(Conflict):
        adopt_experiment(actor=acme.actor("admin"), experiment_id=draft(acme).pk)
    with tenant_transaction(acme.id):
        assert not PolicyVersion.objects.exists()


def test_saving_a_policy_stops_the_experiment_since_its_arm_a_is_gone(acme: House) -> None:
    row = started(acme)
    with pytest.raises(PolicyError):
        set_policy(actor=acme.actor("admin"), overrides={"recall.k": 0})
    assert stored(row, acme).state == "running"
    version = set_policy(actor=acme.actor("admin"), overrides={"window.rounds": 5})
    ended = stored(row, acme)
    assert (ended.state, ended.ended_by_version) == ("stopped", version.number)
    assert actions(acme)[-2:] == ["policy.set", "experiment.stopped"]


def test_a_rule_that_does_not_fit_any_more_stops_nobodys_chat(acme: House) -> None:
    row = started(acme)
    with tenant_transaction(acme.id):
        Experiment.objects.filter(pk=row.pk).update(overrides={"recall.gone": 1})
    forget_cached()
    found = policy_for(acme.id, uuid7())
    assert (found.arm, found.policy.integer("recall.k")) == (None, 6)


def test_a_draft_that_does_not_fit_the_policy_by_now_is_not_started(acme: House) -> None:
    row = draft(acme, overrides={"recall.candidates": 20})
    set_policy(actor=acme.actor("admin"), overrides={"recall.k": 40})
    with pytest.raises(PolicyError):
        start_experiment(actor=acme.actor("admin"), experiment_id=row.pk)
    assert stored(row, acme).state == "draft"


def test_a_recall_of_arm_b_is_replayed_by_the_rules_of_arm_b(acme: House) -> None:
    """Its scores follow from its parts only under B's weights; without them the replay would call it inexact."""
    row = started(acme, overrides={"recall.weight.similarity": 0.2, "recall.weight.strength": 0.8})
    parts = {"similarity": 1.0, "strength": 0.5}
    # (0.2 x 1 + 0.8 x 0.5) / (0.2 + 0.8 + 0.05 + 0.15 + 0.05)
    score = 0.6 / 1.25
    entry = {"id": str(uuid7()), "item_kind": "memory", "score": score, "scores": parts, "used": True}
    with tenant_transaction(acme.id):
        fields = {"subject_id": acme.subjects["user"], "considered": [entry], "at": NOW}
        of_b = RecallTrace.objects.create(**fields, experiment_id=row.pk, arm="b")
        of_a = RecallTrace.objects.create(**fields, experiment_id=row.pk, arm="a")
    operator = acme.actor("operator")
    assert replay_trace(actor=operator, trace_id=of_b.pk).exact
    assert not replay_trace(actor=operator, trace_id=of_a.pk).exact


@pytest.mark.django_db(transaction=True)
def test_of_two_starts_at_once_one_is_told(acme: House) -> None:
    rows = [draft(acme, name=str(number)) for number in range(2)]
    admin = acme.actor("admin")
    found = all_at_once(
        [lambda row=row: start_experiment(actor=admin, experiment_id=row.pk) for row in rows]  # type: ignore[misc]
    )
    assert sorted(type(one).__name__ for one in found) == ["Conflict", "Experiment"]
    with tenant_transaction(acme.id):
        assert Experiment.objects.filter(state="running").count() == 1


@pytest.mark.django_db(transaction=True)
def test_a_stop_an_adoption_and_a_saved_policy_at_once_end_it_once(acme: House) -> None:
    row, admin = started(acme), acme.actor("admin")
    found = all_at_once(
        [
            lambda: stop_experiment(actor=admin, experiment_id=row.pk),
            lambda: adopt_experiment(actor=admin, experiment_id=row.pk),
            lambda: set_policy(actor=admin, overrides={"window.rounds": 5}),
        ]
    )
    assert not [one for one in found if isinstance(one, Exception) and not isinstance(one, Conflict)]
    ends = [one for one in actions(acme) if one in {"experiment.stopped", "experiment.adopted"}]
    # One that was stopped may still be adopted, but it is stopped once.
    assert ends.count("experiment.stopped") <= 1 and ends.count("experiment.adopted") <= 1 and ends
    assert stored(row, acme).state == ("adopted" if "experiment.adopted" in ends else "stopped")
    with tenant_transaction(acme.id):
        numbers = list(PolicyVersion.objects.order_by("number").values_list("number", flat=True))
    assert numbers == list(range(1, len(numbers) + 1))
