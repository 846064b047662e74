"""Many memories and messages in one call: at once, or by an operation that is polled."""

from __future__ import annotations

import uuid
from typing import Any

import pytest
from django.test import Client

from memories.models import Memory, QueuedText
from memories.services.jobs import run_due
from memoryhub.common.db import tenant_transaction
from sessions_app.models import Turn
from tests.support.people import House

pytestmark = pytest.mark.django_db


def post(client: Client, path: str, body: Any, key: str = "") -> Any:
    headers = {"idempotency-key": key} if key else {}
    return client.post(f"/api/v1/{path}", body, content_type="application/json", headers=headers)


def notes(number: int) -> list[dict[str, Any]]:
    return [{"content": f"Box number {one} holds nails.", "infer": False} for one in range(number)]


def test_each_text_has_its_own_answer(acme: House) -> None:
    items = [
        *notes(2),
        {"content": "Hello."},
        {"content": "A key.", "kind": "sensitive", "pinned": True},
        notes(1)[0],
    ]
    told = post(acme.api(), "memories/bulk/", {"subject": "s", "items": items})
    assert told.status_code == 200 and told.json()["operation"] is None
    results = told.json()["results"]
    assert [one["index"] for one in results] == list(range(5))
    codes = [one["error"] or one["outcomes"][0]["code"] for one in results]
    assert codes == ["stored", "stored", "not_worth_keeping", "invalid", "duplicate"]


def test_many_texts_become_an_operation(acme: House, globex: House) -> None:
    api = acme.api()
    body = {"subject": "s", "items": [*notes(51), {"content": "My password is hunter2-Xy7!", "infer": False}]}
    asked = post(api, "memories/bulk/", body, "k")
    assert asked.status_code == 202
    assert post(api, "memories/bulk/", body, "k").json() == asked.json()
    path = f"/api/v1/operations/{asked.json()['operation']['id']}/"
    assert globex.api("read", "write", "admin").get(path).status_code == 404
    assert acme.api("read", "write", subject="other").get(path).status_code == 404
    with tenant_transaction(acme.id):
        assert "hunter2" not in str(list(QueuedText.objects.values_list("given", flat=True)))
    run_due(acme.id)
    polled = api.get(path).json()
    assert (polled["state"], polled["done"], polled["total"]) == ("done", 52, 52)
    codes = [one["outcomes"][0]["code"] for one in polled["results"]]
    assert codes == [*["stored"] * 51, "blocked_sensitive"]
    with tenant_transaction(acme.id):
        assert Memory.objects.count() == 51
        assert not QueuedText.objects.exclude(given=None).exists()


def test_what_was_asked_to_be_forgotten_meanwhile_is_not_learnt(acme: House) -> None:
    api = acme.api()
    body = {"subject": "s", "wait": False, "items": [{"content": "I live in Suzhou."}]}
    asked = post(api, "memories/bulk/", body).json()["operation"]["id"]
    assert post(api, "forget/", {"subject": "s", "entity": "user", "attribute": "home"}).status_code == 200
    run_due(acme.id)
    assert api.get(f"/api/v1/operations/{asked}/").json()["state"] == "done"


def test_many_are_deleted_with_an_answer_each(acme: House, globex: House) -> None:
    api = acme.api()
    told = post(api, "memories/bulk/", {"subject": "s", "items": notes(3)}).json()
    ids = [one["outcomes"][0]["memory_id"] for one in told["results"]]
    foreign = post(globex.api("read", "write", "admin"), "memories/bulk-delete/", {"memories": ids}).json()
    assert {one["code"] for one in foreign["results"]} == {"memory_not_found"}
    nobody = str(uuid.UUID(int=7))
    gone = post(api, "memories/bulk-delete/", {"memories": [ids[0], nobody, ids[1]]}).json()["results"]
    assert [one["code"] for one in gone] == ["forgotten", "memory_not_found", "forgotten"]
    assert [bool(one["tombstone_id"]) for one in gone] == [True, False, True]
    assert post(api, "memories/bulk-delete/", {"memories": []}).status_code == 400


def test_messages_are_recorded_in_order_once_and_learnt_from(acme: House) -> None:
    api = acme.api()
    session = post(api, "sessions/", {"subject": "s"}).json()["id"]
    messages = [
        {"role": "user", "content": "I live in Suzhou.", "at": "2026-03-01T09:00:00Z"},
        {"role": "assistant", "content": "Noted.", "at": "2026-03-01T09:00:05Z"},
    ]
    path = f"sessions/{session}/messages/bulk/"
    told = post(api, path, {"messages": messages}, "k")
    assert told.status_code == 200
    assert told.json()["results"][0]["outcomes"][0]["code"] == "stored"
    assert post(api, path, {"messages": messages}, "k").json() == told.json()
    later = [{"role": "user", "content": f"Box number {one} is in the shed."} for one in range(21)]
    asked = post(api, path, {"messages": later})
    assert asked.status_code == 202
    with tenant_transaction(acme.id):
        assert list(Turn.objects.order_by("seq").values_list("content", flat=True))[:2] == [
            one["content"] for one in messages
        ]
    run_due(acme.id)
    polled = api.get(f"/api/v1/operations/{asked.json()['operation']['id']}/").json()
    assert (polled["state"], polled["done"], polled["total"]) == ("done", 21, 21)
    wrong = [*later[:1], {"role": "user", "content": " "}]
    assert post(api, path, {"messages": wrong}).status_code == 400
    with tenant_transaction(acme.id):
        assert Turn.objects.count() == 23
