"""The home of the admin: what waits, by kind, with the way to it; and trying failed work again."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.messages import get_messages
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from accounts.models import AuditEntry
from memories.models import Approval, Contradiction, ForgetRequest, Job, SweepRun
from memories.services.jobs import enqueue
from memories.services.retry_job import retry_job
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import Conflict, NotFound, PermissionDenied
from tests.support.factories import make_memory
from tests.support.people import House

pytestmark = pytest.mark.django_db

HOME = "admin:index"


def failed(house: House, kind: str, key: str = "a") -> Job:
    with tenant_transaction(house.id):
        job: Job = Job.objects.create(
            kind=kind, key=key, state="failed", attempts=8, error_code="ModelUnavailable",
            run_after=timezone.now(), created_at=timezone.now(), finished_at=timezone.now() - timedelta(hours=3),
        )  # fmt: skip
    return job


def fill(house: House) -> None:
    """One of each kind of work."""
    now = timezone.now()
    with tenant_transaction(house.id):
        subject_id = house.subjects["user"]
        older, newer, waits = (make_memory(subject_id, f"{n} of acme", status="current") for n in range(3))
        Contradiction.objects.create(
            subject_id=subject_id, older=older, newer=newer, opened_at=now - timedelta(days=3)
        )
        Approval.objects.create(subject_id=subject_id, memory=waits, asked_at=now - timedelta(days=1))
        ForgetRequest.objects.create(
            subject_id=subject_id, state="undoing", scope="all", asked_at=now - timedelta(hours=1),
            expires_at=now + timedelta(days=1),
        )  # fmt: skip
        SweepRun.objects.create(
            state="done", now=now, started_at=now - timedelta(hours=5), finished_at=now, counts={"rules": {}}
        )
    for kind in (
        "compact_session",
        "learn_with_model",
        "learn_turn",
        "index_pending",
        "erase_subject",
        "sweep",
    ):
        failed(house, kind)


def counts(house: House, who: str = "operator") -> dict[str, str]:
    """The home's rows: title and what waits."""
    page = house.client(who).get(reverse(HOME)).context["work"]
    return {str(one.title): one.count for one in page}


def test_every_kind_of_work_has_a_row_that_leads_to_it(acme: House) -> None:
    assert set(counts(acme).values()) == {0}
    fill(acme)
    found = counts(acme)
    done = {"Redactions that stopped", "Sweeps are paused", "Sweeps that are stuck"}
    assert {title: n for title, n in found.items() if title not in done} == dict.fromkeys(
        set(found) - done, 1
    )
    assert {"Open contradictions", "Memories that wait for a yes", "Sweeps are overdue"} <= set(found)
    client = acme.client("operator")
    for one in client.get(reverse(HOME)).context["work"]:
        answer = client.get(one.url)
        assert answer.status_code == 200, one.url
        if one.count and "cl" in (answer.context_data or {}):
            assert len(answer.context_data["cl"].result_list) >= 1, one.url


def test_urgent_work_stands_first_and_done_work_last(acme: House) -> None:
    fill(acme)
    work = acme.client("operator").get(reverse(HOME)).context["work"]
    ranks = [0 if one.urgent and one.count else 1 if one.count else 2 for one in work]
    assert ranks == sorted(ranks) and set(ranks) == {0, 1, 2}


def test_nothing_of_another_tenant_is_counted(acme: House, globex: House) -> None:
    fill(acme)
    assert set(counts(globex).values()) == {0}
    assert acme.client("user").get(reverse(HOME)).status_code == 302


def test_the_home_asks_as_much_for_a_full_store_as_for_an_empty_one(acme: House) -> None:
    client = acme.client("operator")
    client.get(reverse(HOME))
    with CaptureQueriesContext(connection) as before:
        client.get(reverse(HOME))
    fill(acme)
    with CaptureQueriesContext(connection) as after:
        client.get(reverse(HOME))
    # A second statement a row where something waits, and no more however much it is.
    assert len(after) <= len(before) + 12
    assert len(after) <= 60


def test_failed_work_is_tried_again_by_an_operator(acme: House) -> None:
    first, second = failed(acme, "learn_turn"), failed(acme, "learn_turn", "b")
    with tenant_transaction(acme.id):
        enqueue(kind="learn_turn", key="b")
    answer = acme.client("operator").post(
        reverse("admin:memories_job_changelist"),
        {"action": "try_again", "_selected_action": [str(first.pk), str(second.pk)]},
    )
    said = sorted(str(one) for one in get_messages(answer.wsgi_request))
    assert said[0] == "1 job waits for a worker again." and "asked for anew" in said[1]
    with tenant_transaction(acme.id):
        first.refresh_from_db()
        assert (first.state, first.attempts, first.error_code) == ("pending", 0, "")
        assert "job.retried" in set(AuditEntry.objects.values_list("action", flat=True))


def test_only_failed_work_of_ones_own_tenant_is_tried_again(acme: House, globex: House) -> None:
    job = failed(acme, "learn_turn")
    with pytest.raises(NotFound):
        retry_job(actor=globex.actor("operator"), job_id=job.pk)
    with pytest.raises(PermissionDenied):
        retry_job(actor=acme.actor("user"), job_id=job.pk)
    retry_job(actor=acme.actor("operator"), job_id=job.pk)
    with pytest.raises(Conflict):
        retry_job(actor=acme.actor("operator"), job_id=job.pk)
