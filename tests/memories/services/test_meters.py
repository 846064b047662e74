"""What /metrics tells of recalls, of the queue and of sweeps, whichever process did them."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core.cache import cache
from django.test import Client

from memories.adapters.factory import get_clock
from memories.models import Job
from memories.services.jobs import ring_due
from memories.services.recall import recall
from memories.tasks import sweep_tenants
from memoryhub.common.db import tenant_transaction
from tests.support.factories import make_memory
from tests.support.people import House

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def emptied() -> None:
    cache.clear()


def told() -> dict[str, float]:
    """The page's numbers by name."""
    lines = Client().get("/metrics").content.decode().splitlines()
    return {
        name: float(value) for name, _, value in (line.rpartition(" ") for line in lines if line[0] != "#")
    }


def test_a_recall_is_timed(acme: House) -> None:
    before = told()["memoryhub_recall_seconds_count"]
    recall(actor=acme.actor(), subject_id=acme.subjects["user"], query="where is the key?")
    assert told()["memoryhub_recall_seconds_count"] == before + 1


def test_the_due_jobs_of_all_tenants_are_counted_as_beat_saw_them(acme: House, globex: House) -> None:
    assert "memoryhub_jobs_due" not in told()
    now = get_clock().now()
    for house, keys in ((acme, "ab"), (globex, "c")):
        with tenant_transaction(house.id):
            for key in keys:
                Job.objects.create(kind="learn_turn", key=key, run_after=now, created_at=now)
            Job.objects.create(
                kind="learn_turn", key="later", run_after=now + timedelta(hours=1), created_at=now
            )
    ring_due(now)
    assert told()["memoryhub_jobs_due"] == 3


def test_what_sweeps_took_adds_up(acme: House, globex: House) -> None:
    ended = get_clock().now() - timedelta(days=1)
    for house in (acme, globex):
        with tenant_transaction(house.id):
            make_memory(house.subjects["user"], f"over, {house.tenant.slug}", expires_at=ended)
    sweep_tenants()
    first = told()
    assert (first["memoryhub_sweep_runs_total"], first["memoryhub_sweep_taken_total"]) == (2, 2)
    assert first["memoryhub_sweep_examined_total"] >= 2
    assert abs(first["memoryhub_sweep_last_timestamp_seconds"] - get_clock().now().timestamp()) < 60
    sweep_tenants()
    assert told()["memoryhub_sweep_runs_total"] == 4
    assert told()["memoryhub_sweep_taken_total"] == 2
