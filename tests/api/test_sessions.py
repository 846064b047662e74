"""REST over sessions: a message and its answer, a resend, scripted turns, and what a stranger gets."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.people import House

pytestmark = pytest.mark.django_db(transaction=True)


def _post(client: Any, path: str, body: dict[str, Any]) -> Any:
    return client.post(f"/api/v1/{path}", body, content_type="application/json")


def test_a_message_is_answered_and_a_resend_doubles_nothing(acme: House) -> None:
    api = acme.api()
    session = _post(api, "sessions/", {"subject": "s", "title": "First"}).json()
    path = f"sessions/{session['id']}/messages/"
    body = {"content": "记一下,这个项目的合同编号是 KX-7731", "client_msg_id": "m1"}
    first, second = _post(api, path, body), _post(api, path, body)
    assert (first.status_code, second.status_code) == (201, 200), first.content
    assert first.json()["message"]["id"] == second.json()["message"]["id"]
    assert first.json()["answer"]["state"] == "complete"
    turns = api.get(f"/api/v1/{path}").json()["results"]
    assert [turn["role"] for turn in turns] == ["user", "assistant"]
    assert "stored" in {outcome["code"] for outcome in turns[0]["outcomes"]}


def test_what_was_said_in_one_session_answers_in_another(acme: House) -> None:
    api = acme.api()
    for content in ("Please note, the contract number of this project is KX-7731.", "What is the contract number?"):
        session = _post(api, "sessions/", {"subject": "s"}).json()
        posted = _post(api, f"sessions/{session['id']}/messages/", {"content": content}).json()
    assert "KX-7731" in posted["answer"]["content"]
    assert any(memory["cited"] for memory in posted["answer"]["used"])


def test_scripted_turns_are_kept_without_an_answer(acme: House) -> None:
    api = acme.api()
    session = _post(api, "sessions/", {"subject": "s"}).json()
    body = {"content": "Hello from last year.", "role": "assistant", "at": "2025-03-01T08:00:00Z"}
    posted = _post(api, f"sessions/{session['id']}/messages/", body)
    assert posted.status_code == 201, posted.content
    assert posted.json()["answer"] is None
    assert posted.json()["message"]["said_at"] == "2025-03-01T08:00:00Z"


def test_an_ended_session_says_so(acme: House) -> None:
    api = acme.api()
    session = _post(api, "sessions/", {"subject": "s"}).json()
    assert _post(api, f"sessions/{session['id']}/end/", {}).json()["state"] == "ended"
    refused = _post(api, f"sessions/{session['id']}/messages/", {"content": "Hello?"})
    assert refused.status_code == 409
    assert refused.json()["hint"]


def test_title_and_outcome_change_together(acme: House) -> None:
    api = acme.api()
    session = _post(api, "sessions/", {"subject": "s"}).json()
    path = f"/api/v1/sessions/{session['id']}/"
    changed = api.patch(path, {"title": "New", "outcome": "done"}, content_type="application/json").json()
    assert (changed["title"], changed["outcome"]) == ("New", "done")


def test_another_tenant_sees_no_session(acme: House, globex: House) -> None:
    session = _post(acme.api(), "sessions/", {"subject": "s"}).json()
    stranger = globex.api()
    path = f"/api/v1/sessions/{session['id']}/"
    assert stranger.get(path).status_code == 404
    assert stranger.get(f"{path}messages/").status_code == 404
    assert _post(stranger, f"sessions/{session['id']}/messages/", {"content": "x"}).status_code == 404
    assert stranger.get("/api/v1/sessions/", {"subject": "s"}).status_code == 404


def test_the_schema_describes_every_view(acme: House) -> None:
    schema = acme.api().get("/api/v1/schema/", headers={"accept": "application/vnd.oai.openapi+json"})
    assert schema.status_code == 200
    paths = schema.json()["paths"]
    assert "/api/v1/recall/" in paths
    assert "/api/v1/sessions/{session_id}/messages/" in paths
