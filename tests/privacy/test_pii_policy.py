"""What a policy says about sensitive content holds at every door, and towards models, in both directions."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from asgiref.sync import async_to_sync

from accounts.models import AuditEntry
from memories.adapters.chat_openai import OpenAIChat
from memories.adapters.embedding_openai import OpenAIEmbedder
from memories.adapters.factory import override
from memories.core.errors import PolicyError
from memories.models import Approval, Evidence, Fact, Memory, MemoryVersion
from memories.ports import FixedClock
from memories.services.approve import decide_approval
from memories.services.edit import edit
from memories.services.policies import policy_of, set_policy
from memories.services.recall import recall
from memories.services.remember import remember
from memories.services.restore import restore
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import PermissionDenied
from sessions_app.generation import generate
from sessions_app.models import Turn
from sessions_app.services.compact_session import compact_session
from tests.sessions_app.conftest import Chat, _light_embedder, chat_of, clock, nobody  # noqa: F401
from tests.support.model_server import ModelServer, Reply, json_reply, model_server
from tests.support.people import House

pytestmark = pytest.mark.django_db

PHONE, OTHER_PHONE = "13812345678", "13987654321"
SAYS_PHONE = {"zh": f"我的手机号是{PHONE}", "en": f"My phone number is {PHONE}."}


@pytest.fixture
def chat(acme: House, clock: FixedClock) -> Chat:  # noqa: F811
    return chat_of(acme, clock)


def say_policy(house: House, custom: dict[str, Any] | None = None, **rules: str) -> None:
    overrides = {f"pii.{key.replace('__', '.')}": value for key, value in rules.items()}
    set_policy(actor=house.actor("admin"), overrides=overrides, custom=custom)
    from memories.services.policies import forget_cached

    forget_cached()


def memories(chat: Chat) -> list[Memory]:
    assert chat.actor.subject_id is not None
    with tenant_transaction(chat.actor.tenant_id):
        return list(Memory.objects.of(chat.actor.subject_id).order_by("id"))


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("door", ["turn", "message", "remember"])
@pytest.mark.parametrize("action", ["block", "mask", "encrypt", "ask", "keep"])
def test_each_action_at_each_door(acme: House, chat: Chat, action: str, door: str, language: str) -> None:
    say_policy(acme, action__phone=action)
    text = SAYS_PHONE[language]
    assert chat.actor.subject_id is not None
    if door == "turn":
        chat.say(text)
        with tenant_transaction(acme.id):
            turn = Turn.objects.get()
        assert (turn.sealed == text) == (action in {"encrypt", "ask"})
        chat.work()
        codes = [row["code"] for row in chat.turns()[0].outcomes]
    elif door == "message":
        codes = [str(outcome.code) for outcome in chat.post(text).outcomes]
    else:
        codes = [
            str(outcome.code)
            for outcome in remember(actor=chat.actor, subject_id=chat.actor.subject_id, content=text)
        ]
    for stored in chat.turns():
        assert (PHONE in stored.content) == (
            action == "keep" and PHONE in text and stored.role == "user"
        ) or (stored.role == "assistant")
        assert stored.sealed is None, "what was kept sealed for learning has served"
    found = memories(chat)
    if action == "block":
        assert codes == ["blocked_sensitive"]
        assert found == []
        return
    [memory] = found
    assert (PHONE in memory.content) == (action == "keep")
    if action in {"encrypt", "ask"}:
        assert codes == ["needs_approval"]
        assert (memory.kind, memory.status, memory.pinned) == ("sensitive", "pending", False)
        assert memory.content_encrypted == text.rstrip("。.") or PHONE in str(memory.content_encrypted)
    else:
        assert memory.content_encrypted is None
    with tenant_transaction(acme.id):
        beside = [
            *Fact.objects.values_list("value", flat=True),
            *Evidence.objects.values_list("quote", flat=True),
            *MemoryVersion.objects.values_list("content", flat=True),
        ]
        assert any(PHONE in one for one in beside) == (action == "keep")
        rules = list(Approval.objects.values_list("rule", flat=True))
    assert rules == {"encrypt": ["approval.sensitive"], "ask": ["pii.ask"]}.get(action, [])


def test_a_yes_makes_an_ordinary_memory_and_a_no_destroys_what_waited(acme: House, chat: Chat) -> None:
    say_policy(acme, action__phone="ask")
    chat.post(SAYS_PHONE["en"])
    chat.post(f"Her mobile is {OTHER_PHONE}, remember that.")
    with tenant_transaction(acme.id):
        first, second = Approval.objects.order_by("id")
    assert decide_approval(actor=chat.actor, approval_id=first.pk, approve=True).status == "current"
    decide_approval(actor=chat.actor, approval_id=second.pk, approve=False)
    kept, refused = memories(chat)
    assert PHONE in kept.content
    assert kept.kind != "sensitive"
    assert kept.content_encrypted is None
    assert (refused.status, refused.content_encrypted) == ("forgotten", None)
    with tenant_transaction(acme.id):
        versions = MemoryVersion.objects.filter(memory_id=refused.pk)
        assert {one.content_encrypted for one in versions} == {None}
        assert Fact.objects.filter(memory_id=kept.pk, value__contains=PHONE).exists()
    assert chat.actor.subject_id is not None
    found = recall(actor=chat.actor, subject_id=chat.actor.subject_id, query="What is my phone number?")
    assert any(PHONE in item.text for item in found.items)
    again = restore(actor=chat.actor, memory_id=refused.pk)
    assert (again.status, OTHER_PHONE in again.content) == ("pending", False)


def test_who_saves_it_for_themself_on_purpose_has_said_yes(acme: House, chat: Chat) -> None:
    say_policy(acme, action__phone="ask")
    assert chat.actor.subject_id is not None
    [outcome] = remember(
        actor=chat.actor, subject_id=chat.actor.subject_id, content=SAYS_PHONE["zh"], infer=False
    )
    assert outcome.code == "stored"
    [memory] = memories(chat)
    assert PHONE in memory.content
    changed = edit(actor=chat.actor, memory_id=memory.pk, content=f"我的手机号是{OTHER_PHONE}")
    assert OTHER_PHONE in changed.content


@pytest.mark.django_db(transaction=True)
def test_own_patterns_and_fields_hold_at_every_door(acme: House, chat: Chat) -> None:
    custom = {
        "patterns": [{"name": "badge", "pattern": r"BD-\d{6}", "action": "mask"}],
        "fields": [
            {"name": "salary", "labels": ["salary", "月薪"], "action": "encrypt"},
            {"name": "codename", "labels": ["codename", "代号"], "action": "block"},
        ],
    }
    say_policy(acme, custom)
    assert chat.actor.subject_id is not None
    chat.ask("My badge is BD-104233 and I live in Ulm.")
    chat.say("我的月薪是48231元,请记住")
    chat.say("The codename is Nachtigall.")
    remember(
        actor=chat.actor,
        subject_id=chat.actor.subject_id,
        content="A person of the team",
        infer=False,
        tags=["BD-551200"],
        metadata={"Salary": {"amount": 48231}, "badges": ["BD-104233"]},
    )
    [refused] = remember(
        actor=chat.actor,
        subject_id=chat.actor.subject_id,
        content="Another person",
        infer=False,
        metadata={"code-name": "x", "codename": "Nachtigall"},
    )
    assert refused.code == "blocked_sensitive"
    recall(actor=chat.actor, subject_id=chat.actor.subject_id, query="Whose badge is BD-104233?")
    chat.new_session(title="About BD-104233")
    chat.work()
    shown = "\n".join(
        [
            *(turn.content for turn in chat.turns()),
            *(f"{one.content} {one.tags} {one.metadata}" for one in memories(chat)),
            chat.session.title,
        ]
    )
    for value in ("BD-104233", "BD-551200", "48231", "Nachtigall"):
        assert value not in shown
    assert any("48231" in str(one.content_encrypted) for one in memories(chat))


@pytest.mark.parametrize(
    ("told", "asked"),
    [
        ("My credit card number is 4539 5787 6362 1486.", "Did I give you my credit card number?"),
        ("我的信用卡卡号是4539 5787 6362 1486", "我告诉过你我的信用卡卡号吗?"),
    ],
)
def test_what_is_masked_still_tells_that_it_was_given(acme: House, chat: Chat, told: str, asked: str) -> None:
    chat.post(told)
    chat.work()
    chat.new_session()
    posted = chat.post(asked)
    assert posted.context is not None
    assert "[card ••1486]" in str(posted.context.messages)


# ---- towards models


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with (
        model_server() as running,
        override(
            chat_model=OpenAIChat(base_url=running.base_url, api_key="k", model="test-model", timeout=20)
        ),
    ):
        yield running


TALK = [
    f"My phone number is {PHONE}.",
    f"我的邮箱是 li.wei@mail.example.org,手机是{OTHER_PHONE}。",
    "My badge is BD-104233 and my dog is called Rex.",
    "We meet on 5 May at the harbour with all nine of the crew.",
]
VALUES = [PHONE, OTHER_PHONE, "li.wei@mail.example.org", "BD-104233"]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("may", ["mask", "send"])
def test_a_model_gets_only_what_the_policy_lets_it_see(
    acme: House, chat: Chat, server: ModelServer, may: str
) -> None:
    """Over the real protocol: the answer's context, reading a turn once more, and the digest of a window."""
    badge = {"name": "badge", "pattern": r"BD-\d{6}", "action": "keep", "model": may}
    say_policy(acme, {"patterns": [badge]}, model__phone=may, model__email=may)
    for text in TALK:
        server.script(Reply(pieces=["I see."]), json_reply({"statements": []}))
        chat.ask(text)
        chat.work()
    server.script(Reply(pieces=[f"Your number is {PHONE}."]), json_reply({"statements": []}))
    answer = chat.ask("What is my phone number, my e-mail address and my badge?")
    chat.work()
    server.script(*[json_reply({"digest": "They gave their contacts.", "memories": []}) for _ in range(4)])
    compact_session(actor=chat.actor, session_id=chat.id, closing=True)
    kinds = {request.get("stream", False) for request in server.requests}
    assert kinds == {True, False}
    assert len(server.requests) >= 11
    sent = json.dumps([request["messages"] for request in server.requests], ensure_ascii=False)
    assert {value for value in VALUES if value in sent} == (set(VALUES) if may == "send" else set())
    # What is kept stays in the clear: the person sees it, and what the model says is screened like everything else.
    turns = "\n".join(turn.content for turn in chat.turns() if turn.role == "user")
    assert all(value in turns for value in VALUES)
    assert PHONE in answer.content


@pytest.mark.django_db(transaction=True)
def test_what_a_model_says_is_screened_before_it_is_kept(
    acme: House, chat: Chat, server: ModelServer
) -> None:
    say_policy(acme)
    secret = "sk-proj-" + "a1B2c3D4e5" * 4
    server.script(Reply(pieces=["Use ", secret[:14], secret[14:], " and card 4539 5787 6362 1486."]))
    posted = chat.post("Which key and card should I use?")
    async_to_sync(generate)(posted, actor=chat.actor, publish=nobody)
    stored = chat.turns()[-1].content
    assert secret not in stored
    assert stored == "Use [secret] and card [card ••1486]."


@pytest.mark.django_db(transaction=True)
def test_a_card_never_reaches_a_model_whatever_is_kept(acme: House, chat: Chat, server: ModelServer) -> None:
    say_policy(acme, action__card="keep")
    server.script(Reply(pieces=["Noted."]), json_reply({"statements": []}))
    chat.ask("My card is 4539578763621486, for the hotel.")
    chat.work()
    assert "4539578763621486" in chat.turns()[0].content
    assert "4539578763621486" not in json.dumps(server.requests)


def test_an_endpoint_for_embeddings_is_a_model_like_any_other(acme: House, chat: Chat) -> None:
    say_policy(acme, model__phone="mask")
    with model_server() as running, override(embedder=OpenAIEmbedder(running.base_url, "test-model", "k")):
        chat.post(SAYS_PHONE["zh"])
        chat.post(f"Whose number is {OTHER_PHONE}?")
        chat.work()
        sent = json.dumps([request["input"] for request in running.requests], ensure_ascii=False)
    assert len(sent) > 100
    assert PHONE not in sent
    assert OTHER_PHONE not in sent
    assert any(PHONE in memory.content for memory in memories(chat))


# ---- over REST


def test_the_policy_over_rest(acme: House, globex: House) -> None:
    admin = acme.client("admin")
    before = admin.get("/api/v1/policy/").json()
    assert (before["version"], before["overrides"]) == (0, {})
    assert {row["key"] for row in before["rules"]} >= {"pii.action.phone", "pii.model.phone", "recall.k"}
    body = {
        "overrides": {"pii.action.phone": "ask"},
        "custom": {"patterns": [{"name": "badge", "pattern": r"BD-\d{6}"}]},
        "note": "phones are asked about",
        "version": 0,
    }
    answer = admin.put("/api/v1/policy/", body, content_type="application/json")
    assert answer.status_code == 200, answer.content
    after = admin.get("/api/v1/policy/").json()
    assert (after["version"], after["overrides"]) == (1, {"pii.action.phone": "ask"})
    assert after["custom"]["patterns"][0] == {
        "name": "badge",
        "pattern": r"BD-\d{6}",
        "action": "mask",
        "model": "mask",
        "ignore_case": True,
    }
    assert policy_of(acme.id)[0].choice("pii.action.phone") == "ask"
    stale = admin.put("/api/v1/policy/", body, content_type="application/json")
    assert (stale.status_code, stale.json()["code"]) == (409, "conflict")
    kept = admin.put("/api/v1/policy/", {"overrides": {}}, content_type="application/json").json()
    assert kept["custom"]["patterns"], "own patterns stay where they are not mentioned"
    assert [row["version"] for row in admin.get("/api/v1/policy/versions/").json()["results"]] == [2, 1]
    with tenant_transaction(acme.id):
        entries = AuditEntry.objects.filter(action="policy.set").order_by("seq")
        assert [one.changes[0]["detail"]["own"] for one in entries] == [["own:badge"], []]
    assert globex.client("admin").get("/api/v1/policy/").json()["version"] == 0


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"overrides": {"pii.action.phone": "shred"}}, "pii.action.phone"),
        ({"overrides": {"pii.action.telephone": "mask"}}, "pii.action.telephone"),
        ({"overrides": {"recall.k": 9000}}, "recall.k"),
        (
            {"overrides": {}, "custom": {"patterns": [{"name": "x", "pattern": "(a+)+"}]}},
            "custom.patterns.0.pattern",
        ),
        ({"overrides": {}, "custom": {"fields": [{"name": "x", "labels": ["("]}]}}, "custom.fields.0.labels"),
    ],
)
def test_a_policy_that_does_not_fit_is_refused_and_says_where(
    acme: House, body: dict[str, Any], field: str
) -> None:
    answer = acme.client("admin").put("/api/v1/policy/", body, content_type="application/json")
    assert (answer.status_code, answer.json()["code"]) == (400, "policy_invalid")
    assert [error["field"] for error in answer.json()["errors"]] == [field]
    assert acme.client("admin").get("/api/v1/policy/").json()["version"] == 0


@pytest.mark.parametrize("who", ["operator", "user"])
def test_only_admins_see_and_set_it(acme: House, who: str) -> None:
    client = acme.client(who)
    assert client.get("/api/v1/policy/").status_code == 403
    put = client.put("/api/v1/policy/", {"overrides": {}}, content_type="application/json")
    assert put.status_code == 403
    with pytest.raises(PermissionDenied):
        set_policy(actor=acme.actor(who), overrides={})
    with pytest.raises(PolicyError):
        set_policy(actor=acme.actor("admin"), overrides={"no.such": 1})
