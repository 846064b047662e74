"""Periodic tasks in django-celery-beat, and the versions of a tenant's policy."""

from __future__ import annotations

import pytest
from django_celery_beat.models import IntervalSchedule, PeriodicTask

from accounts.models import AuditEntry
from memories import schedule
from memories.core.errors import PolicyError
from memories.models import PolicyVersion
from memories.services.policies import policy_of, set_policy
from memories.services.sync_schedule import PREFIX, sync_schedule
from memoryhub.celery import app
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import PermissionDenied
from tests.support.people import House

pytestmark = pytest.mark.django_db


def test_every_declared_task_exists() -> None:
    app.loader.import_default_modules()
    assert {one.task for one in schedule.PERIODIC} <= set(app.tasks)


def test_syncing_writes_the_declared_tasks_once_and_removes_the_rest() -> None:
    hourly = IntervalSchedule.objects.create(every=1, period=IntervalSchedule.HOURS)
    PeriodicTask.objects.create(name=PREFIX + "of an older release", task="gone", interval=hourly)
    PeriodicTask.objects.create(name="by hand", task="mine", interval=hourly)
    first = sync_schedule()
    assert first == {"written": len(schedule.PERIODIC), "unchanged": 0, "removed": 1}
    assert sync_schedule() == {"written": 0, "unchanged": len(schedule.PERIODIC), "removed": 0}
    names = set(PeriodicTask.objects.values_list("name", flat=True))
    assert {PREFIX + one.name for one in schedule.PERIODIC} | {"by hand"} <= names


def test_an_operators_switch_survives_a_sync() -> None:
    sync_schedule()
    name = PREFIX + schedule.PERIODIC[0].name
    PeriodicTask.objects.filter(name=name).update(enabled=False)
    sync_schedule()
    assert PeriodicTask.objects.get(name=name).enabled is False


def test_a_policy_is_versioned_validated_and_audited(acme: House, globex: House) -> None:
    admin = acme.actor("admin")
    assert policy_of(acme.id)[1] == 0
    set_policy(actor=admin, overrides={"recall.k": 9}, note="more")
    with tenant_transaction(acme.id):
        assert PolicyVersion.objects.get().overrides == {"recall.k": 9}
        entry = AuditEntry.objects.order_by("-seq").first()
        assert entry is not None and entry.action == "policy.set"
    with pytest.raises(PolicyError):
        set_policy(actor=admin, overrides={"recall.kk": 9})
    with pytest.raises(PermissionDenied):
        set_policy(actor=acme.actor("operator"), overrides={})
    assert policy_of(globex.id)[1] == 0


def test_a_new_policy_is_in_force_after_its_commit(
    acme: House, django_capture_on_commit_callbacks: object
) -> None:
    assert policy_of(acme.id)[0].integer("recall.k") == 6
    with django_capture_on_commit_callbacks(execute=True):  # type: ignore[operator]
        set_policy(actor=acme.actor("admin"), overrides={"recall.k": 9})
    assert policy_of(acme.id)[0].integer("recall.k") == 9
