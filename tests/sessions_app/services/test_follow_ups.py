"""A follow-up in another session finds what the earlier one was about, through slots (R11), and the gates (R4)."""

from __future__ import annotations

from datetime import timedelta

import pytest

from memories.models import RecallTrace, Slot
from memories.ports import FixedClock
from memories.services.expire_slots import expire_slots
from memoryhub.common.db import tenant_transaction
from sessions_app.services.slots import slot_rows, with_words
from tests.sessions_app.conftest import Chat, chat_of
from tests.support.people import House


def asked(chat: Chat, text: str) -> RecallTrace:
    """The trace of a posted question."""
    posted = chat.post(text)
    assert posted.context is not None
    with tenant_transaction(chat.actor.tenant_id):
        trace: RecallTrace = RecallTrace.objects.get(pk=posted.context.trace_id)
        return trace


@pytest.mark.parametrize(
    ("said", "question", "topic"),
    [
        ("明天去青岛出差", "那我要不要带伞", "青岛"),
        ("下周要去乌鲁木齐开会。", "那边现在冷不冷?", "乌鲁木齐"),
        ("I'm travelling to Porto tomorrow for work.", "Do I need an umbrella there?", "Porto"),
        ("We fly to Tromso on Friday.", "So what should I pack?", "Tromso"),
    ],
)
def test_a_follow_up_in_another_session_asks_about_the_earlier_topic(
    chat: Chat, real_embedder: None, said: str, question: str, topic: str
) -> None:
    chat.post(said)
    chat.new_session()
    posted = chat.post(question)
    assert posted.context is not None and posted.recall is not None
    with tenant_transaction(chat.actor.tenant_id):
        trace = RecallTrace.objects.get(pk=posted.context.trace_id)
    assert topic in trace.standalone_query and question[:6] in trace.standalone_query
    system = posted.context.messages[0]["content"]
    assert topic in system, "the slots' summary is always in"
    assert any(topic in item.text for item in posted.recall.items), "and the earlier turn is found by it"


def test_the_newest_topic_is_meant_not_the_most_important_one(chat: Chat) -> None:
    chat.post("帮我准备一下去广州的合同谈判,编号 KX-7731,预算 48000 元。")
    chat.new_session()
    chat.post("明天去青岛出差")
    chat.new_session()
    assert asked(chat, "那边要不要带伞?").standalone_query.startswith("青岛")


def test_a_topic_that_ran_out_is_not_followed_up(chat: Chat, clock: FixedClock) -> None:
    chat.post("明天去青岛出差")
    clock.advance(hours=40)
    chat.new_session()
    assert "青岛" not in asked(chat, "那我要不要带伞").standalone_query
    expire_slots(actor=chat.actor, now=clock.now())
    with tenant_transaction(chat.actor.tenant_id):
        assert not Slot.objects.filter(expires_at__lte=clock.now()).exists()


def test_nobody_elses_topic_is_followed_up(chat: Chat, acme: House, clock: FixedClock) -> None:
    chat.post("明天去青岛出差")
    other = chat_of(acme, clock, "other")
    trace = asked(other, "那我要不要带伞")
    assert trace.standalone_query == ""


def test_a_session_that_keeps_nothing_leaves_no_topic(chat: Chat) -> None:
    chat.new_session(mode="read_only")
    chat.post("明天去青岛出差")
    with tenant_transaction(chat.actor.tenant_id):
        assert with_words(slot_rows(chat.session.subject_id, chat.clock.now())) == []


def test_the_twenty_first_topic_takes_the_place_of_the_least_important_then_the_oldest(chat: Chat) -> None:
    names = ["Lisbon", "Porto", "Faro", "Braga", "Evora", "Aveiro", "Coimbra", "Lagos", "Sintra", "Tavira"]
    names += [
        "Madrid",
        "Toledo",
        "Burgos",
        "Malaga",
        "Oviedo",
        "Girona",
        "Merida",
        "Zamora",
        "Huelva",
        "Murcia",
    ]
    for name in names:
        chat.post(f"Tell me about {name}.")
    with tenant_transaction(chat.actor.tenant_id):
        Slot.objects.filter(value="Lisbon").update(importance=0.9)
        before = {slot.value for slot in with_words(slot_rows(chat.session.subject_id, chat.clock.now()))}
    assert before == set(names)
    chat.post("Tell me about Valencia.")
    with tenant_transaction(chat.actor.tenant_id):
        after = {slot.value for slot in with_words(slot_rows(chat.session.subject_id, chat.clock.now()))}
    # Lisbon is the oldest, and important; Porto is the oldest of the others.
    assert after == set(names) - {"Porto"} | {"Valencia"}


@pytest.mark.parametrize(
    ("text", "kind", "words", "minutes"),
    [
        ("我正在改简历,晚上要交。", Slot.Kind.TASK_STATE, "改简历", 30),
        ("I'm preparing for the bar exam.", Slot.Kind.TASK_STATE, "preparing for the bar exam", 30),
        ("我得先把护照续签了。", Slot.Kind.TASK_STATE, "护照续签", 30),
        ("Let me debug the login page.", Slot.Kind.TASK_STATE, "debug the login page", 30),
        ("我们发现接口超时是因为连接池太小。", Slot.Kind.CONCLUSION, "连接池太小", 60),
        ("结论:先修接口再改前端。", Slot.Kind.CONCLUSION, "先修接口再改前端", 60),
        ("We figured out that the cache was stale.", Slot.Kind.CONCLUSION, "the cache was stale", 60),
        ("So the night train is cheaper.", Slot.Kind.CONCLUSION, "the night train is cheaper", 60),
    ],
)
def test_what_is_being_done_and_what_was_found_out_are_told_apart_and_end_by_themselves(
    chat: Chat, text: str, kind: str, words: str, minutes: int
) -> None:
    chat.post(text)
    with tenant_transaction(chat.actor.tenant_id):
        found = [
            slot
            for slot in with_words(slot_rows(chat.session.subject_id, chat.clock.now()))
            if slot.kind == kind
        ]
    assert any(words in slot.value for slot in found)
    for slot in found:
        assert slot.expires_at - chat.clock.now() == timedelta(minutes=minutes * (0.5 + slot.importance))


@pytest.mark.parametrize(
    "text", ["So, how are you?", "所以呢?", "你能做什么?", "Can you see it?", "I'm so tired."]
)
def test_a_question_or_a_mood_is_neither_a_task_nor_a_conclusion(chat: Chat, text: str) -> None:
    chat.post(text)
    with tenant_transaction(chat.actor.tenant_id):
        kinds = {slot.kind for slot in with_words(slot_rows(chat.session.subject_id, chat.clock.now()))}
    assert kinds <= {Slot.Kind.ENTITY}


@pytest.mark.parametrize("thanks", ["谢谢", "好的,谢谢啦!", "thanks", "Thank you so much!"])
def test_thanks_skip_recall_and_take_the_last_rounds(chat: Chat, thanks: str) -> None:
    for number in range(4):
        chat.say(f"The harbour lamp number {number} is green.")
        chat.say(f"Noted, {number}.", role="assistant")
    posted = chat.post(thanks)
    assert posted.context is not None
    assert (posted.context.gate, posted.recall) == ("none", None)
    assert len(posted.context.turn_ids) == 4


@pytest.mark.parametrize(
    ("question", "gate", "turns"),
    [
        ("And the second one?", "continue", 8),
        ("那第二个呢?", "continue", 8),
        ("What did I say about it earlier?", "continue", 8),
        ("我之前说过什么来着?", "continue", 8),
        ("Which wine goes with grilled sardines at sunset?", "new_topic", 4),
        ("换个话题,怎么种番茄比较好?", "new_topic", 4),
    ],
)
def test_how_much_of_the_window_a_turn_takes(chat: Chat, question: str, gate: str, turns: int) -> None:
    for number in range(4):
        chat.say(f"The harbour lamp number {number} is green.")
        chat.say(f"Noted, {number}.", role="assistant")
    posted = chat.post(question)
    assert posted.context is not None and posted.recall is not None
    assert (posted.context.gate, len(posted.context.turn_ids)) == (gate, turns)
