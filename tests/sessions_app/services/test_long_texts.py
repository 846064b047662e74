"""Tool results and long messages: short in the window, whole in the index, found by a question about their middle (R3, R16)."""

from __future__ import annotations

import itertools

import pytest

from memories.core.text.tokens import count
from memories.models import Episode, Memory
from memories.services.policies import forget_cached, set_policy
from memoryhub.common.db import tenant_transaction
from sessions_app.models import ChatSession
from sessions_app.services.end_session import end_idle_sessions
from tests.sessions_app.conftest import Chat
from tests.support.people import House

EN = [f"Shelf {n} of the archive holds {n * 7} maps of the northern coast, drawn by hand." for n in range(80)]
ZH = [f"第{n}号货架存放着北部海岸的手绘地图{n * 7}张,纸张保存完好,每年检查一次。" for n in range(160)]
NEEDLE = {
    "en": (
        "The cellar door opens with the brass key of Quillon Abbey.",
        "Which key opens the cellar door?",
        "Quillon",
    ),
    "zh": ("地窖的门要用昆仑阁的黄铜钥匙才能打开。", "地窖的门要用哪把钥匙打开?", "昆仑阁"),
}


def long_text(language: str) -> str:
    lines = list(EN if language == "en" else ZH)
    lines.insert(len(lines) // 2, NEEDLE[language][0])
    return ("\n" if language == "en" else "").join(lines)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_tool_result_enters_as_a_summary_and_its_middle_is_found_at_once(
    chat: Chat, real_embedder: None, language: str
) -> None:
    text = long_text(language)
    assert len(text) >= 5_000
    turn = chat.say(text, role="tool")
    chat.work()
    assert count(turn.content) <= 80 and turn.full_content == text
    _, question, word = NEEDLE[language]
    assert word not in turn.content
    posted = chat.post(question)
    assert posted.context is not None
    assert turn.pk in posted.context.turn_ids, "it still stands in the window, as its summary"
    assert word in posted.context.messages[0]["content"]
    assert posted.context.used_tokens <= posted.context.budget_tokens
    chat.new_session()
    later = chat.post(question)
    assert later.recall is not None and word in "".join(item.text for item in later.recall.items)


@pytest.mark.parametrize("role", ["tool", "user"])
@pytest.mark.parametrize("language", ["en", "zh"])
def test_pieces_have_200_to_500_tokens_overlap_and_end_with_sentences(
    chat: Chat, role: str, language: str
) -> None:
    text = long_text(language)
    turn = chat.say(text, role=role)
    chat.work()
    with tenant_transaction(chat.actor.tenant_id):
        parts = list(
            Episode.objects.filter(source_id=turn.pk).order_by("part").values_list("text", flat=True)
        )
    assert len(parts) > 2
    assert all(200 <= count(part) <= 500 for part in parts)
    for before, after in itertools.pairwise(parts):
        assert before.rstrip()[-1] in ".。"
        shared = next(
            size for size in range(min(len(before), len(after)), -1, -1) if before.endswith(after[:size])
        )
        assert 0 < count(after[:shared]) <= 100


def test_a_long_message_of_ones_own_is_found_by_its_middle_while_it_is_shortened(
    chat: Chat, real_embedder: None
) -> None:
    turn = chat.post(long_text("en")).user_turn
    _, question, word = NEEDLE["en"]
    posted = chat.post(question)
    assert posted.context is not None and posted.recall is not None
    assert turn.pk in {source for item in posted.recall.items for source in item.source_ids}
    assert word in "".join(message["content"] for message in posted.context.messages)


@pytest.mark.parametrize(
    ("said", "word"), [("我对核桃过敏。", "核桃"), ("I'm allergic to walnuts.", "walnuts")]
)
def test_thirty_idle_minutes_end_a_short_chat_which_teaches_once(chat: Chat, said: str, word: str) -> None:
    """Nothing was learnt when it was said: the job was lost. The end of the session learns it, and only once."""
    from memories.models import Job

    chat.say(said)
    chat.say("好的。", role="assistant")
    with tenant_transaction(chat.actor.tenant_id):
        Job.objects.filter(kind="learn_turn").delete()
    chat.clock.advance(minutes=29)
    assert end_idle_sessions(chat.clock.now()) == 0
    chat.clock.advance(minutes=2)
    assert end_idle_sessions(chat.clock.now()) == 1
    assert (chat.reloaded().state, chat.reloaded().ended_reason) == (ChatSession.State.ENDED, "idle")
    chat.work()
    assert end_idle_sessions(chat.clock.now()) == 0
    chat.work()
    with tenant_transaction(chat.actor.tenant_id):
        found = list(
            Memory.objects.of(chat.session.subject_id).filter(content__contains=word).exclude(kind="digest")
        )
        assert [(memory.status, memory.version, memory.hits) for memory in found] == [("current", 1, 0)]
        assert found[0].evidence.count() == 1  # type: ignore[attr-defined]


def window_of(chat: Chat) -> list[int]:
    return [turn.seq for turn in chat.turns() if turn.archived_at is None]


def test_rounds_compact_before_tokens_do(chat: Chat) -> None:
    """The chat preset has six rounds: the seventh takes it down to three."""
    for number in range(6):
        chat.say(f"Lamp {number}?")
        chat.say("Yes.", role="assistant")
    chat.work()
    assert window_of(chat) == list(range(1, 13))
    chat.say("Lamp 6?")
    chat.say("Yes.", role="assistant")
    assert sum(turn.tokens for turn in chat.turns()) < 600
    chat.work()
    assert window_of(chat) == list(range(9, 15))


def test_tokens_compact_before_rounds_do_and_the_six_newest_turns_stay(chat: Chat, acme: House) -> None:
    for number in range(4):
        chat.say(f"Item {number}: " + "the tide table of the harbour says high water. " * 45)
        chat.say("Noted.", role="assistant")
    assert sum(turn.tokens for turn in chat.turns()) > 1_200
    chat.work()
    assert window_of(chat) == [3, 4, 5, 6, 7, 8]


def test_a_tools_turns_count_for_no_round(chat: Chat) -> None:
    for number in range(6):
        chat.say(f"Lamp {number}?")
        chat.say(f"lamp {number}: on", role="tool")
        chat.say(f"lamp {number}: really on", role="tool")
        chat.say("Yes.", role="assistant")
    chat.work()
    assert window_of(chat) == list(range(1, 25))


def test_a_preset_is_another_size_and_what_a_tenant_set_wins(chat: Chat, acme: House) -> None:
    chat.new_session(preset="task")
    for number in range(9):
        chat.say(f"Lamp {number}?")
        chat.say("Yes.", role="assistant")
    chat.work()
    assert len(window_of(chat)) == 18
    set_policy(actor=acme.actor("admin"), overrides={"window.rounds": 6})
    forget_cached()
    chat.say("Lamp 9?")
    chat.work()
    assert len(window_of(chat)) < 18
