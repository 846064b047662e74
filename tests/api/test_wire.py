"""What the wire may bring: unknown addresses and methods, other types, bodies too large, too deep, or no JSON at all."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.conf import settings

from tests.support.people import House

pytestmark = pytest.mark.django_db

NOTE = {"subject": "s", "content": "The spare key lies under the blue pot.", "infer": False}
DEEP = "[" * 100_000


def check(answer: Any, status: int, code: str) -> None:
    assert (answer.status_code, answer["content-type"]) == (status, "application/problem+json"), (
        answer.content
    )
    body = answer.json()
    assert (body["status"], body["code"]) == (status, code)
    assert body["hint"] and body["type"] and body["title"]


def test_unknown_addresses_and_methods_are_problems(acme: House) -> None:
    api = acme.api()
    check(api.get("/api/v1/nothing/"), 404, "not_found")
    check(api.get("/api/v1/memories/no-id/"), 404, "not_found")
    check(api.get("/api/nothing"), 404, "not_found")
    answer = api.put("/api/v1/memories/", NOTE, content_type="application/json")
    check(answer, 405, "method_not_allowed")
    assert {"GET", "POST"} <= set(answer["Allow"].replace(" ", "").split(","))
    check(api.get("/api/v1/memories/?subject=s", headers={"accept": "text/html"}), 406, "invalid")


@pytest.mark.parametrize("kind", ["text/plain", "application/xml", "multipart/form-data; boundary=x"])
def test_other_types_are_refused(acme: House, kind: str) -> None:
    answer = acme.api().post("/api/v1/memories/", json.dumps(NOTE).encode(), content_type=kind)
    check(answer, 415, "unsupported_media_type")


@pytest.mark.parametrize(
    "body",
    [
        "{", "", '{"a": NaN}', '{"content": 1e999}', '{"content": ' + "9" * 5_000 + "}", DEEP, '{"a":' * 65 + "1" + "}" * 65,
        b"\xff\xfe", '{"subject": "s", "content": "x"} {}', '"\\ud800"', "\x00",
    ],
    ids=range(11),
)  # fmt: skip
def test_what_is_no_json_of_ours_is_named(acme: House, body: Any) -> None:
    api = acme.api()
    api.raise_request_exception = False
    for path in ("memories/", "recall/", "context/", "sessions/", "constraints/", "memories/bulk/"):
        check(api.post(f"/api/v1/{path}", body, content_type="application/json"), 400, "invalid")


def test_a_body_that_is_too_large_is_413_and_a_large_one_is_read(acme: House) -> None:
    api = acme.api()
    large = {**NOTE, "metadata": {"a": "x" * settings.DATA_UPLOAD_MAX_MEMORY_SIZE}}
    check(api.post("/api/v1/memories/", large, content_type="application/json"), 413, "too_large")
    many = [{"content": "word " * 3_000, "infer": False}] * 51
    answer = api.post(
        "/api/v1/memories/bulk/", {"subject": "s", "items": many}, content_type="application/json"
    )
    assert answer.status_code == 202


def test_huge_numbers_and_lone_surrogates_are_refused(acme: House) -> None:
    api = acme.api("read", "write", "admin")
    api.raise_request_exception = False
    for path, body in (
        ("recall/", {"subject": "s", "query": "?", "k": 10**40}),
        ("context/", {"subject": "s", "message": "?", "budget_tokens": 10**40}),
        ("policy/revert/", {"to": 10**40, "version": 0}),
        ("keys/", {"name": "\ud800", "scopes": ["read"]}),
        ("subjects/", {"external_id": "\ud800"}),
        ("subjects/", {"external_id": "x", "display_name": "\x00"}),
        ("sessions/", {"subject": "s", "title": "\x00"}),
    ):
        answer = api.post(f"/api/v1/{path}", json.dumps(body), content_type="application/json")
        check(answer, 400, "invalid")
    check(api.get(f"/api/v1/policy/versions/{10**40}/"), 404, "not_found")
    for query in (
        "limit=0",
        "limit=201",
        "limit=x",
        "cursor=x",
        "cursor=",
        "cursor=cD14",
        "cursor=%00",
        "subject=%00",
    ):
        answer = api.get(
            f"/api/v1/memories/?subject=other&{query}"
            if "subject" not in query
            else f"/api/v1/memories/?{query}"
        )
        assert answer.status_code in {400, 404}, (query, answer.content)


def test_limits_are_told_with_every_answer(acme: House) -> None:
    answer = acme.api().get("/api/v1/me/")
    assert int(answer["RateLimit-Limit"]) > int(answer["RateLimit-Remaining"]) > 0
    assert 0 < int(answer["RateLimit-Reset"]) <= 60
