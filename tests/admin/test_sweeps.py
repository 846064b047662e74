"""Sweeps in the admin: what would go and why, started and paused by operators, and their history."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.models import AuditEntry
from memories.adapters import factory
from memories.models import Job, Memory, SweepPause, SweepRun
from memories.ports import FixedClock
from memories.services import jobs
from memories.services import sweep as sweeping
from memories.services.pause_sweeps import pause_sweeps, resume_sweeps
from memories.services.policies import forget_cached, set_policy
from memories.services.sweep import ABANDONED, sweep
from memories.store import sweep as store
from memories.tasks import sweep_tenants
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import Conflict, PermissionDenied
from tests.support.factories import make_memory
from tests.support.people import House

pytestmark = pytest.mark.django_db

LIST, PLAN = "admin:memories_sweeprun_changelist", "admin:memories_sweeprun_plan"
NOW = datetime(2026, 5, 4, 3, 0, tzinfo=UTC)


@pytest.fixture
def clock() -> Iterator[FixedClock]:
    still = FixedClock(NOW)
    with factory.override(clock=still):
        yield still


@pytest.fixture
def ended(acme: House, clock: FixedClock) -> list[Memory]:
    """Three memories that are past their end, and one that is not."""
    with tenant_transaction(acme.id):
        return [
            make_memory(
                acme.subjects["user"],
                f"the guest code is {number}",
                kind="fact",
                created_at=NOW - timedelta(days=9),
                expires_at=NOW - timedelta(days=3 - number) if number < 3 else None,
            )
            for number in range(4)
        ]


def statuses(house: House) -> list[str]:
    with tenant_transaction(house.id):
        return list(Memory.objects.order_by("id").values_list("status", flat=True))


def test_what_would_go_is_shown_before_it_goes(acme: House, ended: list[Memory]) -> None:
    client = acme.client("operator")
    page = client.get(reverse(PLAN)).content.decode()
    assert "3 of 4 memories would go now" in page
    assert "the guest code is 0" in page and "the guest code is 3" not in page
    assert "ended on" in page
    chinese = client.get(reverse(PLAN), headers={"accept-language": "zh-hans"}).content.decode()
    assert "已于" in chinese and "ended on" not in chinese
    assert reverse("admin:memories_memory_change", args=[ended[0].pk]) in page
    assert set(statuses(acme)) == {"current"}
    wrong = client.post(reverse(PLAN), {"confirmation": "yes"})
    assert "Type the word" in wrong.content.decode()
    with tenant_transaction(acme.id):
        assert not Job.objects.exists() and not SweepRun.objects.exists()


def test_it_is_started_by_a_word_and_run_by_a_worker(acme: House, ended: list[Memory]) -> None:
    client = acme.client("operator")
    answer = client.post(reverse(PLAN), {"confirmation": " Sweep "}, follow=True)
    assert "A worker runs it" in answer.content.decode()
    assert set(statuses(acme)) == {"current"}
    jobs.run_due(acme.id)
    assert statuses(acme) == ["expired"] * 3 + ["current"]
    with tenant_transaction(acme.id):
        run = SweepRun.objects.get()
        assert "sweep.asked" in set(AuditEntry.objects.values_list("action", flat=True))
    page = client.get(reverse("admin:memories_sweeprun_change", args=[run.pk])).content.decode()
    assert "3 memories, by rule and kind" in page and "sweep.ttl" in page
    listed = client.get(reverse(LIST)).content.decode()
    assert "3 memories" in listed and reverse("admin:memories_sweeprun_change", args=[run.pk]) in listed
    assert "There is nothing to sweep." in client.get(reverse(PLAN)).content.decode()


def test_a_running_sweep_stops_after_its_batch_and_goes_on_when_resumed(
    acme: House, clock: FixedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The pause comes between two batches: the first has committed, the next is not begun."""
    set_policy(actor=acme.actor("admin"), overrides={"sweep.batch": 10})
    forget_cached()
    with tenant_transaction(acme.id):
        for number in range(25):
            make_memory(acme.subjects["user"], f"note {number}", expires_at=NOW - timedelta(days=1))
    taking = store.take_ended
    paused: list[bool] = []

    def take(broom: store.Broom) -> store.Counts:
        counts = taking(broom)
        if not paused:
            paused.append(True)
            pause_sweeps(actor=acme.actor("operator"))
        return counts

    monkeypatch.setattr(sweeping.store, "take_ended", take)
    run = sweep(actor=acme.actor("operator"))
    assert run.state == SweepRun.State.PAUSED
    assert statuses(acme).count("expired") == 10
    with pytest.raises(Conflict):
        sweep(actor=acme.actor("operator"))
    sweep_tenants()
    jobs.run_due(acme.id)
    assert statuses(acme).count("expired") == 10
    client = acme.client("operator")
    assert "Sweeps are paused" in client.get(reverse("admin:index")).content.decode()
    assert "resume them to run one" in client.get(reverse(PLAN)).content.decode()
    refused = client.post(reverse(PLAN), {"confirmation": "sweep"}).content.decode()
    assert "sweeps are paused" in refused.lower()
    answer = client.post(reverse("admin:memories_sweeprun_pause"), {"do": "resume"}, follow=True)
    assert "Sweeps go on" in answer.content.decode()
    jobs.run_due(acme.id)
    assert statuses(acme).count("expired") == 25


def test_pausing_twice_is_one_pause_and_both_are_audited_once(acme: House, clock: FixedClock) -> None:
    client = acme.client("operator")
    for do in ("pause", "pause", "resume", "resume"):
        assert client.post(reverse("admin:memories_sweeprun_pause"), {"do": do}).status_code == 302
    with tenant_transaction(acme.id):
        actions = list(AuditEntry.objects.order_by("seq").values_list("action", flat=True))
        assert not SweepPause.objects.exists()
    assert [one for one in actions if one.startswith("sweeps.")] == ["sweeps.paused", "sweeps.resumed"]
    assert client.get(reverse("admin:memories_sweeprun_pause")).status_code == 405


def test_a_run_whose_worker_died_is_shown_as_stuck(acme: House, clock: FixedClock) -> None:
    with tenant_transaction(acme.id):
        run = SweepRun.objects.create(
            now=NOW, started_at=NOW - ABANDONED - timedelta(minutes=1), counts={"rules": {}, "examined": 0}
        )
    client = acme.client("operator")
    assert "Sweeps that are stuck" in client.get(reverse("admin:index")).content.decode()
    page = client.get(reverse("admin:memories_sweeprun_change", args=[run.pk])).content.decode()
    assert "This run is stuck" in page


def test_nobody_else_plans_pauses_or_sees_a_run(acme: House, globex: House, ended: list[Memory]) -> None:
    run = sweep(actor=acme.actor("operator"), dry_run=True)
    pause_sweeps(actor=acme.actor("operator"))
    foreign, user = globex.client("operator"), acme.client("user")
    page = foreign.get(reverse(PLAN)).content.decode()
    assert "0 of 0 memories" in page and "guest code" not in page and "are paused" not in page
    assert foreign.get(reverse("admin:memories_sweeprun_change", args=[run.pk])).status_code == 302
    foreign.post(reverse("admin:memories_sweeprun_pause"), {"do": "resume"})
    for url in (reverse(PLAN), reverse("admin:memories_sweeprun_pause")):
        assert user.post(url, {"do": "resume", "confirmation": "sweep"}).status_code == 302
    with tenant_transaction(acme.id):
        assert SweepPause.objects.exists() and not Job.objects.exists()
    with pytest.raises(PermissionDenied):
        resume_sweeps(actor=acme.actor("user"))


def test_the_pages_ask_a_bounded_number_of_queries(acme: House, ended: list[Memory]) -> None:
    client = acme.client("operator")
    for _number in range(3):
        sweep(actor=acme.actor("operator"), dry_run=False)
    most: dict[str, int] = {reverse(LIST): 16, reverse(PLAN): 22}
    for url, limit in most.items():
        client.get(url)
        with CaptureQueriesContext(connection) as asked:
            assert client.get(url).status_code == 200
        told: Any = [one["sql"][:100] for one in asked]
        assert len(asked) <= limit, "\n".join(told)
