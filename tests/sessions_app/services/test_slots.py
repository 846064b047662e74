"""Slots: short-term memory across sessions, each with its own end, and never more than fit."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.db import connections

from memories.core.policy import Policy
from memories.core.text.tokens import count
from memories.models import Job, Memory, Slot
from memories.ports import FixedClock
from memories.services.policies import forget_cached, set_policy
from memoryhub.common.db import tenant_transaction
from sessions_app.services.get_turns import get_turn
from sessions_app.services.slots import note_slots, rendered, slot_rows, with_words
from tests.sessions_app.conftest import Chat, chat_of
from tests.support.people import House, make_house


def slots(chat: Chat) -> list[Slot]:
    with tenant_transaction(chat.actor.tenant_id):
        return with_words(slot_rows(chat.session.subject_id, chat.clock.now()))


def note(chat: Chat, text: str) -> None:
    turn = chat.say(text)
    note_slots(actor=chat.actor, turn=get_turn(actor=chat.actor, turn_id=turn.pk), now=chat.clock.now())


def test_a_turn_leaves_slots_that_another_session_sees(chat: Chat) -> None:
    note(chat, "帮我查一下《红楼梦》的作者")
    chat.new_session()
    assert any("红楼梦" in slot.value for slot in slots(chat))


def test_each_slot_ends_by_its_own_kind_and_importance(chat: Chat, clock: FixedClock) -> None:
    note(chat, "Help me plan the trip to Lisbon. So the night train is the best choice.")
    by_kind = {slot.kind: slot for slot in slots(chat)}
    assert {"entity", "task_state", "conclusion"} <= set(by_kind)
    base = {"entity": 1440, "task_state": 30, "conclusion": 60}
    for kind, slot in by_kind.items():
        assert slot.expires_at - clock.now() == timedelta(minutes=base[kind] * (0.5 + slot.importance))
    clock.advance(minutes=50)
    assert "task_state" not in {slot.kind for slot in slots(chat)}
    assert "entity" in {slot.kind for slot in slots(chat)}


def test_the_same_thing_again_is_one_slot_and_sessions_are_counted(chat: Chat) -> None:
    for _ in range(2):
        note(chat, "Tell me about Lisbon.")
    assert [(slot.value, slot.mentions) for slot in slots(chat)] == [("Lisbon", 1)]
    chat.new_session()
    note(chat, "More about Lisbon, tell me.")
    assert [slot.mentions for slot in slots(chat) if slot.value == "Lisbon"] == [2]


def test_a_topic_that_keeps_returning_is_promoted_once(chat: Chat) -> None:
    for _ in range(5):
        note(chat, "Tell me about Lisbon.")
        note(chat, "Tell me about Lisbon.")
        chat.new_session()
    # A worker that died in between has the row to go by: nothing but the job promotes.
    with tenant_transaction(chat.actor.tenant_id):
        assert not Memory.objects.filter(content__contains="Lisbon").exists()
        assert Job.objects.filter(kind="promote_topic").count() == 1
    chat.work()
    with tenant_transaction(chat.actor.tenant_id):
        promoted = list(Memory.objects.filter(content__contains="Lisbon"))
    assert [(memory.version, memory.source) for memory in promoted] == [(1, "assistant")]


def test_a_topic_that_long_term_memory_knows_is_not_promoted(chat: Chat) -> None:
    chat.say("My sister Wen lives in Lisbon.")
    chat.work()
    with tenant_transaction(chat.actor.tenant_id):
        before = Memory.objects.filter(content__contains="Lisbon").count()
    for _ in range(4):
        chat.new_session()
        note(chat, "Tell me about Lisbon.")
    with tenant_transaction(chat.actor.tenant_id):
        assert Job.objects.filter(kind="promote_topic").count() == 1
    chat.work()
    with tenant_transaction(chat.actor.tenant_id):
        assert Memory.objects.filter(content__contains="Lisbon").count() == before == 1


def test_who_is_talked_to_is_no_topic_to_remember(chat: Chat) -> None:
    for _ in range(4):
        chat.new_session()
        chat.say("Lovely weather.", speaker="Ottilie")
        note(chat, "So glad to see you, Ottilie, truly.")
    chat.work()
    with tenant_transaction(chat.actor.tenant_id):
        assert not Memory.objects.filter(content__contains="Ottilie").exists()


def test_what_only_the_assistant_names_is_no_topic_to_remember(chat: Chat) -> None:
    for _ in range(4):
        chat.new_session()
        turn = chat.say("Shall I tell you about Lisbon?", role="assistant")
        note_slots(actor=chat.actor, turn=get_turn(actor=chat.actor, turn_id=turn.pk), now=chat.clock.now())
    chat.work()
    with tenant_transaction(chat.actor.tenant_id):
        assert not Memory.objects.filter(content__contains="Lisbon").exists()


def test_a_decision_leaves_a_conclusion(chat: Chat) -> None:
    for text in ("We decided to move the launch to the ninth of June.", "我们决定把发布会改到六月九号。"):
        note(chat, text)
        chat.new_session()
    kept = [slot.value for slot in slots(chat) if slot.kind == Slot.Kind.CONCLUSION]
    assert any("ninth of June" in value for value in kept)
    assert any("六月九号" in value for value in kept)


def test_the_least_important_go_when_there_are_too_many(chat: Chat, acme: House) -> None:
    set_policy(actor=acme.actor("admin", "admin"), overrides={"slots.capacity": 3})
    forget_cached()
    for name in ("Lisbon", "Porto", "Faro", "Braga", "Evora"):
        note(chat, f"Tell me about {name}.")
    assert len(slots(chat)) == 3
    assert "Evora" in {slot.value for slot in slots(chat)}


def test_the_summary_stays_within_its_tokens(chat: Chat) -> None:
    for name in range(15):
        note(chat, f"Tell me about the old harbour town Northwick{name}.")
    text = rendered(slots(chat), "en", Policy.default(), chat.clock.now())
    assert text and count(text) <= 100


def test_small_talk_leaves_no_slot(chat: Chat) -> None:
    note(chat, "谢谢!")
    assert slots(chat) == []


@pytest.mark.django_db(transaction=True)
def test_concurrent_turns_lose_no_slot(transactional_db: None, clock: FixedClock) -> None:
    chat = chat_of(make_house("acme"), clock)
    names = [f"Townley{number}" for number in range(12)]
    turns = [chat.say(f"Tell me about {name}.") for name in names]

    def write(turn_id: object) -> None:
        try:
            turn = get_turn(actor=chat.actor, turn_id=turn_id)  # type: ignore[arg-type]
            note_slots(actor=chat.actor, turn=turn, now=clock.now())
        finally:
            connections.close_all()

    with ThreadPoolExecutor(6) as pool:
        list(pool.map(write, [turn.pk for turn in turns]))
    assert {slot.value for slot in slots(chat)} == set(names)
