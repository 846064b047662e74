"""Contradictions in the admin: both sides, what relied on them, one or many settled, and the way back."""

from __future__ import annotations

import hashlib
import json
import random
import uuid
from collections.abc import Collection, Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from django.db import connection
from django.db.models import QuerySet
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.actor import Actor
from accounts.models import AuditEntry
from memories.adapters import factory
from memories.admin.packing import packed
from memories.models import Contradiction, Embedding, Evidence, Fact, Memory, Posting
from memories.ports import FixedClock
from memories.services import embedding_space, policies
from memories.services.recall import recall
from memoryhub.common.db import tenant_transaction
from tests.memories.services.conftest import WordEmbedder
from tests.memories.services.helpers import say
from tests.support.people import House

pytestmark = pytest.mark.django_db

LIST = "admin:memories_contradiction_changelist"
WAYS = ("keep_new", "keep_old", "keep_both", "merge")
SYLLABLES = ("Ba", "Do", "Fe", "Gu", "Ka", "Lo", "Mi", "Na", "Ro", "Tu")
TOWNS = ("Leeds", "Bristol", "Cardiff", "Dover", "Exeter", "Norwich", "Oxford", "York")


@pytest.fixture
def clock() -> Iterator[FixedClock]:
    """Stands still; with an embedder that needs no model."""
    still = FixedClock(datetime(2026, 3, 2, 9, 0, tzinfo=UTC))
    embedding_space.forget_cached()
    policies.forget_cached()
    with factory.override(embedder=WordEmbedder(), clock=still):
        yield still
    embedding_space.forget_cached()
    policies.forget_cached()


@pytest.fixture
def user(acme: House) -> Actor:
    return acme.actor("user")


@pytest.fixture
def subject_id(acme: House) -> uuid.UUID:
    return acme.subjects["user"]


BOOKKEEPING = {"version", "updated_at"}
"""How many versions there are and when the last was made: a decision and its undo stay in the history."""


def url_of(row: Contradiction, verb: str = "change") -> str:
    return reverse(f"admin:memories_contradiction_{verb}", args=[row.pk])


def disputes(user: Actor, subject_id: uuid.UUID, clock: FixedClock, number: int) -> list[Contradiction]:
    """Where as many friends live, each said twice, on two days and without words of change."""
    chance = random.Random(number)
    names = [first + second.lower() + "n" for first in SYLLABLES for second in SYLLABLES][:number]
    for name in names:
        for town in chance.sample(TOWNS, 2):
            say(user, subject_id, f"My friend {name} lives in {town}.")
            clock.advance(hours=1)
        clock.advance(days=1)
    with tenant_transaction(user.tenant_id):
        rows = list(
            Contradiction.objects.filter(state="open").select_related("older", "newer").order_by("id")
        )
    assert len(rows) == number
    return rows


def present(user: Actor, without: Collection[uuid.UUID] = ()) -> dict[str, Any]:
    """All memories but `without`, with their facts, evidence, words and vectors, and what is disputed."""
    with tenant_transaction(user.tenant_id):
        memories = Memory.objects.exclude(pk__in=without).order_by("id")
        ids = [one.pk for one in memories]
        columns = [f.attname for f in Memory._meta.concrete_fields if f.attname not in BOOKKEEPING]
        return {
            "memories": [[str(getattr(one, column)) for column in columns] for one in memories],
            "facts": rows_of(Fact.objects.filter(memory_id__in=ids)),
            "evidence": rows_of(Evidence.objects.filter(memory_id__in=ids)),
            "words": sorted(
                map(str, Posting.objects.filter(item_id__in=ids).values_list("item_id", "term", "frequency"))
            ),
            "vectors": sorted(
                f"{one.item_id} {one.space_id} {one.vector}"
                for one in Embedding.objects.filter(item_id__in=ids)
            ),
            "disputes": rows_of(Contradiction.objects.all()),
        }


def rows_of(rows: QuerySet[Any]) -> list[list[str]]:
    return [list(map(str, one)) for one in rows.order_by("id").values_list()]


def fingerprint(user: Actor, without: Collection[uuid.UUID] = ()) -> str:
    """A hash of it."""
    return hashlib.sha256(json.dumps(present(user, without), sort_keys=True).encode()).hexdigest()


def test_a_hundred_decisions_undone_in_any_order_leave_what_was(
    acme: House, user: Actor, subject_id: uuid.UUID, clock: FixedClock
) -> None:
    rows = disputes(user, subject_id, clock, 100)
    before = fingerprint(user)
    client, chance = acme.client("operator"), random.Random(7)
    ways = []
    for row in rows:
        way = chance.choice(WAYS)
        ways.append(way)
        text = f"{row.newer.content} (before: {row.older_id.hex[:6]})" if way == "merge" else ""
        answer = client.post(url_of(row), {"resolution": way, "content": text, "reason": "asked them"})
        assert answer.status_code == 302, answer.content.decode()[-2000:]
    assert set(ways) == set(WAYS)
    assert fingerprint(user) != before
    with tenant_transaction(acme.id):
        assert not Contradiction.objects.filter(state="open").exists()
        made = list(Memory.objects.filter(rule="contradiction.merge").values_list("pk", flat=True))
    assert len(made) == ways.count("merge")
    chance.shuffle(rows)
    for row in rows:
        assert client.post(url_of(row, "undo")).status_code == 302
    # A text that a merge had made is history behind what it had replaced; all else is as it was.
    assert fingerprint(user, without=made) == before
    with tenant_transaction(acme.id):
        assert set(Memory.objects.filter(pk__in=made).values_list("status", flat=True)) == {"superseded"}


def test_the_page_shows_both_sides_and_what_relied_on_them(
    acme: House, user: Actor, subject_id: uuid.UUID, clock: FixedClock
) -> None:
    [row] = disputes(user, subject_id, clock, 1)
    found = recall(actor=user, subject_id=subject_id, query=row.newer.content, k=5)
    assert {row.older_id, row.newer_id} & {item.id for item in found.items}
    client = acme.client("operator")
    page = client.get(url_of(row)).content.decode()
    assert row.older.content in page and row.newer.content in page
    assert "1 context of the last 30 days had one of them" in page
    assert reverse("admin:memories_recalltrace_change", args=[found.trace_id]) in page
    assert 'name="resolution"' in page
    clock.advance(days=40)
    assert "0 contexts of the last 30 days" in client.get(url_of(row)).content.decode()
    with tenant_transaction(acme.id):
        entry = AuditEntry.objects.order_by("-seq").first()
    assert entry is not None and entry.action == "admin.read"


def test_who_reads_masked_contents_settles_without_seeing_them(
    acme: House, user: Actor, subject_id: uuid.UUID, clock: FixedClock
) -> None:
    [row] = disputes(user, subject_id, clock, 1)
    client = acme.client("operator")
    pages = [
        url_of(row),
        url_of(row, "undo"),
        f"{reverse('admin:memories_contradiction_settle')}?ids={packed([row.pk])}",
        reverse(LIST),
    ]
    start = client.get(url_of(row)).context["form"]["content"].value()
    assert start == row.newer.content, "the newer text is what a merge starts from"
    policies.set_policy(actor=acme.actor("admin"), overrides={"operators.contents": "masked"})
    policies.forget_cached()
    for url in pages:
        page = client.get(url).content.decode()
        assert row.newer.content not in page and row.older.content not in page, url
    assert client.get(url_of(row)).context["form"]["content"].value() == ""
    assert client.post(url_of(row), {"resolution": "keep_old"}).status_code == 302


def test_the_list_leads_to_one_decision_for_many_and_tells_refusals(
    acme: House, user: Actor, subject_id: uuid.UUID, clock: FixedClock
) -> None:
    rows = disputes(user, subject_id, clock, 3)
    client = acme.client("operator")
    client.post(url_of(rows[0]), {"resolution": "keep_both"})
    sent = client.post(
        reverse(LIST), {"action": "settle_chosen", "_selected_action": [str(one.pk) for one in rows]}
    )
    assert sent.status_code == 302
    page = client.get(sent.headers["Location"]).content.decode()
    assert all(one.newer.content in page for one in rows)
    with tenant_transaction(acme.id):
        assert Contradiction.objects.filter(state="open").count() == 2
    answer = client.post(sent.headers["Location"], {"resolution": "keep_old"}, follow=True)
    text = answer.content.decode()
    assert "2 contradictions were settled." in text
    assert f"{rows[0].pk}: this was settled already" in text
    wrong = client.post(sent.headers["Location"], {"resolution": "merge"})
    assert wrong.status_code == 200 and "Select a valid choice" in wrong.content.decode()


def test_a_refusal_stands_in_the_form_and_changes_nothing(
    acme: House, user: Actor, subject_id: uuid.UUID, clock: FixedClock
) -> None:
    [row] = disputes(user, subject_id, clock, 1)
    before = fingerprint(user)
    client = acme.client("operator")
    page = client.post(url_of(row), {"resolution": "merge", "content": ""}).content.decode()
    assert "errorlist" in page
    assert client.post(url_of(row), {}).status_code == 200
    assert "errorlist" in client.post(url_of(row, "undo")).content.decode()
    assert fingerprint(user) == before


def test_nobody_else_sees_or_settles_it(
    acme: House, globex: House, user: Actor, subject_id: uuid.UUID, clock: FixedClock
) -> None:
    [row] = disputes(user, subject_id, clock, 1)
    before = fingerprint(user)
    many = f"{reverse('admin:memories_contradiction_settle')}?ids={packed([row.pk])}"
    for url in (url_of(row), url_of(row, "undo"), many):
        for client, status in ((globex.client("operator"), 404), (acme.client("user"), 302)):
            assert client.get(url).status_code == status, url
            assert client.post(url, {"resolution": "keep_new"}).status_code == status, url
    assert fingerprint(user) == before
    assert "Open contradictions" in globex.client("operator").get(reverse("admin:index")).content.decode()
    listed = globex.client("operator").get(reverse(LIST)).content.decode()
    assert str(row.pk) not in listed and "0 contradictions" in listed.lower()


def test_the_pages_ask_a_bounded_number_of_queries(
    acme: House, user: Actor, subject_id: uuid.UUID, clock: FixedClock
) -> None:
    rows = disputes(user, subject_id, clock, 6)
    client = acme.client("operator")
    many = reverse("admin:memories_contradiction_settle")
    for url, most in (
        (reverse(LIST), 14),
        (url_of(rows[0]), 26),
        (f"{many}?ids={packed(one.pk for one in rows)}", 22),
    ):
        client.get(url)
        with CaptureQueriesContext(
            connection,
        ) as asked:
            assert client.get(url).status_code == 200
        assert len(asked) <= most, "\n".join(one["sql"][:120] for one in asked)
