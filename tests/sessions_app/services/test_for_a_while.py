"""What is said for a while only: counted in rounds of its session, or ended with the session, in both languages."""

from __future__ import annotations

from typing import Any

import pytest
from django.urls import reverse

from memories.models import Evidence, Memory, MemoryVersion, Status
from memories.ports import FixedClock
from memories.services.recall import recall
from memories.services.remember import remember
from memories.services.sweep import sweep
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import Invalid
from sessions_app.services.close_session import close_session
from sessions_app.services.end_session import end_session
from sessions_app.services.results import PostedMessage
from tests.sessions_app.conftest import Chat
from tests.support.people import House


def rules_in(posted: PostedMessage) -> str:
    """The rules that stand in the context of a posted message."""
    assert posted.context is not None
    system = posted.context.messages[0]["content"]
    _, found, rest = system.partition("<rules>\n")
    return rest.split("</rules>")[0] if found else ""


def kept(chat: Chat, **fields: Any) -> list[Memory]:
    with tenant_transaction(chat.actor.tenant_id):
        return list(Memory.objects.of(chat.session.subject_id).filter(**fields).order_by("pk"))


@pytest.mark.parametrize(
    ("said", "word", "filler"),
    [
        ("接下来三轮都不要用表格。", "表格", "今天天气怎么样"),
        ("For the next three messages, never use tables.", "tables", "How is the weather today"),
    ],
)
def test_rounds_are_counted_and_the_one_after_the_last_is_free_again(
    chat: Chat, said: str, word: str, filler: str
) -> None:
    chat.post(said)
    for number in range(1, 4):
        assert word in rules_in(chat.post(f"{filler} {number}?")), number
    assert word not in rules_in(chat.post(f"{filler} 4?"))
    (memory,) = kept(chat, kind="constraint")
    assert (memory.scope, memory.expires_after_turns) == ("session", 3)
    assert memory.expires_at == chat.turns()[-2].said_at


@pytest.mark.parametrize(
    ("said", "word"),
    [
        ("这次聊天里叫我老陆。", "老陆"),
        ("For the rest of this conversation, call me Captain.", "Captain"),
        ("本次对话请用法语回答。", "法语"),
        ("In this chat, please answer in rhyme.", "rhyme"),
    ],
)
def test_what_holds_for_this_conversation_ends_with_it(chat: Chat, said: str, word: str) -> None:
    chat.post(said)
    (memory,) = kept(chat, content__contains=word)
    assert (memory.scope, memory.session_id, memory.expires_with_session) == ("session", chat.id, True)
    assert memory.expires_at is None
    ended = end_session(actor=chat.actor, session_id=chat.id)
    (memory,) = kept(chat, content__contains=word)
    assert memory.expires_at == ended.ended_at
    with tenant_transaction(chat.actor.tenant_id):
        changes = list(MemoryVersion.objects.filter(memory=memory).order_by("number").values_list("change"))
    assert changes == [("created",), ("ended",)]


def test_it_reaches_no_other_session(chat: Chat) -> None:
    chat.post("In this chat, never use tables.")
    assert "tables" in rules_in(chat.post("How do I list the figures?"))
    chat.new_session()
    assert "tables" not in rules_in(chat.post("How do I list the figures?"))


def test_the_sweep_takes_what_its_rounds_ended(chat: Chat, acme: House, clock: FixedClock) -> None:
    chat.post("接下来一轮不要用表格。")
    chat.post("第一个问题?")
    chat.post("第二个问题?")
    clock.advance(minutes=1)
    sweep(actor=acme.actor("operator"), now=clock.now())
    assert [memory.status for memory in kept(chat, kind="constraint")] == [Status.EXPIRED]


def test_said_again_the_rounds_count_from_there(chat: Chat) -> None:
    said = "For the next two messages, never use tables."
    chat.post(said)
    chat.post("One?")
    chat.post("Two?")
    chat.post("Three?")
    chat.post(said)
    assert "tables" in rules_in(chat.post("Four?"))
    assert "tables" in rules_in(chat.post("Five?"))
    assert "tables" not in rules_in(chat.post("Six?"))


def test_a_turn_that_is_learnt_late_has_its_rounds_behind_it(chat: Chat) -> None:
    """Learning is a job where turns are recorded: the rounds have passed before the memory is there."""
    chat.say("接下来两轮都不要用表格。")
    for number in range(4):
        chat.say(f"问题{number}?")
    chat.work()
    (memory,) = kept(chat, kind="constraint")
    assert memory.expires_at is not None and memory.expires_at <= chat.clock.now()


def test_what_is_learnt_when_the_session_closes_ends_at_once(chat: Chat) -> None:
    chat.say("This conversation only matters today. For this conversation, call me Captain.")
    end_session(actor=chat.actor, session_id=chat.id)
    close_session(actor=chat.actor, session_id=chat.id, now=chat.clock.now())
    (memory,) = kept(chat, expires_with_session=True)
    assert memory.expires_at is not None


def test_the_api_sets_a_number_of_rounds(chat: Chat) -> None:
    outcomes = remember(
        actor=chat.actor,
        subject_id=chat.session.subject_id,
        content="The gate code is 4471 today.",
        kind="fact",
        session_id=chat.id,
        expires_after_turns=2,
        infer=False,
    )
    assert outcomes[0].kept
    asked: dict[str, Any] = {
        "actor": chat.actor,
        "subject_id": chat.session.subject_id,
        "query": "gate code",
        "session_id": chat.id,
    }
    for _ in range(2):
        chat.say("Go on?")
        found = recall(**asked, now=chat.clock.now(), episodes=False)
        assert [item.id for item in found.items] == [outcomes[0].memory_id]
    chat.say("And on?")
    assert recall(**asked, now=chat.clock.now(), episodes=False).items == []


def test_rest_takes_both_forms_and_says_what_is_missing(chat: Chat, acme: House) -> None:
    client = acme.client()
    url = reverse("api_memories")
    body = {"content": "The gate code is 4471 today.", "kind": "fact", "infer": False}
    wrong = client.post(url, {**body, "expires_after_turns": 2}, content_type="application/json")
    assert wrong.status_code == 400 and "session_id" in wrong.content.decode()
    right = client.post(
        url,
        {**body, "expires_with_session": True, "session_id": str(chat.id)},
        content_type="application/json",
    )
    assert right.status_code == 201
    (memory,) = kept(chat, kind="fact")
    assert (memory.scope, memory.session_id, memory.expires_with_session) == ("session", chat.id, True)


def test_rounds_and_a_time_together_are_refused(chat: Chat) -> None:
    with pytest.raises(Invalid) as caught:
        remember(
            actor=chat.actor,
            subject_id=chat.session.subject_id,
            content="Short.",
            session_id=chat.id,
            expires_after_turns=2,
            expires_at=chat.clock.now().replace(year=2099),
        )
    assert "expires_at" in caught.value.fields


def test_the_evidence_has_the_words_as_they_were_said(chat: Chat) -> None:
    chat.post("Call me Captain for the rest of this chat.")
    with tenant_transaction(chat.actor.tenant_id):
        quotes = list(Evidence.objects.values_list("quote", flat=True))
    assert [quote.rstrip(".") for quote in quotes] == ["Call me Captain for the rest of this chat"]


@pytest.mark.parametrize(
    "story",
    [
        "这次聊天里你说过那家店不错。",
        "In this conversation you said that it was fine.",
        "What did I say in this chat?",
    ],
)
def test_a_story_about_this_chat_lays_nothing_down(chat: Chat, story: str) -> None:
    chat.post(story)
    assert kept(chat, expires_with_session=True) == []


def test_a_day_in_the_text_ends_it_as_well(chat: Chat, clock: FixedClock) -> None:
    chat.post("本周我在青岛出差。")
    (memory,) = [one for one in kept(chat) if "青岛" in one.content and one.kind != "digest"]
    assert memory.expires_at is not None and memory.expires_at > clock.now()
    clock.advance(days=8)
    found = recall(
        actor=chat.actor,
        subject_id=chat.session.subject_id,
        query="我在哪里出差",
        now=clock.now(),
        episodes=False,
    )
    assert found.items == []
