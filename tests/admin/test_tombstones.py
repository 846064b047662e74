"""Tombstones in the admin: what comes back, what stands in the way, row by row, and what is purged for good."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.messages import get_messages
from django.db import connection
from django.http import HttpResponse
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from accounts.models import AuditEntry
from memories.admin.packing import MOST, packed, unpacked
from memories.models import ForgetRule, Memory, Tombstone
from memories.services.forget import forget
from memories.services.purge_now import purge_now
from memories.services.restore import restore
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import NotFound, PermissionDenied
from memoryhub.common.ids import uuid7
from tests.memories.services.helpers import keep, say
from tests.support.factories import make_memory
from tests.support.people import House

pytestmark = pytest.mark.django_db

LIST = "admin:memories_tombstone_changelist"


def forgotten(house: House, *texts: str) -> list[Tombstone]:
    """Memories of the user, kept and forgotten again."""
    user, subject = house.actor(), house.subjects["user"]
    stones = []
    for text in texts:
        pk = keep(user, subject, text).memory_id
        assert pk is not None
        stones.append(forget(actor=user, memory_id=pk))
    return stones


def url_of(verb: str, stones: Sequence[Tombstone]) -> str:
    return reverse(f"admin:memories_tombstone_{verb}") + f"?ids={packed(one.pk for one in stones)}"


def act(
    house: House, verb: str, stones: Sequence[Tombstone], who: str = "operator", **fields: Any
) -> HttpResponse:
    return house.client(who).post(url_of(verb, stones), fields)


def status_of(house: House, memory_id: Any) -> str | None:
    with tenant_transaction(house.id):
        found = Memory.objects.filter(pk=memory_id).first()
        return found.status if found else None


def said(answer: HttpResponse) -> list[str]:
    return [str(one) for one in get_messages(answer.wsgi_request)]


def test_the_list_leads_to_a_page_that_shows_what_comes_back(acme: House) -> None:
    stones = forgotten(acme, "green tea in the morning", "the contract number is KX-4410")
    client = acme.client("operator")
    listed = client.get(reverse(LIST)).content.decode()
    assert "can come back for 30 days" in listed
    sent = client.post(
        reverse(LIST), {"action": "restore_chosen", "_selected_action": [str(one.pk) for one in stones]}
    )
    assert sent.status_code == 302
    page = client.get(sent.headers["Location"]).content.decode()
    assert "green tea in the morning" in page and "KX-4410" in page
    assert [status_of(acme, one.memory_id) for one in stones] == ["forgotten", "forgotten"]
    answer = client.post(sent.headers["Location"])
    assert answer.status_code == 302
    assert said(answer) == ["2 memories were restored."]
    assert [status_of(acme, one.memory_id) for one in stones] == ["current", "current"]


def test_refusals_are_told_by_row_and_the_others_come_back(acme: House) -> None:
    late, rival, fine = forgotten(acme, "late one", "the code is 1234", "green tea in the morning")
    keep(acme.actor(), acme.subjects["user"], "the code is 1234")
    with tenant_transaction(acme.id):
        Tombstone.objects.filter(pk=late.pk).update(purge_after=timezone.now() - timedelta(days=1))
    page = acme.client("operator").get(url_of("restore", [late, rival, fine])).content.decode()
    assert "its retention has ended" in page and "a newer memory stands in its place" in page
    answer = act(acme, "restore", [late, rival, fine])
    told = said(answer)
    assert sorted(one.split(":")[0] for one in told[:2]) == sorted(
        map(str, (late.memory_id, rival.memory_id))
    )
    assert told[2:] == ["1 memory was restored."]
    assert status_of(acme, fine.memory_id) == "current"
    assert status_of(acme, rival.memory_id) == status_of(acme, late.memory_id) == "forgotten"


def test_a_purge_takes_a_typed_word_and_leaves_nothing(acme: House) -> None:
    [outcome] = say(acme.actor(), acme.subjects["user"], "Remember that my contract number is KX-4410.")
    assert outcome.memory_id is not None
    stone = forget(actor=acme.actor(), memory_id=outcome.memory_id)
    for word in ("", "yes", "purged"):
        answer = act(acme, "purge", [stone], confirmation=word)
        assert answer.status_code == 200
        assert answer.context["form"].errors["confirmation"]
    assert status_of(acme, stone.memory_id) == "forgotten"
    with tenant_transaction(acme.id):
        rules = ForgetRule.objects.count()
    answer = act(acme, "purge", [stone], confirmation="清除")
    assert said(answer) == ["1 memory was purged."]
    assert status_of(acme, stone.memory_id) is None
    with tenant_transaction(acme.id):
        assert not Tombstone.objects.exists()
        assert rules and ForgetRule.objects.count() == rules, "its turns are not learnt anew"
        entry = AuditEntry.objects.get(action="memory.purged")
        assert entry.changes[0]["target_id"] == str(stone.memory_id)
    assert acme.client("operator").get(url_of("purge", [stone])).status_code == 404


def test_a_purge_that_is_sent_twice_is_told_to_have_been_done(acme: House) -> None:
    [stone] = forgotten(acme, "green tea in the morning")
    assert act(acme, "purge", [stone], confirmation="purge").status_code == 302
    again = act(acme, "purge", [stone], confirmation="purge")
    assert again.status_code == 302 and said(again)[-1] == "They are gone already."
    assert act(acme, "purge", [stone], who="admin", confirmation="purge").status_code == 404


def test_what_was_restored_is_not_purged(acme: House) -> None:
    gone, back = forgotten(acme, "green tea in the morning", "coffee at noon")
    restore(actor=acme.actor(), memory_id=uuid.UUID(str(back.memory_id)))
    answer = act(acme, "purge", [gone, back], confirmation="purge")
    assert said(answer) == [f"{back.memory_id}: it was restored already", "1 memory was purged."]
    assert status_of(acme, back.memory_id) == "current"


def test_another_tenants_tombstones_are_not_found_and_not_touched(acme: House, globex: House) -> None:
    [stone] = forgotten(acme, "green tea in the morning")
    for verb in ("restore", "purge"):
        assert globex.client("admin").get(url_of(verb, [stone])).status_code == 404
        assert act(globex, verb, [stone], "admin", confirmation="purge").status_code == 404
        assert acme.client("user").get(url_of(verb, [stone])).status_code == 302
        for broken in ("", "?ids=", "?ids=%F0%9F%98%80", "?ids=abc"):
            address = reverse(f"admin:memories_tombstone_{verb}") + broken
            assert acme.client("operator").get(address).status_code == 404
    assert status_of(acme, stone.memory_id) == "forgotten"
    with pytest.raises(NotFound):
        purge_now(actor=globex.actor("operator"), tombstone_id=stone.pk)
    with pytest.raises(PermissionDenied):
        purge_now(actor=acme.actor("user"), tombstone_id=stone.pk)


def test_two_hundred_are_decided_in_as_many_queries_as_two(acme: House) -> None:
    with tenant_transaction(acme.id):
        now = timezone.now()
        memories = [
            make_memory(acme.subjects["user"], f"note {n}", status="forgotten") for n in range(MOST + 1)
        ]
        stones = Tombstone.objects.bulk_create(
            Tombstone(
                memory=memory,
                subject_id=memory.subject_id,
                previous_status="current",
                cause="user",
                actor_kind="user",
                at=now,
                purge_after=now + timedelta(days=9),
            )
            for memory in memories
        )
    counts = []
    acme.client("operator").get(url_of("restore", stones[:1]))  # The first page of a session reads more.
    for some in (stones[:2], stones[:MOST]):
        with CaptureQueriesContext(connection) as queries:
            assert acme.client("operator").get(url_of("restore", some)).status_code == 200
        counts.append(len(queries))
    assert counts[0] == counts[1] <= 20
    too_many = {"action": "purge_chosen", "_selected_action": [str(one.pk) for one in stones]}
    answer = acme.client("operator").post(reverse(LIST), too_many)
    assert said(answer) == ["At most 200 at once."]


def test_packed_ids_come_back_each_once() -> None:
    ids = [uuid7() for _ in range(MOST + 5)]
    assert unpacked(packed(ids)) == ids[:MOST]
    assert unpacked(packed([ids[0], ids[0]])) == [ids[0]]
    assert len(packed(ids[:MOST])) < 4_400
