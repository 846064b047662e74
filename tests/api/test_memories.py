"""REST over memories: the whole life of one, its errors, its pages, and what a stranger gets."""

from __future__ import annotations

import uuid
from typing import Any

import pytest
from django.test import Client

from tests.support.people import House

pytestmark = pytest.mark.django_db


def _post(client: Client, path: str, body: dict[str, Any]) -> Any:
    return client.post(f"/api/v1/{path}", body, content_type="application/json")


def _remember(
    client: Client, content: str, subject: str = "ada@example.org", **fields: Any
) -> dict[str, Any]:
    body = {"subject": subject, "content": content, "kind": "fact", "infer": False, **fields}
    response = _post(client, "memories/", body)
    assert response.status_code in {200, 201}, response.content
    result: dict[str, Any] = response.json()["results"][0]
    return result


def test_a_memory_lives_from_creation_to_deletion_and_back(acme: House) -> None:
    api = acme.api()
    stored = _remember(api, "The spare key lies under the blue pot.")
    assert stored["code"] == "stored"
    path = f"/api/v1/memories/{stored['memory_id']}/"
    assert api.get(path).json()["content"] == "The spare key lies under the blue pot."
    changed = api.patch(
        path, {"content": "The spare key lies in the shed.", "version": 1}, content_type="application/json"
    )
    assert changed.status_code == 200, changed.content
    assert changed.json()["version"] == 2
    history = api.get(f"{path}versions/").json()["results"]
    assert [version["content"] for version in history] == [
        "The spare key lies under the blue pot.",
        "The spare key lies in the shed.",
    ]
    assert api.delete(path).status_code == 204
    assert api.get("/api/v1/memories/", {"subject": "ada@example.org"}).json()["results"] == []
    assert api.post(f"{path}restore/").json()["status"] == "current"


def test_the_same_statement_twice_is_one_memory(acme: House) -> None:
    api = acme.api()
    first, second = (_remember(api, "我住在城南的老房子里。") for _ in range(2))
    assert (first["code"], second["code"]) == ("stored", "duplicate")
    assert first["memory_id"] == second["memory_id"]


def test_a_stale_version_is_a_conflict_and_changes_nothing(acme: House) -> None:
    api = acme.api()
    path = f"/api/v1/memories/{_remember(api, 'The gate code is with the porter.')['memory_id']}/"
    api.patch(path, {"content": "The gate code is with Nora.", "version": 1}, content_type="application/json")
    late = api.patch(path, {"content": "Something else.", "version": 1}, content_type="application/json")
    assert late.status_code == 409
    assert late["content-type"].startswith("application/problem+json")
    assert api.get(path).json()["content"] == "The gate code is with Nora."


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "content"),
        ({"content": ""}, "content"),
        ({"content": "x", "kind": "no such kind"}, "kind"),
        ({"content": "x", "importance": 2}, "importance"),
        ({"content": "x", "colour": "red"}, "colour"),
        ({"content": "x", "subject": ""}, "subject"),
    ],
)
def test_bad_input_names_the_field(acme: House, body: dict[str, Any], field: str) -> None:
    response = _post(acme.api(), "memories/", {"subject": "s", **body})
    assert response.status_code == 400
    assert response["content-type"].startswith("application/problem+json")
    assert field in str(response.json())


def test_pages_show_each_memory_once(acme: House) -> None:
    api = acme.api()
    for number in range(7):
        _remember(api, f"Shelf {number} holds box {number * 31}.", subject="pages")
    seen, url = [], "/api/v1/memories/?subject=pages&limit=3"
    while url:
        page = api.get(url).json()
        seen += [row["id"] for row in page["results"]]
        url = page["next"]
    assert len(seen) == len(set(seen)) == 7


@pytest.mark.parametrize("name", ["*", "%", "a.b", "O'Neil", "林 岚", "x@y.z", "../.."])
def test_an_external_id_is_taken_literally(acme: House, name: str) -> None:
    api = acme.api()
    _remember(api, "The lamp is green.", subject="somebody else")
    _remember(api, "The lamp is red.", subject=name)
    rows = api.get("/api/v1/memories/", {"subject": name}).json()["results"]
    assert [row["content"] for row in rows] == ["The lamp is red."]


def test_another_tenants_key_finds_nothing(acme: House, globex: House) -> None:
    memory_id = _remember(acme.api(), "The vault opens at noon.", subject="shared name")["memory_id"]
    stranger = globex.api()
    assert stranger.get(f"/api/v1/memories/{memory_id}/").status_code == 404
    assert stranger.delete(f"/api/v1/memories/{memory_id}/").status_code == 404
    assert stranger.get(f"/api/v1/memories/{memory_id}/versions/").status_code == 404
    assert stranger.get("/api/v1/memories/", {"subject": "shared name"}).status_code == 404
    _remember(stranger, "Something of our own.", subject="shared name")
    rows = stranger.get("/api/v1/memories/", {"subject": "shared name"}).json()["results"]
    assert [row["content"] for row in rows] == ["Something of our own."]


def test_a_key_for_one_subject_does_not_reach_another(acme: House) -> None:
    memory_id = _remember(acme.api(), "The vault opens at noon.")["memory_id"]
    bound = acme.api("read", "write", subject="user")
    assert bound.get(f"/api/v1/memories/{memory_id}/").status_code == 404
    assert bound.get("/api/v1/memories/", {"subject": "ada@example.org"}).status_code == 404


def test_a_read_key_may_not_write(acme: House) -> None:
    assert _post(acme.api("read"), "memories/", {"subject": "s", "content": "x"}).status_code == 403


def test_no_key_is_unauthorised() -> None:
    response = Client().get(f"/api/v1/memories/{uuid.uuid4()}/")
    assert response.status_code in {401, 403}
    assert response["content-type"].startswith("application/problem+json")


def test_recall_finds_what_fits_and_says_why(acme: House) -> None:
    api = acme.api()
    _remember(api, "The contract number of the harbour project is QX-4410.", subject="r")
    _remember(api, "The cat sleeps on the radiator.", subject="r")
    answer = _post(api, "recall/", {"subject": "r", "query": "Which number has the harbour contract?"}).json()
    assert not answer["abstained"]
    assert "QX-4410" in answer["items"][0]["text"]
    assert {"similarity", "strength", "recency", "importance"} <= set(answer["items"][0]["parts"])


def test_recall_of_a_stranger_is_not_found(acme: House, globex: House) -> None:
    _remember(acme.api(), "The harbour project starts in June.", subject="r")
    assert _post(globex.api(), "recall/", {"subject": "r", "query": "harbour"}).status_code == 404


def test_a_change_that_is_refused_in_part_changes_nothing(acme: House) -> None:
    api = acme.api("read", "write", subject="user")
    stored = _post(
        api, "memories/", {"content": "I have asthma.", "kind": "sensitive", "infer": False}
    ).json()
    approval = api.get("/api/v1/approvals/").json()["results"][0]
    _post(api, f"approvals/{approval['id']}/", {"approve": True})
    path = f"/api/v1/memories/{stored['results'][0]['memory_id']}/"
    before = api.get(path).json()
    refused = api.patch(path, {"importance": 0.9, "pinned": True}, content_type="application/json")
    assert refused.status_code == 409
    assert api.get(path).json() == before


def test_a_pin_of_an_old_version_is_a_conflict(acme: House) -> None:
    api = acme.api()
    path = f"/api/v1/memories/{_remember(api, 'The gate code is with the porter.')['memory_id']}/"
    api.patch(path, {"importance": 0.9}, content_type="application/json")
    late = api.patch(path, {"pinned": True, "version": 1}, content_type="application/json")
    assert late.status_code == 409
    assert api.get(path).json()["pinned"] is False
