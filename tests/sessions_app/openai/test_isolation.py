"""What another tenant's key gets at the door, and a key that is bound to one person: nothing of anybody else's."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from accounts.models import AuditEntry, Subject
from tests.sessions_app.openai.conftest import MODEL, Door
from tests.support.model_server import ModelServer, Reply
from tests.support.site import Site

SECRET = "Please remember: the contract number of this project is WOLPERTINGER-7731."
ASKED = "What is the contract number of this project?"


@pytest.fixture
def told(door: Door, model: ModelServer) -> Door:
    """A tenant whose `ann` has said something that is learnt."""
    model.script(Reply(["Noted."]))
    door.say(SECRET, X_MemoryHub_Session="contract")
    door.learn()
    model.forget()
    return door


def test_another_tenants_key_gets_nothing_of_the_same_name_conversation_or_history(
    told: Door, model: ModelServer, site: Site, open_door: Callable[[Site], Door]
) -> None:
    stranger = open_door(site)
    session = told.sessions()[0].pk
    for name in ("contract", str(session), "no such conversation"):
        answer = stranger.say(SECRET.split(":")[0], "Noted.", ASKED, X_MemoryHub_Session=name)
        assert answer.status_code == 200
        assert answer.headers["x-memoryhub-memory"] == "full"
        assert answer.headers["x-memoryhub-session"] != str(session)
    assert not [one for one in model.requests if "WOLPERTINGER" in str(one)]
    assert len(told.turns()) == 2
    # The same history, word for word, is not the stranger's conversation either.
    answer = stranger.say(SECRET, "Noted.", ASKED)
    assert answer.headers["x-memoryhub-session"] != str(session)
    assert model.requests[-1]["messages"][-1]["content"] == ASKED
    assert len(told.turns()) == 2


def test_another_person_of_the_tenant_gets_nothing_either(told: Door, model: ModelServer) -> None:
    answer = told.say(ASKED, user="bob", X_MemoryHub_Session="contract")
    assert "x-memoryhub-memories" not in answer.headers
    assert answer.headers["x-memoryhub-session"] != str(told.sessions()[0].pk)
    assert "WOLPERTINGER" not in str(model.requests)


def test_a_key_that_is_bound_to_a_person_needs_no_name_and_reaches_no_other(
    told: Door, model: ModelServer
) -> None:
    key = told.own_key("read", "write", subject="user")
    body = {"model": MODEL, "messages": [{"role": "user", "content": ASKED}]}
    assert told.post(body, key=key).headers["x-memoryhub-memory"] == "full"
    there, not_there = (told.post({**body, "user": name}, key=key) for name in ("ann", "nobody-at-all"))
    assert there.status_code == not_there.status_code == 404
    assert there.json() == not_there.json()
    assert there.json()["error"]["type"] == "invalid_request_error"
    assert "WOLPERTINGER" not in str(model.requests)
    with told.data():
        assert not Subject.objects.filter(external_id="nobody-at-all").exists()


def test_what_a_key_may_not_do_is_not_done(told: Door, model: ModelServer) -> None:
    body = {"model": MODEL, "messages": [{"role": "user", "content": ASKED}], "user": "ann"}
    reads, writes = told.own_key("read"), told.own_key("write")
    refused = told.post(body, key=reads)
    assert (refused.status_code, refused.json()["error"]["code"]) == (403, "permission_denied")
    own = {"X_MemoryHub_Upstream_Authorization": "k"}
    answer = told.post(body, key=reads, **own)
    assert (answer.status_code, answer.headers["x-memoryhub-memory"]) == (200, "read")
    assert "WOLPERTINGER" in str(model.requests)
    assert told.post(body, key=reads, X_MemoryHub_Memory_Mode="full", **own).status_code == 403
    unknown = told.post({**body, "user": "new one"}, key=reads, **own)
    assert unknown.headers["x-memoryhub-memory"] == "read; unknown_subject"
    assert told.post(body, key=writes).status_code == 403
    assert told.post(body, key=writes, X_MemoryHub_Memory_Mode="off").status_code == 200
    assert len(told.turns()) == 2
    with told.data():
        assert not Subject.objects.filter(external_id="new one").exists()


@pytest.mark.parametrize(
    "name", ["a b", "*", "%", "x.y/z@例子.org", "__all__", "ann%20", "%E4%BD%A0", "'; --"]
)
def test_a_subjects_name_is_literal_in_the_field_and_in_the_header(
    door: Door, model: ModelServer, name: str
) -> None:
    door.say("Hello to you.", user=name)
    door.post(
        {"model": MODEL, "messages": [{"role": "user", "content": "And again, hello."}], "user": "other"},
        X_MemoryHub_Subject=name.encode(),
    )
    with door.data():
        subjects = list(Subject.objects.filter(user=None).values_list("external_id", flat=True))
    assert subjects == [name]
    assert model.requests[0]["user"] == name


def test_what_is_written_is_audited_at_this_door_by_ids(told: Door) -> None:
    with told.data():
        entries = list(AuditEntry.objects.filter(door="openai").values_list("action", "changes"))
    assert {action for action, _ in entries} >= {"subject.created", "session.open"}
    assert "WOLPERTINGER" not in str(entries)
