"""The pages of redaction: what is chosen, what is shown, what is confirmed, and who gets none of it."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.models import AuditEntry, User
from memories.models import Job, Memory, Redaction
from memories.ports import FixedClock
from memories.services.jobs import run_due
from memories.services.policies import set_policy
from memories.services.redact_everywhere import KIND
from memories.services.remember import remember
from memoryhub.common.db import tenant_transaction
from memoryhub.common.ids import uuid7
from tests.privacy.redaction.world import VALUE, everywhere, still
from tests.support.people import House, make_house

pytestmark = pytest.mark.django_db(transaction=True)

LIST, MEMORY, RESULT, EVERYWHERE = 13, 17, 10, 8
"""Statements a page, transactions and the signed-in member among them."""
CONFIRM = {"reason": "The customer asked for it", "confirmation": "redact"}


@pytest.fixture(autouse=True)
def clock() -> Iterator[FixedClock]:
    with still() as fixed:
        yield fixed


@pytest.fixture
def house(transactional_db: None) -> House:
    return make_house("acme")


@pytest.fixture
def memory_id(house: House) -> uuid.UUID:
    [made] = remember(
        actor=house.actor("user"),
        subject_id=house.subjects["user"],
        content=f"My contract number is {VALUE}.",
    )
    assert made.memory_id is not None
    return made.memory_id


def of_memory(memory_id: uuid.UUID) -> str:
    return reverse("admin:memories_redaction_memory", args=[memory_id])


def text_of(answer: Any) -> str:
    text: str = answer.content.decode()
    return text


def test_words_of_a_memory_are_chosen_shown_confirmed_and_gone(house: House, memory_id: uuid.UUID) -> None:
    client = house.client("operator")
    page = text_of(client.get(of_memory(memory_id)))
    assert f'value="{VALUE}"' in page, "the values of its facts are offered"
    chosen = {"what": "words", "values": [VALUE], "words": ""}
    page = text_of(client.post(of_memory(memory_id), chosen))
    assert 'id="places"' in page and str(memory_id) in page and 'name="confirmation"' in page
    assert everywhere(house, VALUE), "nothing was changed yet"
    wrong = text_of(
        client.post(of_memory(memory_id), {"what": "words", "words": VALUE, **CONFIRM, "confirmation": "yes"})
    )
    assert "errorlist" in wrong and everywhere(house, VALUE)
    answer = client.post(of_memory(memory_id), {"what": "words", "words": VALUE, **CONFIRM}, follow=True)
    page = text_of(answer)
    assert "No place is left" in page and "acme operator" in page and VALUE not in page
    assert everywhere(house, VALUE) == {}
    with tenant_transaction(house.id):
        assert "memory.redact" in set(AuditEntry.objects.values_list("action", flat=True))
        row = Redaction.objects.get()
    page = text_of(client.get(reverse("admin:memories_redaction_changelist")))
    assert reverse("admin:memories_redaction_result", args=[row.pk]) in page


def test_a_confirmation_without_words_does_not_take_the_whole_memory(
    house: House, memory_id: uuid.UUID
) -> None:
    answer = house.client("operator").post(of_memory(memory_id), {"what": "words", "words": " ", **CONFIRM})
    assert answer.status_code == 200 and "errorlist" in text_of(answer)
    with tenant_transaction(house.id):
        assert Memory.objects.get(pk=memory_id).status == "current"


def test_a_whole_memory_goes_and_its_page_says_that_nothing_is_left(
    house: House, memory_id: uuid.UUID
) -> None:
    client = house.client("operator")
    page = text_of(client.post(of_memory(memory_id), {"what": "whole"}))
    assert "The whole memory" in page
    client.post(of_memory(memory_id), {"what": "whole", **CONFIRM})
    with tenant_transaction(house.id):
        assert Memory.objects.get(pk=memory_id).status == "redacted"
    assert everywhere(house, VALUE) == {}
    assert "errorlist" in text_of(client.post(of_memory(memory_id), {"what": "whole"}))


def test_where_contents_are_masked_the_page_offers_nothing_of_them(
    house: House, memory_id: uuid.UUID
) -> None:
    set_policy(actor=house.actor("admin"), overrides={"operators.contents": "masked"})
    client = house.client("operator")
    assert VALUE not in text_of(client.get(of_memory(memory_id)))
    page = text_of(client.post(reverse("admin:redact_everywhere"), {"pattern": r"QX-\d{4}"}))
    assert 'id="places"' in page and VALUE not in page


def test_everywhere_shows_its_progress_goes_on_where_it_stopped_and_is_lifted(
    house: House, memory_id: uuid.UUID
) -> None:
    client, url = house.client("operator"), reverse("admin:redact_everywhere")
    assert "errorlist" in text_of(client.post(url, {"words": ""}))
    assert "errorlist" in text_of(client.post(url, {"pattern": "a+"}))
    page = text_of(client.post(url, {"words": VALUE, "standing": "on"}))
    assert 'id="places"' in page and str(house.subjects["user"]) in page
    answer = client.post(url, {"words": VALUE, "standing": "True", **CONFIRM}, follow=True)
    page = text_of(answer)
    assert "<progress" in page and VALUE not in page
    with tenant_transaction(house.id):
        row = Redaction.objects.get()
        Job.objects.filter(kind=KIND).update(state="failed", error_code="conflict")
    result = reverse("admin:memories_redaction_result", args=[row.pk])
    assert "It has stopped" in text_of(client.get(result))
    assert "Redactions that stopped" in text_of(client.get(reverse("admin:index")))
    client.post(result, {"do": "resume"})
    run_due(house.id)
    page = text_of(client.get(result))
    assert "No place is left" in page and "never learnt again" in page
    assert everywhere(house, VALUE) == {}
    client.post(result, {"do": "lift"})
    with tenant_transaction(house.id):
        assert Redaction.objects.get().lifted_at is not None


def test_others_get_none_of_it(house: House, memory_id: uuid.UUID) -> None:
    house.client("operator").post(of_memory(memory_id), {"what": "words", "words": VALUE, **CONFIRM})
    with tenant_transaction(house.id):
        row = Redaction.objects.get()
    urls = [
        of_memory(memory_id),
        reverse("admin:memories_redaction_subject", args=[house.subjects["user"]]),
        reverse("admin:memories_redaction_result", args=[row.pk]),
    ]
    globex = make_house("globex")
    staff = Client()
    staff.force_login(
        User.objects.create_superuser("staff@platform.example", "x"),
        backend="allauth.account.auth_backends.AuthenticationBackend",
    )
    staff.post("/tenant/", {"tenant": house.id})
    for url in urls:
        for data in ({}, {"what": "words", "words": VALUE, **CONFIRM}, {"do": "lift"}):
            for client, wanted in (
                (globex.client("operator"), 404),
                (house.client("user"), 302),
                (staff, 403),
            ):
                answer = client.post(url, data) if data else client.get(url)
                # Words chosen of a foreign person are looked for nowhere.
                assert answer.status_code == wanted, (url, data)
                assert str(row.pk) not in text_of(answer).replace(url, "")
    assert staff.get(reverse("admin:redact_everywhere")).status_code == 403
    assert staff.get(reverse("admin:memories_redaction_changelist")).status_code == 403
    page = text_of(globex.client("operator").get(reverse("admin:memories_redaction_changelist")))
    assert str(row.pk) not in page
    page = text_of(
        globex.client("operator").post(reverse("admin:redact_everywhere"), {"words": "[redacted]"})
    )
    assert 'id="places"' not in page
    with tenant_transaction(house.id):
        assert Redaction.objects.get().lifted_at is None


def test_the_pages_ask_the_database_as_often_however_much_there_is(
    house: House, memory_id: uuid.UUID
) -> None:
    client = house.client("operator")
    client.post(of_memory(memory_id), {"what": "words", "words": VALUE, **CONFIRM})
    with tenant_transaction(house.id):
        row = Redaction.objects.get()
    pages = {
        "list": (reverse("admin:memories_redaction_changelist"), LIST),
        "memory": (of_memory(memory_id), MEMORY),
        "result": (reverse("admin:memories_redaction_result", args=[row.pk]), RESULT),
        "everywhere": (reverse("admin:redact_everywhere"), EVERYWHERE),
    }
    for times in (0, 60):
        with tenant_transaction(house.id):
            for _ in range(times):
                row.pk = uuid7()
                row.save(force_insert=True)
        for name, (url, most) in pages.items():
            with CaptureQueriesContext(connection) as asked:
                assert client.get(url).status_code == 200
            assert len(asked) <= most, (name, len(asked))
