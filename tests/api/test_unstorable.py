"""What PostgreSQL cannot keep (NUL, lone surrogates) is an error that names the field, at every door that takes such text."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client

from tests.support.people import House

pytestmark = pytest.mark.django_db

BAD = ["p\x00q", "p\ud800q"]
TREES: list[Any] = [
    lambda bad: {"a": bad},
    lambda bad: {bad: 1},
    lambda bad: {"a": [{"b": {"c": [1, bad]}}]},
    lambda bad: {"a": [{bad: None}]},
]


def send(client: Client, method: str, path: str, body: Any) -> Any:
    client.raise_request_exception = False
    # Escaped as in the wire format: a lone surrogate is no UTF-8.
    return client.generic(method, f"/api/v1/{path}", json.dumps(body), content_type="application/json")


@pytest.mark.parametrize("bad", BAD, ids=["nul", "surrogate"])
@pytest.mark.parametrize("tree", TREES, ids=["value", "key", "deep value", "deep key"])
def test_metadata(acme: House, tree: Any, bad: str) -> None:
    api = acme.api()
    note = {"subject": "s", "content": "The key is blue.", "infer": False}
    made = send(api, "POST", "memories/", note).json()["results"][0]["memory_id"]
    for method, path, body in (
        ("POST", "memories/", {**note, "content": "The door is red."}),
        ("PATCH", f"memories/{made}/", {}),
        ("POST", "recall/", {"subject": "s", "query": "Which key?"}),
    ):
        answer = send(api, method, path, {**body, "metadata": tree(bad)})
        assert answer.status_code == 400, (path, answer.content)
        assert "metadata" in answer.content.decode()


@pytest.mark.parametrize("bad", BAD, ids=["nul", "surrogate"])
def test_patterns_and_note_of_a_policy(acme: House, bad: str) -> None:
    api = acme.api("admin")
    own = {"name": "badge", "pattern": f"B-{bad}"}
    for more in (
        {"custom": {"patterns": [own]}},
        {"custom": {"fields": [{"name": "badge", "labels": [bad]}]}},
        {"note": bad},
    ):
        answer = send(api, "PUT", "policy/", {"overrides": {}, **more})
        assert answer.status_code in {400, 422}, answer.content


@pytest.mark.parametrize("query", ["tag=%00", "tag=%ED%A0%80", "kind=%00", "session_id=%00", "since=%00"])
def test_query_parameters_of_the_list(acme: House, query: str) -> None:
    api = acme.api()
    api.raise_request_exception = False
    send(api, "POST", "memories/", {"subject": "s", "content": "The key is blue.", "infer": False})
    answer = api.get(f"/api/v1/memories/?subject=s&{query}")
    if query.startswith("tag"):  # A text that no tag has.
        assert (answer.status_code, answer.json()["results"]) == (200, [])
    else:
        assert answer.status_code == 400, answer.content


@pytest.mark.parametrize("bad", BAD, ids=["nul", "surrogate"])
@pytest.mark.parametrize("path", ["memories/", "recall/"])
def test_the_subject(acme: House, path: str, bad: str) -> None:
    body = {"subject": bad, "content": "The key is blue.", "query": "Which key?"}
    body.pop("content" if path == "recall/" else "query")
    assert send(acme.api(), "POST", path, body).status_code == 400
