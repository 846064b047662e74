"""The page of questions: contradictions settled and undone, stale memories confirmed, replacements taken back; without a script."""

from __future__ import annotations

import uuid
from datetime import timedelta
from html import unescape
from typing import Any
from uuid import UUID

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import override

from memories.models import Contradiction, Memory
from memories.services.learn_with_model import FINAL
from memories.services.remember import remember
from memoryhub.common.db import tenant_transaction
from sessions_app.labels import OUTCOMES, why_not
from sessions_app.pages import Reader, render_turn
from tests.support.people import House

pytestmark = pytest.mark.django_db


def tell(house: House, content: str, days_ago: float = 0, **fields: Any) -> UUID:
    actor = house.actor()
    assert actor.subject_id is not None
    said_at = timezone.now() - timedelta(days=days_ago)
    outcome = remember(actor=actor, subject_id=actor.subject_id, content=content, said_at=said_at, **fields)[
        0
    ]
    assert outcome.memory_id is not None
    return outcome.memory_id


@pytest.fixture
def dispute(acme: House) -> UUID:
    tell(acme, "My sister lives in Leeds.", 2)
    tell(acme, "My sister lives in Bristol.", 1)
    with tenant_transaction(acme.id):
        return Contradiction.objects.get().pk


def page(client: Client) -> str:
    return client.get(reverse("questions")).content.decode()


def current(house: House) -> list[str]:
    with tenant_transaction(house.id):
        return sorted(Memory.objects.current().values_list("content", flat=True))


@pytest.mark.parametrize(
    ("resolution", "left"),
    [("keep_old", ["Leeds"]), ("keep_new", ["Bristol"]), ("keep_both", ["Bristol", "Leeds"])],
)
def test_a_contradiction_is_settled_and_undone(
    acme: House, dispute: UUID, resolution: str, left: list[str]
) -> None:
    client = acme.client()
    assert "Leeds" in page(client)
    assert reverse("unsettle", args=[dispute]) not in page(client)
    client.post(reverse("settle", args=[dispute]), {"resolution": resolution})
    kept = current(acme)
    assert [town in text for town, text in zip(left, kept, strict=True)] == [True] * len(left)
    assert reverse("settle", args=[dispute]) not in page(client)
    client.post(reverse("unsettle", args=[dispute]))
    assert len(current(acme)) == 2
    assert reverse("settle", args=[dispute]) in page(client)


def test_one_sentence_takes_the_place_of_both(acme: House, dispute: UUID) -> None:
    text = "My sister lives in Leeds, and works in Bristol"
    answer = acme.client().post(
        reverse("settle", args=[dispute]), {"resolution": "merge", "content": text}, follow=True
    )
    assert answer.status_code == 200
    assert current(acme) == [text]


@pytest.mark.parametrize("fields", [{}, {"resolution": "odd"}, {"resolution": "merge", "content": "  "}])
def test_a_form_that_is_not_filled_in_says_so(acme: House, dispute: UUID, fields: dict[str, str]) -> None:
    answer = acme.client().post(
        reverse("settle", args=[dispute]), {**fields, "next": reverse("questions")}, follow=True
    )
    assert b'class="error"' in answer.content
    assert len(current(acme)) == 2


def test_a_replacement_is_undone_by_a_form_and_by_a_script(acme: House) -> None:
    first = tell(acme, "I live in Leeds.", 9)
    tell(acme, "I moved to Bristol.", 1)
    client, url = acme.client(), reverse("undo_memory", args=[first])
    assert url in client.get("/memories/?gone=1").content.decode()
    asked = client.get(url).content.decode()
    assert "Leeds" in asked
    assert "Bristol" in asked
    assert ["Bristol" in text for text in current(acme)] == [True], "asking changes nothing"
    answer = client.post(url, headers={"accept": "application/json"})
    assert (answer.status_code, answer.json()["change"]) == (200, "restored")
    assert ["Leeds" in text for text in current(acme)] == [True]
    refused = client.post(url, headers={"accept": "application/json"})
    assert refused.status_code == 409


def test_a_stale_memory_is_asked_about_until_it_is_confirmed(acme: House) -> None:
    memory_id = tell(acme, "My blood type is AB negative.", 400, kind="profile", importance=0.9, infer=False)
    client, url = acme.client(), reverse("still_true", args=[memory_id])
    assert url in page(client)
    client.post(url)
    assert url not in page(client)


@pytest.mark.parametrize("who", ["other", "operator", "admin"])
def test_nobody_else_sees_or_settles_it_here(acme: House, dispute: UUID, who: str) -> None:
    client = acme.client(who)
    assert "Leeds" not in page(client)
    for name in ("settle", "unsettle"):
        assert client.post(reverse(name, args=[dispute]), {"resolution": "keep_new"}).status_code == 404


@pytest.mark.parametrize(
    ("language", "words"),
    [("en", ["before:", "Undo", "small talk"]), ("zh-hans", ["原来是：", "撤销", "闲聊"])],
)
def test_the_chat_names_what_was_replaced_with_an_undo_and_why_nothing_was_kept(
    language: str, words: list[str]
) -> None:
    base = {
        "id": str(uuid.uuid4()), "session_id": str(uuid.uuid4()), "seq": 1, "role": "user", "speaker": "", "content": "x",
        "state": "complete", "said_at": timezone.now().isoformat(), "used": [],
    }  # fmt: skip
    replaced = {
        "code": "superseded", "memory_id": str(uuid.uuid4()), "replaced_id": str(uuid.uuid4()), "kind": "profile",
        "rule": "slot.update", "reasons": [], "text": "I moved to Bristol", "status": "current", "version": 1,
        "replaced": {"text": "I live in Leeds", "status": "superseded"},
    }  # fmt: skip
    nothing: dict[str, Any] = {
        "code": "not_worth_keeping",
        "memory_id": None,
        "replaced_id": None,
        "kind": "",
        "rule": "gate.small_talk",
        "reasons": [],
    }
    reader = Reader.of(language, "UTC")
    html = render_turn({**base, "outcomes": [replaced]}, reader)
    assert "I live in Leeds" in html
    assert reverse("undo_memory", args=[replaced["replaced_id"]]) in html
    html += render_turn({**base, "outcomes": [nothing]}, reader)
    assert [word in html for word in words] == [True] * len(words)
    undone = {
        **replaced,
        "status": "superseded",
        "replaced": {"text": "I live in Leeds", "status": "current"},
    }
    assert "data-undo" not in render_turn({**base, "outcomes": [undone]}, reader)


NOT_KEPT = [
    ("blocked_sensitive", "pii.block"),
    ("budget", "write.statements"),
    ("error", "model.unavailable"),
    *(
        ("not_worth_keeping", rule)
        for rule in ("anchor.ambiguous", "anchor.unknown", "model.unproven", "model.nothing")
    ),
    *(("error", rule) for rule in FINAL.values()),
]


@pytest.mark.parametrize("language", ["en", "zh-hans"])
@pytest.mark.parametrize(("code", "rule"), NOT_KEPT)
def test_whatever_is_not_kept_has_a_label_and_a_reason(language: str, code: str, rule: str) -> None:
    turn = {
        "id": str(uuid.uuid4()), "session_id": str(uuid.uuid4()), "seq": 1, "role": "user", "speaker": "", "content": "x",
        "state": "complete", "said_at": timezone.now().isoformat(), "used": [],
        "outcomes": [{"code": code, "memory_id": None, "replaced_id": None, "kind": "", "rule": rule, "reasons": []}],
    }  # fmt: skip
    html = unescape(render_turn(turn, Reader.of(language, "UTC")))
    with override(language):
        assert why_not(rule) not in {"", "the model found nothing that can be kept"}
        assert str(OUTCOMES[code]) in html and why_not(rule) in html
