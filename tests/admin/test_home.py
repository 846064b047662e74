"""The home of the admin: what waits, by kind, with the way to it; and trying failed work again."""

from __future__ import annotations

import uuid
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.messages import get_messages
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from accounts.models import AuditEntry, User
from memories.admin.work_rows import FAILURES
from memories.models import (
    Approval,
    Contradiction,
    ForgetRequest,
    Job,
    SweepPause,
    SweepRun,
    Webhook,
    WebhookDelivery,
)
from memories.services.jobs import HANDLERS, enqueue
from memories.services.retry_job import retry_job
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import Conflict, NotFound, PermissionDenied
from memoryhub.common.ids import first_uuid7_at, uuid7
from tests.support.factories import axis, make_memory
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


def long_ago(**since: int) -> uuid.UUID:
    """An id as one made then (an hour ago by default) has."""
    then = timezone.now() - timedelta(**(since or {"hours": 1}))
    return uuid.UUID(int=first_uuid7_at(then).int | uuid7().int & (1 << 80) - 1)


def fill(house: House) -> None:
    """One of each kind of work."""
    now = timezone.now()
    with tenant_transaction(house.id):
        subject_id = house.subjects["user"]
        make_memory(subject_id, "the embedder was down", id=long_ago())
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
        webhook = Webhook.objects.create(
            url="https://app.example/", secret="whsec_", state="disabled", created_at=now, updated_at=now
        )
        WebhookDelivery.objects.create(
            webhook=webhook, seq=1, event="webhook.test", at=now, next_at=now, state="dead", finished_at=now
        )
    for kind in (
        "compact_session",
        "learn_with_model",
        "learn_turn",
        "close_session",
        "promote_topic",
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
    assert len(after) <= len(before) + 14
    assert len(after) <= 60


def test_a_failure_of_every_kind_of_job_is_on_the_home() -> None:
    told = [kind for _, kinds in FAILURES for kind in kinds]
    assert sorted(told) == sorted(HANDLERS)


def test_memories_that_wait_long_for_their_embedding_are_told_and_listed(acme: House, globex: House) -> None:
    row = "Memories that wait long for their embedding"
    with tenant_transaction(acme.id):
        subject_id = acme.subjects["user"]
        make_memory(subject_id, "just stored")
        make_memory(subject_id, "embedded", axis(1), id=long_ago())
        make_memory(subject_id, "gone", id=long_ago(), status="archived")
    assert counts(acme)[row] == 0
    with tenant_transaction(acme.id):
        late = make_memory(subject_id, "the embedder was down", id=long_ago())
    assert (counts(acme)[row], counts(globex)[row]) == (1, 0)
    client = acme.client("operator")
    (work,) = (one for one in client.get(reverse(HOME)).context["work"] if str(one.title) == row)
    assert abs(work.since - (timezone.now() - timedelta(hours=1))) < timedelta(minutes=1)
    assert [one.pk for one in client.get(work.url).context["cl"].result_list] == [late.pk]


def test_a_tenant_that_was_never_swept_is_told_once_it_is_due(acme: House, globex: House) -> None:
    row = "Sweeps are overdue"
    with tenant_transaction(acme.id):
        make_memory(acme.subjects["user"], "young", id=long_ago(hours=1))
    assert counts(acme)[row] == 0
    with tenant_transaction(acme.id):
        make_memory(acme.subjects["user"], "old", id=long_ago(hours=3))
    assert (counts(acme)[row], counts(globex)[row]) == (1, 0)
    with tenant_transaction(acme.id):
        SweepPause.objects.create(paused_at=timezone.now())
    assert counts(acme)[row] == 0


RETRY = "admin:memories_job_retry"


def asked(house: House, jobs: list[Job], **more: str) -> Any:
    """The page that the action leads to; following it, nothing has happened yet."""
    return house.client("operator").post(
        reverse("admin:memories_job_changelist"),
        {"action": "try_again", "_selected_action": [str(job.pk) for job in jobs], **more},
        follow=True,
    )


def test_failed_work_is_tried_again_by_an_operator_who_confirms_it(acme: House) -> None:
    first, second = failed(acme, "learn_turn"), failed(acme, "learn_turn", "b")
    with tenant_transaction(acme.id):
        enqueue(kind="learn_turn", key="b")
    page = asked(acme, [first, second])
    assert page.resolver_match.view_name == RETRY and not page.context["more"]
    with tenant_transaction(acme.id):
        first.refresh_from_db()
        assert first.state == "failed"
    answer = acme.client("operator").post(page.redirect_chain[-1][0])
    said = sorted(str(one) for one in get_messages(answer.wsgi_request))
    assert said[0] == "1 job waits for a worker again." and "asked for anew" in said[1]
    with tenant_transaction(acme.id):
        first.refresh_from_db()
        assert (first.state, first.attempts, first.error_code) == ("pending", 0, "")
        assert "job.retried" in set(AuditEntry.objects.values_list("action", flat=True))


def test_of_more_than_two_hundred_the_oldest_are_taken_and_the_page_says_so(acme: House) -> None:
    jobs = [failed(acme, "learn_turn", str(number)) for number in range(202)]
    page = asked(acme, jobs[:1], select_across="1")
    assert "More than 200 were chosen" in page.content.decode()
    acme.client("operator").post(page.redirect_chain[-1][0])
    with tenant_transaction(acme.id):
        waits = Job.objects.filter(state="failed").order_by("id").values_list("pk", flat=True)
        assert list(waits) == [job.pk for job in jobs[200:]]


def test_another_tenants_work_is_not_on_the_page(acme: House, globex: House) -> None:
    job = failed(acme, "learn_turn")
    url = asked(acme, [job]).redirect_chain[-1][0]
    assert globex.client("operator").get(url).status_code == 404
    assert globex.client("operator").post(url).status_code == 404
    assert acme.client("user").get(url).status_code == 302


def test_staff_see_whose_organisation_they_are_in_and_leave_it(acme: House, globex: House) -> None:
    staff = House(acme.tenant, {"staff": User.objects.create_superuser("staff@platform.example", "x")}, {})
    client = staff.client("staff")
    client.post("/tenant/", {"tenant": acme.id})
    for url in (reverse(HOME), reverse("admin:memories_job_changelist"), reverse("admin:store_health")):
        page = client.get(url).content.decode()
        assert "You are in <strong>Acme</strong>" in page and reverse("leave_tenant") in page
    assert 'class="visiting"' not in acme.client("admin").get(reverse(HOME)).content.decode()
    assert client.get(reverse("leave_tenant")).status_code == 405
    assert client.post(reverse("leave_tenant")).headers["Location"] == reverse("choose_tenant")
    assert client.get(reverse(HOME)).status_code == 302
    with tenant_transaction(acme.id):
        assert AuditEntry.objects.filter(action="staff.left", actor_id=str(staff.people["staff"].pk)).exists()


def test_only_failed_work_of_ones_own_tenant_is_tried_again(acme: House, globex: House) -> None:
    job = failed(acme, "learn_turn")
    with pytest.raises(NotFound):
        retry_job(actor=globex.actor("operator"), job_id=job.pk)
    with pytest.raises(PermissionDenied):
        retry_job(actor=acme.actor("user"), job_id=job.pk)
    retry_job(actor=acme.actor("operator"), job_id=job.pk)
    with pytest.raises(Conflict):
        retry_job(actor=acme.actor("operator"), job_id=job.pk)
