"""Jobs: the row is the truth; leases, back-off and bells on top of it."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest

from memories.models import Job
from memories.ports import FixedClock
from memories.services import jobs
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import Unavailable
from tests.support.people import House

pytestmark = pytest.mark.django_db


@pytest.fixture
def ran() -> Iterator[list[jobs.JobContext]]:
    """What the handler of the kind "test" was called with."""
    calls: list[jobs.JobContext] = []

    @jobs.handler("test", max_attempts=3)
    def run(context: jobs.JobContext) -> None:
        calls.append(context)
        if context.payload.get("fail"):
            raise Unavailable("the model does not answer")

    yield calls
    del jobs.HANDLERS["test"]


def ask(house: House, key: str = "k", **changes: Any) -> uuid.UUID:
    with tenant_transaction(house.id):
        return jobs.enqueue(kind="test", key=key, **changes)


def row(house: House, job_id: uuid.UUID) -> Job:
    with tenant_transaction(house.id):
        return Job.objects.get(id=job_id)


def test_a_job_runs_once_and_is_done(acme: House, ran: list[jobs.JobContext]) -> None:
    job_id = ask(acme, payload={"turn": 7})
    assert jobs.run(acme.id, job_id)
    assert not jobs.run(acme.id, job_id)
    assert [(one.payload, one.attempt) for one in ran] == [({"turn": 7}, 1)]
    assert row(acme, job_id).state == "done"


def test_the_same_work_asked_for_twice_is_one_job(acme: House) -> None:
    assert ask(acme) == ask(acme)
    assert ask(acme, key="other") != ask(acme)


def test_work_asked_for_while_it_runs_runs_once_more(
    acme: House, ran: list[jobs.JobContext], clock: FixedClock
) -> None:
    job_id = ask(acme)
    job = jobs.claim(acme.id, job_id, owner="a", now=clock.now())
    assert job is not None
    assert ask(acme) == job_id
    jobs.finish(job, owner="a", now=clock.now())
    assert row(acme, job_id).state == "pending"
    assert jobs.run_due(acme.id) == 1
    assert row(acme, job_id).state == "done"
    assert "again" not in ran[0].payload


def test_only_one_worker_gets_it_until_the_lease_lapses(acme: House, clock: FixedClock) -> None:
    job_id = ask(acme)
    assert jobs.claim(acme.id, job_id, owner="killed", now=clock.now()) is not None
    assert jobs.claim(acme.id, job_id, owner="other", now=clock.now()) is None
    with tenant_transaction(acme.id):
        assert jobs.due(clock.now()) == []
    clock.advance(seconds=61)
    with tenant_transaction(acme.id):
        assert jobs.due(clock.now()) == [job_id]
    taken = jobs.claim(acme.id, job_id, owner="other", now=clock.now())
    assert taken is not None and taken.attempts == 2


def test_a_worker_that_lost_its_lease_cannot_finish_it(acme: House, clock: FixedClock) -> None:
    job_id = ask(acme)
    slow = jobs.claim(acme.id, job_id, owner="slow", now=clock.now())
    clock.advance(seconds=61)
    assert jobs.claim(acme.id, job_id, owner="other", now=clock.now()) is not None
    assert slow is not None
    jobs.finish(slow, owner="slow", now=clock.now())
    assert (row(acme, job_id).state, row(acme, job_id).lease_owner) == ("running", "other")


def test_failures_back_off_and_end_as_failed_with_a_code(
    acme: House, ran: list[jobs.JobContext], clock: FixedClock
) -> None:
    job_id = ask(acme, payload={"fail": 1})
    waits = []
    for _ in range(3):
        jobs.run(acme.id, job_id)
        job = row(acme, job_id)
        waits.append((job.run_after - clock.now()).total_seconds())
        assert not jobs.run(acme.id, job_id), "it waits for its back-off"
        clock.advance(seconds=max(waits[-1], 0))
    assert waits[:2] == [5.0, 10.0]
    assert (row(acme, job_id).state, row(acme, job_id).error_code) == ("failed", "unavailable")
    assert len(ran) == 3


def test_a_job_that_kills_its_worker_each_time_ends(
    acme: House, ran: list[jobs.JobContext], clock: FixedClock
) -> None:
    job_id = ask(acme)
    for _ in range(3):
        assert jobs.claim(acme.id, job_id, owner="killed", now=clock.now())
        clock.advance(seconds=61)
    assert not jobs.run(acme.id, job_id)
    assert (row(acme, job_id).state, row(acme, job_id).error_code) == ("failed", "worker_lost")
    assert ran == []


def test_an_unknown_kind_is_reported_not_dropped(acme: House, clock: FixedClock) -> None:
    with tenant_transaction(acme.id):
        job_id = jobs.enqueue(kind="from_a_newer_release", key="k")
    assert not jobs.run(acme.id, job_id)
    assert (row(acme, job_id).state, row(acme, job_id).error_code) == ("pending", "no_handler")


def test_the_bell_rings_after_commit_and_beat_rings_for_what_is_due(
    acme: House,
    globex: House,
    clock: FixedClock,
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: Any,
) -> None:
    rung: list[uuid.UUID] = []
    monkeypatch.setattr(jobs, "ring", lambda tenant_id, job_id, delay=0.0: rung.append(job_id) or True)
    with django_capture_on_commit_callbacks(execute=True):
        now = ask(acme)
    assert rung == [now]
    later = ask(globex, run_after=clock.now() + timedelta(minutes=5))
    rung.clear()
    assert (jobs.ring_due(clock.now()), rung) == (1, [now])
    rung.clear()
    jobs.ring_due(clock.now() + timedelta(minutes=6))
    assert set(rung) == {now, later}


def test_a_broker_that_is_down_does_not_undo_the_write(acme: House, monkeypatch: pytest.MonkeyPatch) -> None:
    from memories.tasks import run_job

    def down(*args: Any, **kwargs: Any) -> None:
        raise ConnectionError("no broker")

    monkeypatch.setattr(run_job, "apply_async", down)
    job_id = ask(acme)
    assert jobs.ring(acme.id, job_id) is False
    assert row(acme, job_id).state == "pending"


def test_another_tenants_worker_does_not_see_the_job(
    acme: House, globex: House, ran: list[jobs.JobContext]
) -> None:
    job_id = ask(acme)
    assert not jobs.run(globex.id, job_id)
    assert ran == []


def test_old_done_jobs_are_dropped_failed_ones_stay(
    acme: House, ran: list[jobs.JobContext], clock: FixedClock
) -> None:
    done, failed = ask(acme), ask(acme, key="f", payload={"fail": 1})
    for _ in range(3):
        jobs.run_due(acme.id)
        clock.advance(minutes=1)
    clock.advance(days=8)
    with tenant_transaction(acme.id):
        assert jobs.purge_finished(clock.now()) == 1
        assert list(Job.objects.values_list("id", flat=True)) == [failed]
    assert done != failed


def test_asking_again_does_not_shorten_the_back_off(
    acme: House, ran: list[jobs.JobContext], clock: FixedClock
) -> None:
    job_id = ask(acme, payload={"fail": True})
    jobs.run(acme.id, job_id)
    waits_until = row(acme, job_id).run_after
    assert waits_until > clock.now()
    assert ask(acme, run_after=clock.now()) == job_id
    assert row(acme, job_id).run_after == waits_until


def test_work_that_has_not_failed_is_brought_forward(acme: House, clock: FixedClock) -> None:
    job_id = ask(acme, run_after=clock.now() + timedelta(hours=1))
    ask(acme, run_after=clock.now())
    assert row(acme, job_id).run_after == clock.now()


def test_what_failed_for_good_rests_for_an_hour_and_stays_two_months(acme: House, clock: FixedClock) -> None:
    job_id = ask(acme)
    job = jobs.claim(acme.id, job_id, owner="a", now=clock.now())
    assert job is not None
    jobs.fail(job, owner="a", now=clock.now(), error_code="down", max_attempts=1)
    with tenant_transaction(acme.id):
        assert jobs.resting("test", ["k", "other"], clock.now()) == {"k"}
        assert jobs.resting("another", ["k"], clock.now()) == set()
        assert jobs.resting("test", ["k"], clock.now() + timedelta(minutes=61)) == set()
        assert jobs.purge_finished(clock.now() + timedelta(days=59)) == 0
        assert jobs.purge_finished(clock.now() + timedelta(days=61)) == 1
