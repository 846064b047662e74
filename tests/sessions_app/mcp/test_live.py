"""The MCP door of a running MemoryHub, through the protocol's own client: every tool, and who may call what."""

from __future__ import annotations

import asyncio
import uuid
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp import MCPError

from accounts.models import AuditEntry
from memoryhub.common.db import tenant_transaction
from tests.sessions_app.mcp.conftest import World, agent, error, said, text
from tests.support.site import KEYS, Site
from tests.support.worker import wait_until_done, worker

READING = {
    "search_memories",
    "get_memories",
    "get_memory",
    "list_entities",
    "get_context",
    "get_event_status",
    "check_contradictions",
}
CHANGING = {"add_memory", "update_memory", "delete_memory", "delete_all_memories", "resolve_contradiction"}


@pytest.mark.parametrize("mode", ["auto", "legacy", "2026-07-28"])
async def test_a_client_of_any_revision_is_shown_every_tool(world: World, mode: str) -> None:
    async with world.agent(world.key(world.acme), mode=mode) as client:
        assert "search_memories" in (client.instructions or "") or mode == "2026-07-28"
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
    assert set(tools) == READING | CHANGING
    for name, tool in tools.items():
        assert tool.description
        assert tool.annotations is not None
        assert tool.annotations.read_only_hint is (name in READING)
        assert tool.annotations.destructive_hint is name.startswith("delete")
        assert tool.annotations.open_world_hint is False
        assert tool.input_schema["additionalProperties"] is False
        for argument in tool.input_schema["properties"].values():
            assert argument["description"], (name, argument)
            assert argument.get("type") or argument.get("enum")


@pytest.mark.parametrize(
    ("statement", "question", "other"),
    [
        ("I prefer jasmine tea to coffee.", "What does she drink?", "My office is in Lyon."),
        ("我对花生过敏，记住别点宫保鸡丁。", "点菜要注意什么？", "我在杭州工作。"),
    ],
)
async def test_what_is_added_is_found_again(
    world: World, subject: str, statement: str, question: str, other: str
) -> None:
    async with world.agent(world.key(world.acme)) as client:
        added = said(await client.call_tool("add_memory", {"subject": subject, "content": statement}))
        assert {one["code"] for one in added["results"]} == {"stored"}
        ids = {one["memory_id"] for one in added["results"]}
        await client.call_tool("add_memory", {"subject": subject, "content": other})

        again = said(await client.call_tool("add_memory", {"subject": subject, "content": statement}))
        assert {one["code"] for one in again["results"]} == {"duplicate"}
        assert {one["memory_id"] for one in again["results"]} == ids

        answer = await client.call_tool("search_memories", {"subject": subject, "query": question})
        found = said(answer)["results"]
        memory = next(one for one in found if one["type"] == "memory")
        assert memory["id"] in ids
        assert memory["id"] in text(answer)

        one = said(await client.call_tool("get_memory", {"memory_id": memory["id"]}))["memory"]
        assert one["content"] == memory["content"]
        listed = said(await client.call_tool("get_memories", {"subject": subject, "limit": 1}))
        assert listed["total"] == len(ids) + 1
        rest = said(await client.call_tool("get_memories", {"subject": subject, "cursor": listed["cursor"]}))
        assert rest["cursor"] is None
        assert {listed["memories"][0]["id"], rest["memories"][0]["id"]} >= {memory["id"]}

        context = said(
            await client.call_tool(
                "get_context", {"subject": subject, "message": question, "budget_tokens": 600}
            )
        )
        assert memory["content"].rstrip(".。") in context["context"]
        assert context["used_tokens"] <= 600

        entities = said(await client.call_tool("list_entities", {}))["entities"]
        assert {"subject": subject, "memories": len(ids) + 1}.items() <= next(
            one for one in entities if one["subject"] == subject
        ).items()


async def test_nothing_relevant_is_said_as_such(world: World, subject: str) -> None:
    async with world.agent(world.key(world.acme)) as client:
        await client.call_tool("add_memory", {"subject": subject, "content": "I live in Lyon."})
        asked = {"subject": subject, "query": "Which graphics card was bought in 2019?"}
        answer = await client.call_tool("search_memories", asked)
    assert said(answer) | {"trace_id": ""} == {
        "results": [],
        "code": "nothing_relevant",
        "degraded": "",
        "trace_id": "",
    }


async def test_a_memory_is_updated_by_its_version(world: World, subject: str) -> None:
    async with world.agent(world.key(world.acme)) as client:
        given = {
            "subject": subject,
            "content": "Die Rechnung geht an Frau Kern",
            "infer": False,
            "tags": ["billing"],
        }
        memory_id = said(await client.call_tool("add_memory", given))["results"][0]["memory_id"]
        change = {
            "memory_id": memory_id,
            "content": "Die Rechnung geht an Herrn Kern",
            "pinned": True,
            "version": 1,
        }
        changed = said(await client.call_tool("update_memory", change))["memory"]
        assert (changed["version"], changed["pinned"], changed["tags"]) == (2, True, ["billing"])
        assert error(await client.call_tool("update_memory", change))["code"] == "conflict"
        nothing = error(await client.call_tool("update_memory", {"memory_id": memory_id, "version": 2}))
        assert nothing["code"] == "invalid"
        found = said(await client.call_tool("get_memory", {"memory_id": memory_id}))["memory"]
        assert found["content"] == "Die Rechnung geht an Herrn Kern"


async def test_deleting_takes_two_steps_and_a_token_is_used_once(world: World, subject: str) -> None:
    async with world.agent(world.key(world.acme)) as client:
        add = {"subject": subject, "content": "My badge number is K-4471.", "infer": False}
        memory_id = said(await client.call_tool("add_memory", add))["results"][0]["memory_id"]
        other_id = said(await client.call_tool("add_memory", {**add, "content": "My desk is on floor 3."}))[
            "results"
        ][0]["memory_id"]
        first = await client.call_tool("delete_memory", {"memory_id": memory_id})
        asked = said(first)
        assert asked["code"] == "needs_confirmation"
        assert asked["memories"][0]["content"] == "My badge number is K-4471."
        assert asked["confirmation"] in text(first)
        assert (
            said(await client.call_tool("get_memory", {"memory_id": memory_id}))["memory"]["status"]
            == "current"
        )

        token = asked["confirmation"]
        foreign = await client.call_tool("delete_memory", {"memory_id": other_id, "confirmation": token})
        assert error(foreign)["code"] == "confirmation_invalid"
        forged = await client.call_tool(
            "delete_memory", {"memory_id": memory_id, "confirmation": token[:-2] + "xx"}
        )
        assert error(forged)["code"] == "confirmation_invalid"
        async with world.agent(world.key(world.acme)) as another:
            stolen = await another.call_tool("delete_memory", {"memory_id": memory_id, "confirmation": token})
            assert error(stolen)["code"] == "confirmation_invalid"

        done = said(await client.call_tool("delete_memory", {"memory_id": memory_id, "confirmation": token}))
        assert (done["code"], done["memory_id"]) == ("forgotten", memory_id)
        replayed = await client.call_tool("delete_memory", {"memory_id": memory_id, "confirmation": token})
        assert error(replayed)["code"] == "confirmation_used"
        gone = said(await client.call_tool("get_memory", {"memory_id": memory_id}))["memory"]
        assert (gone["status"], gone["content"]) == ("forgotten", "")
        again = said(await client.call_tool("delete_memory", {"memory_id": memory_id}))
        assert again["code"] == "already_forgotten"


async def test_a_token_is_outdated_once_what_would_go_has_changed(world: World, subject: str) -> None:
    async with world.agent(world.key(world.acme)) as client:
        await client.call_tool("add_memory", {"subject": subject, "content": "My cat is called Miso."})
        asked = said(await client.call_tool("delete_all_memories", {"subject": subject}))
        assert asked["would_delete"] == 1
        await client.call_tool("add_memory", {"subject": subject, "content": "我住在杭州。"})
        late = {"subject": subject, "confirmation": asked["confirmation"]}
        assert error(await client.call_tool("delete_all_memories", late))["code"] == "confirmation_outdated"
        assert said(await client.call_tool("get_memories", {"subject": subject}))["total"] == 2


async def test_all_of_one_subject_and_of_nobody_else_is_deleted(world: World, subject: str) -> None:
    neighbour = f"{subject}%"
    async with world.agent(world.key(world.acme)) as client:
        for content in ("My cat is called Miso.", "我住在杭州。", "I work as a nurse."):
            await client.call_tool("add_memory", {"subject": subject, "content": content})
        await client.call_tool("add_memory", {"subject": neighbour, "content": "My cat is called Miso."})
        asked = said(await client.call_tool("delete_all_memories", {"subject": subject}))
        assert {one["content"] for one in asked["memories"]} == {
            "My cat is called Miso",
            "我住在杭州",
            "I work as a nurse",
        }
        both = {"subject": subject, "confirmation": asked["confirmation"]}
        answers = await asyncio.gather(*(client.call_tool("delete_all_memories", both) for _ in range(4)))
        done = [one for one in answers if not one.is_error]
        assert len(done) == 1
        assert {error(one)["code"] for one in answers if one.is_error} == {"confirmation_used"}
        assert said(done[0])["memories"] == 3
        assert said(await client.call_tool("get_memories", {"subject": subject}))["total"] == 0
        assert said(await client.call_tool("get_memories", {"subject": neighbour}))["total"] == 1
        event = {"event_ids": [said(done[0])["event_id"]]}
        [status] = said(await client.call_tool("get_event_status", event))["events"]
        assert (status["kind"], status["state"]) == ("forget_request", "done")


async def test_a_contradiction_is_shown_and_settled(world: World, subject: str) -> None:
    async with world.agent(world.key(world.acme)) as client:
        await client.call_tool("add_memory", {"subject": subject, "content": "My sister lives in Leeds."})
        second = said(
            await client.call_tool(
                "add_memory",
                {"subject": subject, "content": "My sister lives in Bristol."},
            )
        )["results"][0]
        assert second["code"] == "contradiction"
        [row] = said(await client.call_tool("check_contradictions", {"subject": subject}))["contradictions"]
        assert row["older"]["content"] == "My sister lives in Leeds"
        assert row["newer"]["evidence"][0]["quote"]
        settle = {"contradiction_id": row["id"], "resolution": "keep_new", "reason": "she said so"}
        settled = said(await client.call_tool("resolve_contradiction", settle))
        assert settled["contradiction"]["older"]["status"] == "superseded"
        assert error(await client.call_tool("resolve_contradiction", settle))["code"] == "conflict"
        left = said(await client.call_tool("check_contradictions", {"subject": subject}))
        assert left["contradictions"] == []


async def test_messages_are_learnt_from_and_a_conversation_goes_on(world: World, subject: str) -> None:
    async with world.agent(world.key(world.acme)) as client:
        messages = [
            {"role": "user", "content": "你好，我搬到苏州了。", "id": "m1"},
            {"role": "assistant", "content": "好的，祝你在新家一切顺利。", "id": "m2"},
        ]
        given = {"subject": subject, "conversation": "工单 #12", "messages": messages}
        first = said(await client.call_tool("add_memory", given))
        assert (first["results"][0]["index"], first["results"][0]["code"]) == (0, "stored")
        again = said(await client.call_tool("add_memory", given))
        assert again["session_id"] == first["session_id"]
        assert again["results"] == first["results"]
        asked = {"subject": subject, "conversation": "工单 #12", "message": "我住在哪里？"}
        context = said(await client.call_tool("get_context", asked))
        assert [one["role"] for one in context["messages"]] == ["user", "assistant"]
        assert "苏州" in context["context"] + str(context["messages"])


async def test_of_messages_all_are_stored_or_none(world: World, subject: str) -> None:
    async with world.agent(world.key(world.acme)) as client:
        given = {
            "subject": subject,
            "conversation": "c",
            "messages": [{"role": "user", "content": "Hi.", "id": "1"}],
        }
        first = said(await client.call_tool("add_memory", given))
        clash = [
            {"role": "user", "content": "我住在杭州。", "id": "2"},
            {"role": "user", "content": "Ho.", "id": "1"},
        ]
        refused = error(await client.call_tool("add_memory", {**given, "messages": clash}))
        assert refused["code"] == "client_msg_id_reused"
        asked = {"subject": subject, "conversation": first["session_id"], "message": "Where do I live?"}
        context = said(await client.call_tool("get_context", asked))
        assert [one["content"] for one in context["messages"]] == ["Hi."]


async def test_what_is_not_waited_for_is_learnt_by_a_worker(
    world: World, subject: str, tmp_path: Path
) -> None:
    async with world.agent(world.key(world.acme)) as client:
        text = {"subject": subject, "content": "Her badge number is K-4471.", "kind": "fact", "tags": ["hr"]}
        said_later = {"subject": subject, "messages": [{"role": "user", "content": "我对花生过敏。"}]}
        events = [
            said(await client.call_tool("add_memory", {**given, "wait": False}))["event_id"]
            for given in (text, said_later)
        ]
        asked = {"event_ids": events}
        pending = said(await client.call_tool("get_event_status", asked))["events"]
        assert [(one["kind"], one["state"]) for one in pending] == [("operation", "pending")] * 2
        environment = world.site._environment()
        names = (*KEYS, "DATABASE_URL", "DATABASE_OWNER_URL", "MEMORYHUB_HOME")
        variables = {name: environment[name] for name in names}
        await asyncio.to_thread(_work, world, tmp_path / "worker.log", variables)
        done = said(await client.call_tool("get_event_status", asked))["events"]
        assert [(one["state"], one["results"][0]["code"]) for one in done] == [("done", "stored")] * 2
        listed = said(await client.call_tool("get_memories", {"subject": subject}))["memories"]
        assert {tuple(one["tags"]) for one in listed} == {("hr",), ()}


def _work(world: World, log: Path, variables: dict[str, str]) -> None:
    with world.database.in_use(), worker(log, **variables) as process:
        wait_until_done(world.acme.id, process)


async def test_an_idempotency_key_writes_once(world: World, subject: str) -> None:
    async with world.agent(world.key(world.acme)) as client:
        for given in (
            {"subject": subject, "content": "Der Code lautet 7731", "infer": False},
            {"subject": subject, "messages": [{"role": "user", "content": "我的门牌号是302。"}]},
        ):
            keyed = {**given, "idempotency_key": uuid.uuid4().hex}
            answers = await asyncio.gather(*(client.call_tool("add_memory", keyed) for _ in range(5)))
            assert len({str(said(one)) for one in answers}) == 1
            reused = await client.call_tool(
                "add_memory",
                {"content": "another", "idempotency_key": keyed["idempotency_key"], "subject": subject},
            )
            assert error(reused)["code"] == "idempotency_key_reused"


async def test_parallel_calls_of_two_tenants_do_not_mix(world: World, subject: str) -> None:
    keys = world.key(world.acme), world.key(world.globex)
    async with world.agent(keys[0]) as acme, world.agent(keys[1]) as globex:
        adds = [
            client.call_tool(
                "add_memory", {"subject": subject, "content": f"{name} box {number}", "infer": False}
            )
            for number in range(8)
            for client, name in ((acme, "red"), (globex, "blue"))
        ]
        assert all(said(one)["results"][0]["code"] == "stored" for one in await asyncio.gather(*adds))
        for client, name in ((acme, "red"), (globex, "blue")):
            listed = said(await client.call_tool("get_memories", {"subject": subject}))
            assert listed["total"] == 8
            assert all(one["content"].startswith(name) for one in listed["memories"])


async def test_a_reading_key_sees_and_calls_only_what_reads(world: World, subject: str) -> None:
    async with world.agent(world.key(world.acme)) as client:
        added = said(await client.call_tool("add_memory", {"subject": subject, "content": "I live in Lyon."}))
        memory_id = added["results"][0]["memory_id"]
    async with world.agent(world.key(world.acme, "read")) as client:
        assert {tool.name for tool in (await client.list_tools()).tools} == READING
        for name, arguments in (
            ("add_memory", {"subject": subject, "content": "I live in Porto."}),
            ("update_memory", {"memory_id": memory_id, "pinned": True}),
            ("delete_memory", {"memory_id": memory_id}),
            ("delete_all_memories", {"subject": subject}),
            ("resolve_contradiction", {"contradiction_id": memory_id, "resolution": "keep_new"}),
        ):
            assert error(await client.call_tool(name, arguments))["code"] == "permission_denied"
        assert said(await client.call_tool("get_memories", {"subject": subject}))["total"] == 1
    async with world.agent(world.key(world.acme, "write")) as client:
        assert {tool.name for tool in (await client.list_tools()).tools} == {"add_memory"}
        given = {"subject": subject, "content": "My cat is called Miso."}
        assert error(await client.call_tool("add_memory", given))["code"] == "not_found"


async def test_a_bound_key_reaches_its_own_subject_alone(world: World, subject: str) -> None:
    async with world.agent(world.key(world.acme)) as client:
        added = said(await client.call_tool("add_memory", {"subject": subject, "content": "I live in Lyon."}))
        memory_id = added["results"][0]["memory_id"]
    async with world.agent(world.key(world.acme, "read", "write", subject="user")) as client:
        own = said(await client.call_tool("add_memory", {"content": "我喜欢爬山。"}))
        assert own["results"][0]["code"] == "stored"
        [entity] = said(await client.call_tool("list_entities", {}))["entities"]
        assert entity["subject"] == str(world.acme.user_of("user").pk)
        for name, arguments in _reaching(subject, memory_id):
            assert error(await client.call_tool(name, arguments))["code"].endswith("not_found"), name
        made = {"subject": f"{subject} new", "content": "I live in Porto."}
        assert error(await client.call_tool("add_memory", made))["code"] == "not_found"


async def test_another_tenants_key_gets_nothing_and_sees_no_difference(world: World, subject: str) -> None:
    async with world.agent(world.key(world.acme)) as client:
        added = said(await client.call_tool("add_memory", {"subject": subject, "content": "I live in Lyon."}))
        memory_id = added["results"][0]["memory_id"]
        event = said(
            await client.call_tool("add_memory", {"subject": subject, "content": "Bye then.", "wait": False})
        )["event_id"]
    async with world.agent(world.key(world.globex, "read", "write", "admin")) as client:
        for (name, theirs), (_, nobodys) in zip(
            _reaching(subject, memory_id, event),
            _reaching("nobody at all", str(uuid.uuid4()), str(uuid.uuid4())),
            strict=True,
        ):
            answers = [await client.call_tool(name, one) for one in (theirs, nobodys)]
            assert error(answers[0]) == error(answers[1])
            assert error(answers[0])["code"].endswith("not_found"), name
        entities = said(await client.call_tool("list_entities", {"limit": 100}))["entities"]
        assert subject not in {one["subject"] for one in entities}


def _reaching(subject: str, memory_id: str, event_id: str = "") -> list[tuple[str, dict[str, Any]]]:
    return [
        ("search_memories", {"subject": subject, "query": "Where does she live?"}),
        ("get_memories", {"subject": subject}),
        ("get_memory", {"memory_id": memory_id}),
        ("update_memory", {"memory_id": memory_id, "pinned": True}),
        ("delete_memory", {"memory_id": memory_id}),
        ("delete_all_memories", {"subject": subject}),
        ("get_context", {"subject": subject, "message": "Where do I live?"}),
        ("get_event_status", {"event_ids": [event_id or memory_id]}),
        ("check_contradictions", {"subject": subject}),
        ("resolve_contradiction", {"contradiction_id": memory_id, "resolution": "keep_new"}),
    ]


async def test_bad_arguments_are_named_without_their_values(world: World, subject: str) -> None:
    secret = "hunter2-is-my-password"
    async with world.agent(world.key(world.acme)) as client:
        for name, arguments, fields in (
            ("search_memories", {"subject": subject, "query": "x", "limit": secret}, {"limit"}),
            ("search_memories", {"subject": subject, "qery": secret}, {"query", "qery"}),
            ("search_memories", {"query": "x"}, {"subject"}),
            ("get_memory", {"memory_id": secret}, {"memory_id"}),
            ("get_memories", {"subject": subject, "kind": secret}, {"kind"}),
            ("add_memory", {"subject": subject}, {"arguments"}),
            (
                "add_memory",
                {"subject": subject, "content": "x", "said_at": "2026-01-01T00:00:00"},
                {"said_at"},
            ),
            ("add_memory", {"subject": subject, "content": "x", "conversation": "c"}, {"arguments"}),
            (
                "add_memory",
                {"subject": subject, "messages": [{"role": secret, "content": "x"}]},
                {"messages.0.role"},
            ),
            ("add_memory", {"subject": "a\x00b", "content": "x"}, {"external_id"}),
            (
                "resolve_contradiction",
                {"contradiction_id": str(uuid.uuid4()), "resolution": secret},
                {"resolution"},
            ),
        ):
            answer = await client.call_tool(name, arguments)
            told = error(answer)
            assert (told["code"], set(told["fields"])) == ("invalid", fields)
            assert secret not in text(answer) + str(told)
        with pytest.raises(MCPError, match="no such tool"):
            await client.call_tool("drop_tables", {})
        assert error(await client.call_tool("get_memories", {"subject": subject}))["code"] == "not_found"


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_without_a_key_in_force_nobody_comes_in(world: World, mode: str) -> None:
    for key in (None, "mh_nokey_nosecret", "", "密钥"[:0] + "sk-something"):
        with pytest.raises(Exception) as refused:  # The client wraps it into a group of its own.
            async with world.agent(key, mode=mode) as client:
                await client.list_tools()
        assert "API key" in _messages(refused.value)
    async with httpx2.AsyncClient() as http:
        call = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
        for headers, challenge in (
            ({}, 'Bearer realm="memoryhub"'),
            ({"Authorization": "Bearer mh_a_b"}, 'Bearer realm="memoryhub", error="invalid_token"'),
            ({"Authorization": "Basic bWg6eA=="}, 'Bearer realm="memoryhub", error="invalid_token"'),
        ):
            answer = await http.post(f"{world.site.url}/mcp", json=call, headers=headers)
            assert (answer.status_code, answer.headers["www-authenticate"]) == (401, challenge)
            assert answer.json()["error"]["data"]["status"] == 401


def _messages(problem: BaseException) -> str:
    inner = getattr(problem, "exceptions", ())
    return " ".join([str(problem), *(_messages(one) for one in inner)])


async def test_the_audit_names_the_door(world: World, subject: str) -> None:
    async with world.agent(world.key(world.acme)) as client:
        added = said(await client.call_tool("add_memory", {"subject": subject, "content": "I live in Lyon."}))
    memory_id = added["results"][0]["memory_id"]
    with world.database.in_use(), tenant_transaction(world.acme.id):
        entries = [
            entry
            for entry in AuditEntry.objects.order_by("-seq")[:20]
            if any(change["target_id"] == memory_id for change in entry.changes)
        ]
        assert entries
        assert {(entry.door, entry.actor_kind) for entry in entries} == {("mcp", "api_key")}


async def test_any_process_goes_on_with_what_another_one_began(
    world: World, subject: str, tmp_path: Path
) -> None:
    other = Site(world.database, tmp_path)
    key = world.key(world.acme)
    await asyncio.to_thread(other.start)
    try:
        async with world.agent(key) as here, agent(other.url, key, mode="legacy") as there:
            added = await here.call_tool("add_memory", {"subject": subject, "content": "I live in Lyon."})
            one = {"memory_id": said(added)["results"][0]["memory_id"]}
            asked = said(await there.call_tool("delete_memory", one))
            await asyncio.to_thread(other.kill)
            done = await here.call_tool("delete_memory", {**one, "confirmation": asked["confirmation"]})
            assert said(done)["code"] == "forgotten"
    finally:
        await asyncio.to_thread(other.stop)
