"""REST and page: forget by words and by filter, look first, answer, bring back, and lasting rules."""

from __future__ import annotations

import uuid
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from tests.support.people import House

pytestmark = pytest.mark.django_db


def post(client: Client, path: str, **body: Any) -> Any:
    return client.post(f"/api/v1/{path}", body, content_type="application/json")


def say(client: Client, *texts: str) -> None:
    for text in texts:
        assert post(client, "memories/", subject="ada", content=text).status_code == 201, text


def known(client: Client) -> list[str]:
    rows = client.get("/api/v1/memories/", {"subject": "ada"}).json()["results"]
    return [row["content"] for row in rows]


def requests(client: Client, **query: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = client.get("/api/v1/forget/requests/", {"subject": "ada", **query}).json()[
        "results"
    ]
    return found


@pytest.mark.parametrize(
    "body",
    [
        {"text": "forget my phone number"},
        {"text": "my phone number"},
        {"text": "我的电话号码"},
        {"attribute": "phone"},
        {"attribute": "手机号"},
        {"entity": "user", "attribute": "phone", "value": "555-1234"},
        {"value": "555-1234"},
    ],
)
def test_words_or_a_filter_forget_the_one_and_leave_the_other(acme: House, body: dict[str, str]) -> None:
    api = acme.api()
    say(api, "My phone number is 555-1234.", "I live in Lisbon.")
    looked = post(api, "forget/", subject="ada", preview=True, **body).json()
    [found] = looked["preview"]
    assert (len(found["memory_ids"]), found["asks"], looked["results"]) == (1, False, [])
    assert len(known(api)) == 2
    done = post(api, "forget/", subject="ada", **body).json()
    assert [one["code"] for one in done["results"]] == ["forgotten"]
    assert [text for text in known(api) if "555" in text] == [] and len(known(api)) == 1
    [request] = requests(api)
    assert (request["state"], request["memories"]) == ("done", 1) and "555" not in request["label"]
    assert post(api, f"forget/requests/{request['id']}/undo/").json() == {
        "memories": 1,
        "stayed": 0,
        "missed": 0,
        "texts_left": 0,
    }
    [request] = requests(api)
    assert (request["state"], request["texts_left"]) == ("restored", 0)
    assert len(known(api)) == 2


def test_a_wide_request_waits_for_its_answer(acme: House) -> None:
    api = acme.api()
    say(api, "My phone number is 555-1234.", "I live in Lisbon.")
    done = post(api, "forget/", subject="ada", text="forget everything you know about me").json()
    assert [(one["code"], one["rule"]) for one in done["results"]] == [("needs_approval", "forget.ask")]
    [request] = requests(api, waiting="true")
    assert len(known(api)) == 2
    answer = post(api, f"forget/requests/{request['id']}/", approve=True)
    assert {one["code"] for one in answer.json()["results"]} == {"forgotten"} and known(api) == []
    assert post(api, f"forget/requests/{request['id']}/", approve=False).status_code == 409


def test_a_lasting_rule_is_listed_and_removed(acme: House) -> None:
    api = acme.api()
    say(api, "My boss lives in Porto.")
    assert post(api, "forget/", subject="ada", entity="user:boss", standing=True).status_code == 200
    assert known(api) == []
    blocked = post(api, "memories/", subject="ada", content="My boss's birthday is May 3.").json()["results"]
    assert [(one["code"], one["rule"]) for one in blocked] == [("not_worth_keeping", "forget.standing")]
    [rule] = api.get("/api/v1/forget/rules/", {"subject": "ada"}).json()["results"]
    assert api.delete(f"/api/v1/forget/rules/{rule['id']}/").status_code == 204
    assert api.get("/api/v1/forget/rules/", {"subject": "ada"}).json()["results"] == []
    say(api, "My boss's birthday is May 3.")


@pytest.mark.parametrize(
    "body", [{}, {"text": "x", "value": "y"}, {"text": "  "}, {"txt": "forget me"}, {"entity": ""}]
)
def test_what_names_nothing_is_refused_with_what_to_do(acme: House, body: dict[str, str]) -> None:
    api = acme.api()
    say(api, "I live in Lisbon.")
    answer = post(api, "forget/", subject="ada", **body)
    assert answer.status_code == 400 and answer.json()["errors"]
    assert post(api, f"forget/requests/{uuid.uuid4()}/", approve=True).status_code == 404


def test_a_key_that_may_only_read_forgets_nothing(acme: House) -> None:
    say(acme.api(), "I live in Lisbon.")
    reader = acme.api("read")
    assert post(reader, "forget/", subject="ada", text="forget where I live").status_code == 403
    assert len(known(reader)) == 1


def test_the_page_forgets_looks_first_answers_and_brings_back(acme: House) -> None:
    client = acme.client("user")
    own = {"content_type": "application/json"}
    client.post("/api/v1/memories/", {"content": "My phone number is 555-1234."}, **own)  # type: ignore[arg-type]
    url = reverse("forgetting")
    looked = client.post(url, {"text": "forget my phone number", "look": "1"})
    assert looked.status_code == 200 and b"1 memory" in looked.content
    done = client.post(url, {"text": "forget my phone number"}, follow=True)
    assert b"1 memory is forgotten." in done.content and b"555-1234" not in done.content
    assert client.post(url, {"text": " "}).status_code == 400
    listed = client.get("/api/v1/forget/requests/").json()["results"]
    back = client.post(reverse("undo_forgetting", args=[listed[0]["id"]]), follow=True)
    assert back.status_code == 200
    assert client.get("/api/v1/memories/").json()["results"][0]["content"].endswith("555-1234")


def test_what_was_forgotten_is_blank_for_keys_that_may_only_read(acme: House) -> None:
    writer, reader = acme.api(), acme.api("read")
    made = post(
        writer, "memories/", subject="ada", content="My phone number is 555-1234.", tags=["tel 555-1234"]
    ).json()
    memory_id = made["results"][0]["memory_id"]
    paths = (
        "memories/?subject=ada&status=forgotten",
        f"memories/{memory_id}/",
        f"memories/{memory_id}/versions/",
    )
    assert "555-1234" in reader.get(f"/api/v1/{paths[1]}").content.decode()
    assert writer.delete(f"/api/v1/memories/{memory_id}/").status_code == 204
    for path in paths:
        answer = reader.get(f"/api/v1/{path}")
        assert answer.status_code == 200 and "forgotten" in answer.content.decode()
        assert "555-1234" not in answer.content.decode(), path
        assert "555-1234" in writer.get(f"/api/v1/{path}").content.decode(), path
