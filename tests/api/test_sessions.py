"""REST over sessions: a message and its answer, a resend, scripted turns, and what a stranger gets."""

from __future__ import annotations

import json
from typing import Any

import pytest

from accounts.models import AuditEntry
from memories.models import Job
from memoryhub.common.db import tenant_transaction
from sessions_app import relay
from sessions_app.core.limits import MAX_MESSAGE_CHARS
from sessions_app.protocol import Send, parse
from sessions_app.services.open_session import open_session
from sessions_app.services.record_turn import record_turn
from sessions_app.services.retry_answer import retry_answer
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
    for content in (
        "Please note, the contract number of this project is KX-7731.",
        "What is the contract number?",
    ):
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


def test_a_kept_message_is_learnt_from_once_and_says_what_became_of_it(acme: House) -> None:
    api = acme.api()
    session = _post(api, "sessions/", {"subject": "s"}).json()
    path = f"sessions/{session['id']}/messages/"
    kept = _post(api, path, {"content": "My sister lives in Turku.", "reply": False}).json()["message"]
    assert [outcome["code"] for outcome in kept["outcomes"]] == ["stored"]
    later = _post(api, path, {"content": "I live in Oulu.", "reply": False, "wait": False}).json()["message"]
    assert later["outcomes"] == []
    with tenant_transaction(acme.id):
        asked = set(Job.objects.filter(kind="learn_turn").values_list("key", flat=True))
    assert asked == {later["id"]}, "no worker learns beside the one that waits for it"


def test_a_message_of_nothing_that_can_be_seen_is_empty(acme: House) -> None:
    api = acme.api()
    session = _post(api, "sessions/", {"subject": "s"}).json()
    refused = _post(api, f"sessions/{session['id']}/messages/", {"content": "\u200b\ufeff", "reply": False})
    assert refused.status_code == 400
    assert refused.json()["code"] == "message_empty"


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


def _said(house: House, text: str = "Hello there, all.") -> Any:
    """A session of the user in which one thing was said."""
    actor = house.actor("user", "rest")
    assert actor.subject_id is not None
    session = open_session(actor=actor, subject_id=actor.subject_id)
    record_turn(actor=actor, session_id=session.pk, role="user", content=text)
    return session


def _audited(house: House, action: str) -> list[tuple[str, str]]:
    """(actor, subject) of each entry."""
    with tenant_transaction(house.id):
        entries = AuditEntry.objects.filter(action=action)
        return [(entry.actor_id, entry.changes[0]["subject_id"]) for entry in entries]


def test_reading_anothers_messages_and_list_is_audited_ones_own_is_not(acme: House) -> None:
    session = _said(acme)
    subject = {"subject": str(acme.people["user"].pk)}
    for path in (f"sessions/{session.pk}/", f"sessions/{session.pk}/messages/", "sessions/"):
        assert acme.client("user").get(f"/api/v1/{path}").status_code == 200
    assert _audited(acme, "session.read") == _audited(acme, "sessions.list") == []
    operator = acme.client("operator")
    for path, action in (
        (f"sessions/{session.pk}/messages/", "session.read"),
        (f"sessions/{session.pk}/", "session.read"),
        ("sessions/", "sessions.list"),
    ):
        before = len(_audited(acme, action))
        assert operator.get(f"/api/v1/{path}", subject).status_code == 200
        after = _audited(acme, action)
        assert len(after) == before + 1
        assert set(after) == {(str(acme.people["operator"].pk), str(acme.subjects["user"]))}


def test_a_replaced_answer_is_not_listed(acme: House) -> None:
    api = acme.api()
    session = _post(api, "sessions/", {"subject": "s"}).json()
    path = f"sessions/{session['id']}/messages/"
    answer = _post(api, path, {"content": "Hello there, all."}).json()["answer"]
    again = retry_answer(actor=acme.actor("admin", "rest"), turn_id=answer["id"])
    listed = [turn["id"] for turn in api.get(f"/api/v1/{path}").json()["results"]]
    assert answer["id"] not in listed and str(again.answer_turn.pk) in listed


def test_a_person_has_the_chats_limit_over_rest_too(acme: House, monkeypatch: pytest.MonkeyPatch) -> None:
    session = _said(acme)
    path, body = f"sessions/{session.pk}/messages/", {"content": "Hello there, all."}
    monkeypatch.setattr(relay, "SENDS_PER_MINUTE", 1)
    assert relay.may_send_now(acme.actor("user").id)
    refused = _post(acme.client("user"), path, body)
    assert (refused.status_code, refused.json()["code"]) == (429, "rate_limited")
    assert _post(acme.api(), path, body).status_code == 201


def test_open_pages_hear_of_what_is_done_over_rest(acme: House, monkeypatch: pytest.MonkeyPatch) -> None:
    api = acme.api()
    session = _post(api, "sessions/", {"subject": "s"}).json()
    path = f"sessions/{session['id']}/"
    sent: list[tuple[str, str]] = []
    monkeypatch.setattr(
        relay, "session_changed", lambda session_id, frame: sent.append((str(session_id), frame["type"]))
    )
    body = {"content": "Hello there, all.", "client_msg_id": "m1"}
    for done, frames in (
        (lambda: _post(api, f"{path}messages/", body), ["resync", "resync"]),
        (lambda: _post(api, f"{path}messages/", body), []),
        (lambda: _post(api, f"{path}messages/", {"content": "Well.", "reply": False}), ["resync"]),
        (lambda: api.patch(f"/api/v1/{path}", {"title": "N"}, content_type="application/json"), ["session"]),
        (lambda: _post(api, f"{path}end/", {}), ["session"]),
    ):
        sent.clear()
        assert done().status_code in {200, 201}
        assert sent == [(session["id"], frame) for frame in frames]


def test_rest_takes_what_the_socket_takes_and_a_tools_result_may_be_longer(acme: House) -> None:
    api = acme.api()
    session = _post(api, "sessions/", {"subject": "s"}).json()
    path = f"sessions/{session['id']}/messages/"
    for length, role, code in (
        (MAX_MESSAGE_CHARS, "user", 201),
        (MAX_MESSAGE_CHARS + 1, "user", 400),
        (MAX_MESSAGE_CHARS + 1, "tool", 201),
    ):
        body = {"content": "字" * length, "role": role, "reply": False}
        assert _post(api, path, body).status_code == code, (length, role)
    frame = json.dumps(
        {"type": "send", "client_msg_id": "m", "content": "字" * MAX_MESSAGE_CHARS}, ensure_ascii=False
    )
    assert isinstance(parse(frame), Send)
