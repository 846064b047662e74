"""Idempotency-Key: the same key and body get the same answer, written once, whoever dies in between."""

from __future__ import annotations

import json
import uuid
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client

from memories.adapters.factory import get_clock, override
from memories.models import Evidence, IdempotencyKey, Memory
from memories.ports import FixedClock
from memories.services import answer_once as module
from memoryhub.common.db import tenant_transaction
from sessions_app.models import Turn
from tests.sessions_app.child import child
from tests.support.people import House, make_house
from tests.support.threads import all_at_once

pytestmark = pytest.mark.django_db(transaction=True)

NOTE = {"subject": "s", "content": "The spare key lies under the blue pot.", "infer": False}


def post(client: Client, path: str, body: Any, key: str | None = None) -> Any:
    headers = {"idempotency-key": key} if key is not None else {}
    return client.post(f"/api/v1/{path}", body, content_type="application/json", headers=headers)


def told(answer: Any) -> tuple[int, bytes]:
    return answer.status_code, answer.content


def evidence(house: House) -> tuple[int, int]:
    with tenant_transaction(house.id):
        return Memory.objects.count(), Evidence.objects.count()


def test_the_same_key_and_body_are_answered_alike_and_done_once(acme: House) -> None:
    api = acme.api()
    first = post(api, "memories/", NOTE, "k-1")
    again = post(api, "memories/", NOTE, "k-1")
    assert first.status_code == 201 and told(again) == told(first)
    assert "Idempotent-Replayed" not in first and again["Idempotent-Replayed"] == "true"
    assert evidence(acme) == (1, 1)
    # Without a key it is another statement of the same.
    assert post(api, "memories/", NOTE).json()["results"][0]["code"] == "duplicate"


def test_the_order_of_fields_makes_no_other_request_but_every_value_does(acme: House) -> None:
    api = acme.api()
    first = post(api, "memories/", NOTE, "k")
    assert told(post(api, "memories/", dict(reversed(NOTE.items())), "k")) == told(first)
    for path, body in (
        ("memories/", {**NOTE, "content": "It lies in the shed."}),
        ("memories/", {**NOTE, "subject": "t"}),
        ("constraints/", {"subject": "s", "content": NOTE["content"]}),
        ("memories/?x=1", NOTE),
    ):
        answer = post(api, path, body, "k")
        assert answer.status_code == 409, path
        assert answer.json()["code"] == "idempotency_key_reused" and answer.json()["hint"]
    assert evidence(acme) == (1, 1)


def test_keys_are_the_callers_own(acme: House, globex: House) -> None:
    first = post(acme.api(), "memories/", NOTE, "k").json()
    for other in (acme.api(), globex.api()):
        answer = post(other, "memories/", NOTE, "k")
        assert "Idempotent-Replayed" not in answer
        assert answer.json()["results"][0]["code"] in {"stored", "duplicate"}
    assert evidence(globex) == (1, 1)
    assert first["results"][0]["code"] == "stored"


@pytest.mark.parametrize("key", ["", "a b", "ä", "x" * 201, "k\x7f"])
def test_a_key_that_is_none_is_named(acme: House, key: str) -> None:
    answer = post(acme.api(), "memories/", NOTE, key)
    assert answer.status_code == 400
    assert [error["field"] for error in answer.json()["errors"]] == ["Idempotency-Key"]
    assert evidence(acme) == (0, 0)


def test_an_error_is_not_kept_and_changes_nothing(acme: House) -> None:
    api = acme.api()
    assert post(api, "memories/", {**NOTE, "kind": "nonsense"}, "k").status_code == 400
    with tenant_transaction(acme.id):
        assert not IdempotencyKey.objects.exists()
    assert post(api, "memories/", NOTE, "k").status_code == 201


def test_after_a_day_the_key_is_free_again(acme: House) -> None:
    api = acme.api()
    clock = FixedClock(get_clock().now())
    with override(clock=clock):
        post(api, "memories/", NOTE, "k")
        clock.advance(seconds=int(module.KEPT / timedelta(seconds=1)) + 1)
        answer = post(api, "memories/", {**NOTE, "content": "It lies in the shed."}, "k")
    assert answer.status_code == 201 and "Idempotent-Replayed" not in answer


def test_what_is_forgotten_is_not_told_by_a_kept_answer(acme: House) -> None:
    api = acme.api()
    made = post(api, "memories/", NOTE).json()["results"][0]["memory_id"]
    asked = {"subject": "s", "query": "Where does the spare key lie?"}
    assert "blue pot" in post(api, "recall/", asked, "r").content.decode()
    assert api.delete(f"/api/v1/memories/{made}/").status_code == 204
    assert "blue pot" not in post(api, "recall/", asked, "r").content.decode()


def test_erasing_a_subject_takes_its_kept_answers_along(acme: House) -> None:
    api = acme.api("read", "write", "admin")
    post(api, "memories/", NOTE, "k")
    assert api.delete("/api/v1/subjects/?subject=s").status_code == 200
    with tenant_transaction(acme.id):
        assert not IdempotencyKey.objects.exists()


@pytest.mark.parametrize("path", ["memories/", "sessions/"])
def test_twenty_equal_posts_at_once_write_once_and_get_one_answer(acme: House, path: str) -> None:
    body = NOTE if path == "memories/" else {"subject": "s", "title": "Kites"}
    api_key = acme.key()

    def call() -> tuple[int, bytes]:
        client = Client(headers={"authorization": f"Bearer {api_key}"})
        return told(post(client, path, body, "at-once"))

    answers = all_at_once([call] * 20)
    assert len(set(answers)) == 1 and answers[0][0] == 201, answers
    if path == "memories/":
        assert evidence(acme) == (1, 1)


def test_twenty_different_bodies_under_one_key_are_one_and_nineteen_conflicts(acme: House) -> None:
    api_key = acme.key()

    def call(number: int) -> int:
        client = Client(headers={"authorization": f"Bearer {api_key}"})
        return post(
            client, "memories/", {**NOTE, "content": f"Key number {number} is blue."}, "k"
        ).status_code

    answers = all_at_once([lambda number=number: call(number) for number in range(20)])
    assert sorted(answers) == [201, *[409] * 19]
    assert evidence(acme) == (1, 1)


CALL = """
from django.test import Client
from memories.services import answer_once as module
{patch}
Client(headers={{"authorization": "Bearer " + sys.argv[2]}}).post(
    "/api/v1/" + sys.argv[3], sys.argv[4], content_type="application/json", headers={{"idempotency-key": "k"}}
)
stand()
"""
DEATHS = {
    "before anything is written": "import memories.services.write_memory as w; w.embed_passages = stand",
    "with the memory written and nothing committed": "module._keep = stand",
    "with the answer written and nothing committed": "module._answer_of = stand",
    "after the commit, before it is answered": "",
}


@pytest.mark.parametrize("when", DEATHS)
def test_a_process_that_dies_leaves_the_memory_and_its_answer_or_neither(
    transactional_db: None, when: str
) -> None:
    house = make_house("acme")
    now = get_clock().now()
    key = house.key()
    arguments = (now.isoformat(), key, "memories/", json.dumps(NOTE))
    with child(CALL.format(patch=DEATHS[when]), *arguments):
        pass  # It stands there now, and is killed.

    def call() -> tuple[int, bytes]:
        return told(post(Client(headers={"authorization": f"Bearer {key}"}), "memories/", NOTE, "k"))

    answers = all_at_once([call] * 20)
    assert len(set(answers)) == 1 and answers[0][0] == 201, answers
    assert json.loads(answers[0][1])["results"][0]["code"] == "stored"
    assert evidence(house) == (1, 1)


def test_a_message_whose_process_dies_is_stored_once(transactional_db: None) -> None:
    house = make_house("acme")
    key = house.key()
    client = Client(headers={"authorization": f"Bearer {key}"})
    session = post(client, "sessions/", {"subject": "s"}).json()["id"]
    path, body = f"sessions/{session}/messages/", {"content": "I live in Suzhou.", "reply": False}
    arguments = (get_clock().now().isoformat(), key, path, json.dumps(body))
    with child(CALL.format(patch="module._keep = stand"), *arguments):
        pass
    first = post(client, path, body, "k")
    assert first.status_code == 201 and told(post(client, path, body, "k")) == told(first)
    with tenant_transaction(house.id):
        assert [str(turn.pk) for turn in Turn.objects.all()] == [first.json()["message"]["id"]]


def test_who_waits_too_long_is_told_to_come_back(acme: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PATIENCE", 0.0)
    api, key_id = acme.api(), None
    with tenant_transaction(acme.id):
        from accounts.models import ApiKey

        key_id = ApiKey.objects.get().pk
    from memories.store.kept_answers import _number

    number = _number(acme.id, f"api_key:{key_id}", "k")

    def hold_and_call() -> Any:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_lock(%s)", [number])
        return all_at_once([lambda: post(api, "memories/", NOTE, "k")])[0]

    answer = hold_and_call()
    assert (answer.status_code, answer.json()["code"]) == (409, "in_progress")
    assert answer["Retry-After"]
    assert uuid.UUID(str(key_id))
