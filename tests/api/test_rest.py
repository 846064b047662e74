"""The REST API beside memories: contexts, subjects with any external id, keys, lists, operations, tags of versions."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

import pytest
from django.test import Client

from accounts.models import AuditEntry, Subject
from memories.models import Memory
from memoryhub.common.db import tenant_transaction
from tests.support.people import House
from tests.support.threads import all_at_once

pytestmark = pytest.mark.django_db

NOTE = {"subject": "s", "content": "The spare key lies under the blue pot.", "infer": False}
NAMES = [
    "ada@example.org", "two words", " leading", "trailing ", "*", "%", "_", "a.b", "..", "'; --", "苏州", "👩‍🚀",
    "A", "a", "%41", "a/b", "?subject=x", "\\", "\n", "null", "x" * 512,
]  # fmt: skip


def send(client: Client, method: str, path: str, body: Any = None, **headers: str) -> Any:
    extra = {"content_type": "application/json"} if method != "get" else {}
    data = body if body is not None else {}
    return getattr(client, method)(
        f"/api/v1/{path}",
        data,
        headers={name.replace("_", "-"): value for name, value in headers.items()},
        **extra,
    )


def remember(api: Client, **fields: Any) -> str:
    found: str = send(api, "post", "memories/", {**NOTE, **fields}).json()["results"][0]["memory_id"]
    return found


def test_each_external_id_is_literal(acme: House) -> None:
    api = acme.api()
    for number, name in enumerate(NAMES):
        remember(api, subject=name, content=f"Number {number} likes rye bread.")
    for number, name in enumerate(NAMES):
        found = api.get("/api/v1/memories/", {"subject": name}).json()["results"]
        assert [one["content"] for one in found] == [f"Number {number} likes rye bread."], name
    with tenant_transaction(acme.id):
        stored = set(Subject.objects.filter(user__isnull=True).values_list("external_id", flat=True))
    assert stored == set(NAMES)


def test_subjects_are_listed_by_the_beginning_of_their_ids_page_by_page(acme: House) -> None:
    api = acme.api()
    for name in (*NAMES, *[f"u{number:03}" for number in range(7)]):
        assert send(api, "post", "subjects/", {"external_id": name}).status_code == 201, name
    for prefix, expected in (("%", ["%", "%41"]), ("_", ["_"]), ("*", ["*"]), ("苏", ["苏州"]), ("A", ["A"])):
        found = api.get("/api/v1/subjects/", {"prefix": prefix}).json()["results"]
        assert [one["external_id"] for one in found] == expected
    seen: list[str] = []
    url = "/api/v1/subjects/?prefix=u&limit=3"
    while url:
        page = api.get(url).json()
        seen += [one["external_id"] for one in page["results"]]
        url = page["next"]
    assert seen == [f"u{number:03}" for number in range(7)]


def test_kinds_are_apart_and_a_subject_is_made_once(acme: House) -> None:
    api = acme.api()
    made = [
        send(api, "post", "subjects/", {"external_id": "x", "kind": kind})
        for kind in ("user", "agent", "run")
    ]
    assert [one.status_code for one in made] == [201] * 3
    again = send(api, "post", "subjects/", {"external_id": "x", "time_zone": "Asia/Shanghai"})
    assert (again.status_code, again.json()["id"]) == (200, made[0].json()["id"])
    assert again.json()["time_zone"] == "Asia/Shanghai"
    remember(api, subject="x", subject_kind="run")
    assert len(api.get("/api/v1/memories/?subject=x&subject_kind=run").json()["results"]) == 1
    assert api.get("/api/v1/memories/?subject=x").json()["results"] == []
    for body in ({"external_id": "y", "time_zone": "Mars/Base"}, {"external_id": "y", "kind": "tenant"}):
        assert send(api, "post", "subjects/", body).status_code == 400


def test_paused_memory_keeps_nothing_new_and_recalls_what_it_knows(acme: House) -> None:
    api = acme.api()
    remember(api)
    [subject] = api.get("/api/v1/subjects/?prefix=s").json()["results"]
    assert send(api, "patch", f"subjects/{subject['id']}/", {"memory_paused": True}).json()["memory_paused"]
    answer = send(api, "post", "memories/", {"subject": "s", "content": "I moved to Hangzhou."})
    assert [one["rule"] for one in answer.json()["results"]] == ["subject.paused"]
    found = send(api, "post", "recall/", {"subject": "s", "query": "Where is the spare key?"}).json()
    assert "blue pot" in found["items"][0]["text"]


def test_a_context_is_ready_for_a_model_and_within_its_budget(acme: House) -> None:
    api = acme.api()
    remember(api)
    asked = {
        "subject": "s", "message": "Where does the spare key lie?", "system": "Be brief.", "budget_tokens": 600,
    }  # fmt: skip
    told = send(api, "post", "context/", asked).json()
    assert told["used_tokens"] <= told["budget_tokens"] == 600
    assert told["messages"][0]["role"] == "system" and told["messages"][0]["content"].startswith("Be brief.")
    assert "blue pot" in told["messages"][0]["content"]
    assert told["messages"][-1] == {"role": "user", "content": "Where does the spare key lie?"}
    assert told["used"] and told["trace_id"]
    assert send(api, "get", f"traces/{told['trace_id']}/").status_code == 200
    for wrong in ({"budget_tokens": 10}, {"system": "word " * 3000}, {"message": " "}, {"message": "\x00"}):
        assert send(api, "post", "context/", {**asked, **wrong}).status_code == 400, wrong
    assert send(api, "post", "context/", {**asked, "subject": "nobody"}).status_code == 404


def test_a_context_of_a_session_holds_its_turns(acme: House) -> None:
    api = acme.api()
    session = send(api, "post", "sessions/", {"subject": "s"}).json()["id"]
    said = {"content": "My kite is called Wolke.", "reply": False}
    assert send(api, "post", f"sessions/{session}/messages/", said).status_code == 201
    told = send(api, "post", "context/", {"session_id": session, "message": "What is it called?"}).json()
    assert any("Wolke" in one["content"] for one in told["messages"])
    both = {"session_id": session, "subject": "s", "message": "?"}
    assert send(api, "post", "context/", both).status_code == 400


def test_recall_explains_itself_when_asked(acme: House) -> None:
    api = acme.api()
    remember(api)
    asked = {"subject": "s", "query": "Where does the spare key lie?"}
    assert send(api, "post", "recall/", asked).json()["explanation"] is None
    told = send(api, "post", "recall/", {**asked, "explain": True}).json()
    assert told["items"][0]["parts"]["similarity"] > 0
    assert told["explanation"]["weights"]["similarity"] == 0.55
    assert told["explanation"]["evidence"] >= told["explanation"]["threshold"]


def test_a_version_that_is_not_the_newest_is_412(acme: House) -> None:
    api = acme.api()
    path = f"memories/{remember(api)}/"
    tag = send(api, "get", path)["ETag"]
    changed = send(api, "patch", path, {"content": "It lies in the shed."}, If_Match=tag)
    assert changed.status_code == 200 and changed["ETag"] != tag
    for method in ("patch", "delete"):
        late = send(api, method, path, {"pinned": True} if method == "patch" else None, If_Match=tag)
        assert (late.status_code, late.json()["code"]) == (412, "precondition_failed")
        assert late.json()["hint"]
    for tags in ('"other"', 'W/"v2"'):
        assert send(api, "patch", path, {"pinned": True}, If_Match=tags).status_code == 412
    assert send(api, "patch", path, {"pinned": True}, If_Match=f'"x", {changed["ETag"]}').status_code == 200
    assert send(api, "delete", path, If_Match="*").status_code == 204
    assert (
        send(acme.api("write", subject="other"), "patch", path, {"pinned": True}, If_Match=tag).status_code
        == 404
    )


def test_policy_and_rules_take_tags_too(acme: House) -> None:
    api = acme.api("read", "write", "admin")
    tag = send(api, "get", "policy/")["ETag"]
    assert send(api, "put", "policy/", {"overrides": {"recall.k": 7}}, If_Match=tag).status_code == 200
    assert send(api, "put", "policy/", {"overrides": {}}, If_Match=tag).status_code == 412
    preview = send(api, "post", "policy/preview/", {"overrides": {"recall.k": 8}}).json()
    assert [(one["key"], one["old"], one["new"]) for one in preview["rules"]] == [("recall.k", 7, 8)]
    assert send(api, "post", "policy/revert/", {"to": 0, "version": 0}).status_code == 409
    assert send(api, "post", "policy/revert/", {"to": 0, "version": 1}).json()["version"] == 2
    assert send(api, "get", "policy/versions/1/").json()["overrides"] == {"recall.k": 7}
    rule = send(api, "post", "constraints/", {"subject": "s", "content": "No tables in reports."}).json()
    path = f"constraints/{rule['results'][0]['memory_id']}/"
    assert send(api, "delete", path, If_Match='"v9"').status_code == 412
    assert send(api, "delete", path, If_Match='"v1"').status_code == 204


def test_keys_are_made_rotated_and_revoked_by_admins(acme: House, globex: House) -> None:
    admin = acme.api("read", "write", "admin")
    body = {"name": "assistant", "scopes": ["read", "write"], "subject": "ada@example.org"}
    made = send(admin, "post", "keys/", body, Idempotency_Key="k")
    assert made.status_code == 201 and made.json()["secret"].startswith("mh_")
    assert send(admin, "post", "keys/", body, Idempotency_Key="k").content == made.content
    listed = send(admin, "get", "keys/").json()["results"]
    assert made.json()["secret"].split("_")[-1] not in str(listed)
    bound = Client(headers={"authorization": f"Bearer {made.json()['secret']}"})
    me = send(bound, "get", "me/").json()
    assert me["subject_id"] == made.json()["subject_id"] and "memory_read" not in me["capabilities"]
    assert send(bound, "post", "memories/", {"content": "I like rye bread."}).status_code == 201
    assert (
        send(bound, "post", "memories/", {"subject": "s", "content": "I like rye bread."}).status_code == 404
    )
    assert send(bound, "get", "keys/").status_code == 403
    path = f"keys/{made.json()['id']}/"
    rotated = send(admin, "post", f"{path}rotate/", {"overlap_seconds": 3600})
    assert rotated.status_code == 201
    fresh = Client(headers={"authorization": f"Bearer {rotated.json()['secret']}"})
    assert [send(one, "get", "me/").status_code for one in (bound, fresh)] == [200, 200]
    assert send(admin, "delete", path).json()["revoked_at"]
    assert [send(one, "get", "me/").status_code for one in (bound, fresh)] == [401, 200]
    assert send(admin, "get", f"keys/{rotated.json()['id']}/").json()["last_used_at"]
    assert send(globex.api("read", "write", "admin"), "get", path).status_code == 404
    for wrong in (
        {"scopes": ["root"]}, {"scopes": []}, {"expires_at": "2020-01-01T00:00:00Z"}, {"subject": "x", "scopes": ["admin"]},
    ):  # fmt: skip
        assert send(admin, "post", "keys/", {**body, **wrong}).status_code == 400, wrong


def test_a_key_gives_away_no_more_than_it_has(acme: House) -> None:
    only_admin = acme.api("admin")
    assert send(only_admin, "post", "keys/", {"name": "x", "scopes": ["read"]}).status_code == 403


def test_what_was_deleted_is_listed_restored_and_purged(acme: House) -> None:
    api = acme.api("read", "write", "admin")
    ids = [remember(api, content=f"Box {number} holds nails.") for number in range(2)]
    unknown = "00000000-0000-7000-8000-000000000007"
    told = send(api, "post", "memories/bulk-delete/", {"memories": [*ids, unknown]})
    if told.status_code == 404:
        for one in ids:
            assert send(api, "delete", f"memories/{one}/").status_code == 204
    stones = send(api, "get", "tombstones/?subject=s").json()["results"]
    assert {one["memory"]["id"] for one in stones} == set(ids)
    assert send(api, "post", f"tombstones/{stones[0]['id']}/restore/").json()["status"] == "current"
    purged = send(api, "post", f"tombstones/{stones[1]['id']}/purge/").json()["results"]
    assert [one["code"] for one in purged] == ["forgotten"]
    with tenant_transaction(acme.id):
        assert [str(pk) for pk in Memory.objects.values_list("pk", flat=True)] == [stones[0]["memory"]["id"]]


def test_redactions_are_previewed_run_and_proven(acme: House) -> None:
    api = acme.api("read", "write", "admin")
    remember(api, content="The contract is KX-7731.")
    asked = {"subject": "s", "words": ["KX-7731"]}
    assert send(api, "post", "redactions/preview/", asked).json()["counts"]["memories"] == 1
    run = {**asked, "reason": "asked for by letter"}
    assert send(api, "post", "redactions/", run).status_code == 400
    done = send(api, "post", "redactions/", {**run, "confirmation": "redact"})
    assert done.status_code == 201 and set(done.json()["proof"]["after"].values()) == {0}
    assert "KX-7731" not in str(send(api, "get", "memories/?subject=s&status=current").json())
    assert send(api, "get", f"redactions/{done.json()['id']}/").json()["state"] == "done"


def test_sweeps_are_planned_started_and_polled(acme: House) -> None:
    api = acme.api("read", "write", "admin")
    assert send(api, "get", "sweeps/plan/").json() == {"results": []}
    started = send(api, "post", "sweeps/")
    assert started.status_code == 202
    polled = send(api, "get", f"operations/{started.json()['id']}/").json()
    assert polled["state"] in {"pending", "running", "done"} and polled["total"] is None
    assert send(api, "post", "sweeps/pause/").status_code == 200
    assert send(api, "post", "sweeps/").status_code == 409
    assert send(api, "delete", "sweeps/pause/").json() == {"resumed": True}


def test_facts_are_listed_and_subjects_found_by_them(acme: House) -> None:
    api = acme.api()
    for name, city in (("a", "Suzhou"), ("b", "Hangzhou")):
        send(api, "post", "memories/", {"subject": name, "content": f"I live in {city}."})
    [fact] = send(api, "get", "facts/?subject=a").json()["results"]
    query = f"facts/?everybody=true&attribute={quote(fact['attribute'])}&value={quote(fact['value'])}"
    found = send(api, "get", query).json()["results"]
    assert [one["id"] for one in found] == [fact["id"]]
    with tenant_transaction(acme.id):
        assert AuditEntry.objects.filter(action="facts.search").exists()
    assert send(api, "get", "facts/?everybody=true").status_code == 400


def test_the_audit_is_read_and_exported(acme: House) -> None:
    api = acme.api("read", "write", "admin")
    remember(api)
    page = send(api, "get", "audit/?action=memory.").json()["results"]
    assert page and all(one["action"].startswith("memory.") for one in page)
    lines = send(api, "get", "audit/export/?after=0")
    assert lines["content-type"].startswith("application/x-ndjson")
    assert len(lines.content.splitlines()) >= 2 and b"blue pot" not in lines.content


@pytest.mark.django_db(transaction=True)
def test_settings_of_a_subject_and_its_memories_are_written_beside_each_other(acme: House) -> None:
    keys = [acme.key() for _ in range(2)]
    first, second = (Client(headers={"authorization": f"Bearer {key}"}) for key in keys)
    calls: list[Any] = []
    for number in range(6):
        zone = {"external_id": "s", "time_zone": ["UTC", "Asia/Shanghai"][number % 2]}
        note = {**NOTE, "content": f"Box {number} holds nails."}
        calls.append(lambda body=zone: send(first, "post", "subjects/", body).status_code)
        calls.append(lambda body=note: send(second, "post", "memories/", body).status_code)
    assert set(all_at_once(calls)) <= {200, 201}
