"""The health page: numbers worked out by hand, an empty tenant, the lists behind them, and no other tenant's rows."""

from __future__ import annotations

from datetime import timedelta

import numpy as np
import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from memories.admin.health import days_of
from memories.models import Feedback, Memory, RecallTrace, SweepRun
from memories.services.embedding_space import serving
from memories.services.store_health import store_health
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import Invalid, PermissionDenied
from memoryhub.common.ids import uuid7
from tests.support.factories import make_memory
from tests.support.people import House

pytestmark = pytest.mark.django_db

PAGE = "admin:store_health"
OLD = timedelta(days=10)


def fill(house: House) -> None:
    """Ten memories of which eight are settled, six of these never recalled, three of these junk; five recalls, one abstained."""
    now = timezone.now()
    subject_id = house.subjects["user"]
    with tenant_transaction(house.id):
        statuses = ["archived", "expired", "current", "current", "current", "current"]
        settled = [
            make_memory(subject_id, f"old {n} of acme", status=status, said_at=now - OLD)
            for n, status in enumerate(statuses)
        ]
        for n in range(2):
            make_memory(subject_id, f"used {n} of acme", hits=3, said_at=now - OLD)
            make_memory(subject_id, f"new {n} of acme", said_at=now - timedelta(hours=1))
        Feedback.objects.create(subject_id=subject_id, memory=settled[2], verdict="wrong", at=now)
        Feedback.objects.create(subject_id=subject_id, memory=settled[2], verdict="right", at=now)
        Feedback.objects.create(subject_id=subject_id, verdict="right", at=now - timedelta(days=40))
        for n in range(5):
            RecallTrace.objects.create(
                subject_id=subject_id, at=now - timedelta(days=n % 2, minutes=n), abstained=n == 4, milliseconds=10 + n,
                used_tokens=100 * (n + 1),
                considered=[{"id": str(uuid7()), "used": k < n, "score": 0.5} for k in range(6)] if n < 4 else [],
            )  # fmt: skip
        RecallTrace.objects.create(subject_id=subject_id, at=now - timedelta(days=60), abstained=True)
        for days, dry in ((1, False), (2, True), (50, False)):
            SweepRun.objects.create(
                state="done", dry_run=dry, now=now, started_at=now - timedelta(days=days),
                counts={"rules": {"sweep.ttl": {"fact": 5}}, "examined": 50},
            )  # fmt: skip


def test_the_numbers_are_those_worked_out_by_hand(acme: House) -> None:
    fill(acme)
    found = store_health(actor=acme.actor("operator"))
    assert (found.kept.memories, found.kept.settled, found.kept.never, found.kept.junk) == (10, 8, 6, 3)
    told = found.recalls
    assert (told.recalls, told.abstained, told.used, told.tokens, told.ms_p50) == (5, 1, 1.5, 300, 12)
    assert [(one.recalls, one.abstained) for one in found.daily] == [(2, 0), (3, 1)]
    assert found.verdicts == {"wrong": 1, "right": 1}
    assert found.sweeps == (1, 5, 50)
    longer = store_health(actor=acme.actor("operator"), days=90)
    assert (longer.recalls.recalls, longer.sweeps) == (6, (2, 10, 100))


def test_near_duplicates_are_of_one_person_only(acme: House) -> None:
    _space_id, embedder = serving()
    [vector] = embedder.embed(["the shed is locked at night"], kind="passage")
    other = np.roll(np.asarray(vector), 7)
    with tenant_transaction(acme.id):
        mine, theirs = acme.subjects["user"], acme.subjects["other"]
        twins = [make_memory(mine, f"shed {n}", vector=list(vector)).pk for n in range(2)]
        make_memory(mine, "something else", vector=list(other))
        make_memory(theirs, "shed of another", vector=list(vector))
    alike, looked_at = store_health(actor=acme.actor("operator")).alike
    assert looked_at == 4
    assert sorted(alike) == sorted(twins)


def test_the_page_tells_them_and_leads_to_the_rows_behind(acme: House) -> None:
    fill(acme)
    client = acme.client("operator")
    answer = client.get(reverse(PAGE))
    page = answer.content.decode()
    assert page, (answer.status_code, answer.headers)
    for told in ("37.5%", "75.0%", "80.0%", "50.0%", "10.0%"):
        assert told in page, told
    assert "of acme" not in page
    junk = client.get(reverse("admin:memories_memory_changelist"), {"use": "junk"})
    assert junk.context_data is not None and len(junk.context_data["cl"].result_list) == 3
    never = client.get(reverse("admin:memories_memory_changelist"), {"use": "never"})
    assert never.context_data is not None and len(never.context_data["cl"].result_list) == 6
    assert client.get(reverse(PAGE), {"days": "7"}).status_code == 200
    for odd in ("x", "0", "31", ""):
        assert client.get(reverse(PAGE), {"days": odd}).status_code == 200


def test_each_link_leads_to_as_many_rows_as_its_number_says(acme: House, globex: House) -> None:
    fill(acme)
    _space_id, embedder = serving()
    [vector] = embedder.embed(["the shed is locked at night"], kind="passage")
    with tenant_transaction(acme.id):
        subject_id, old = acme.subjects["user"], timezone.now() - timedelta(days=2_000)
        for n in range(2):
            make_memory(subject_id, f"shed {n}", vector=list(vector), hits=1)
        make_memory(subject_id, "once so", importance=1, said_at=old, hits=1)
        RecallTrace.objects.create(subject_id=subject_id, at=timezone.now(), degraded="no_vectors")
    found = store_health(actor=acme.actor("operator"))
    numbers = {
        "Junk": found.kept.junk,
        "Never recalled": found.kept.never,
        "Near-duplicates": len(found.alike[0]),
        "Stale": found.stale[0],
        "Hit rate": found.recalls.abstained,
        "Average recalled": found.recalls.recalls,
        "False recalls": found.verdicts["wrong"],
        "Without vectors": found.recalls.degraded,
        "Sweep rate": found.sweeps[0],
        "Work that waits": found.jobs,
    }
    assert 0 not in {number for title, number in numbers.items() if title != "Work that waits"}
    client = acme.client("operator")
    page = client.get(reverse(PAGE)).context
    urls = {str(one.title): one.url for part in ("memories", "recalls", "work") for one in page[part]}
    for title, number in numbers.items():
        assert len(client.get(urls[title]).context["cl"].result_list) == number, title
        assert len(globex.client("operator").get(urls[title]).context["cl"].result_list) == 0, title


def test_a_day_without_recalls_stands_in_the_charts_as_empty(acme: House) -> None:
    now = timezone.now()
    with tenant_transaction(acme.id):
        for days in (0, 3):
            RecallTrace.objects.create(
                subject_id=acme.subjects["user"], at=now - timedelta(days=days), used_tokens=9
            )
    days = days_of(store_health(actor=acme.actor("operator"), days=7))
    assert [one.day for one in days] == [(now - timedelta(days=at)).date() for at in range(7, -1, -1)]
    assert [one.recalls for one in days] == [0, 0, 0, 0, 1, 0, 0, 1]
    drawn = acme.client("operator").get(reverse(PAGE), {"days": 7}).context["charts"]
    assert [str(chart).count("<li>") for chart in drawn] == [8] * 4
    assert [str(chart).count("<circle") for chart in drawn[2:]] == [2, 2]


def test_a_new_tenant_has_an_empty_page_and_sees_nothing_of_others(acme: House, globex: House) -> None:
    fill(acme)
    found = store_health(actor=globex.actor("operator"))
    assert (found.kept.memories, found.recalls.recalls, found.daily, found.verdicts, found.sweeps) == (
        0, 0, [], {}, (0, 0, 0),
    )  # fmt: skip
    page = globex.client("operator").get(reverse(PAGE)).content.decode()
    assert "Nothing was recalled in this period." in page and "%" not in page.split("What is remembered")[
        1
    ].split("cosine")[0].replace("width", "")


def test_only_who_may_read_metrics_reads_them(acme: House) -> None:
    assert acme.client("user").get(reverse(PAGE)).status_code == 302
    with pytest.raises(PermissionDenied):
        store_health(actor=acme.actor("user"))
    with pytest.raises(Invalid):
        store_health(actor=acme.actor("operator"), days=31)


def test_it_asks_as_much_for_a_full_store_as_for_an_empty_one(acme: House) -> None:
    client = acme.client("operator")
    client.get(reverse(PAGE))
    with CaptureQueriesContext(connection) as before:
        client.get(reverse(PAGE))
    fill(acme)
    with CaptureQueriesContext(connection) as after:
        client.get(reverse(PAGE))
    assert len(after) <= len(before) + 2 <= 32
    with tenant_transaction(acme.id):
        assert Memory.objects.count() == 10
