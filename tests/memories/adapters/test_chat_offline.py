"""Without a model the responder quotes and cites what is stored, confirms what was noted, and says what it is."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from memories.adapters.chat_offline import OfflineResponder, compose
from memories.core.text.quotes import cited
from memories.ports import ChatMessage, ChatRequest, ModelMisconfigured, NotedOutcome, RecalledForAnswer

DAY = datetime(2026, 1, 5, tzinfo=UTC)
ZH = [
    RecalledForAnswer(1, "m1", "项目的合同编号是 QF-2093", DAY, "user"),
    RecalledForAnswer(2, "m2", "周会在周四下午三点", DAY, "user"),
]
EN = [RecalledForAnswer(4, "m4", "The contract number is QF-2093", DAY, "user")]


def ask(text: str, memories: list[RecalledForAnswer] | None = None, *outcomes: NotedOutcome) -> str:
    return compose(ChatRequest([ChatMessage("user", text)], memories or [], outcomes))


def test_a_question_is_answered_with_the_stored_words_and_their_number() -> None:
    answer = ask("合同编号是多少？", ZH)
    assert "“项目的合同编号是 QF-2093”（2026-01-05）[1]" in answer
    assert "周会" not in answer
    assert cited(answer, {1: ZH[0].text, 2: ZH[1].text}) == {1}


def test_english_questions_get_english_answers() -> None:
    answer = ask("What is the contract number?", EN)
    assert "You said: “The contract number is QF-2093” (2026-01-05) [4]" in answer
    assert "No chat model is configured" in answer


def test_every_answer_says_that_no_model_is_configured() -> None:
    assert "没有配置对话模型" in ask("你好")
    assert "No chat model is configured" in ask("hello")


def test_nothing_stored_is_said() -> None:
    assert "没有存过" in ask("我的护照放在哪里？")
    assert "nothing stored" in ask("Where is my umbrella?")


@pytest.mark.parametrize(
    ("outcome", "said"),
    [
        (NotedOutcome("stored", "预算是7300元"), "记住了：预算是7300元"),
        (NotedOutcome("duplicate", "预算是7300元"), "已经记得：预算是7300元"),
        (
            NotedOutcome("superseded", "预算是8000元", "预算是7300元"),
            "已更新：预算是8000元（之前是：预算是7300元）",
        ),
        (NotedOutcome("blocked_sensitive"), "没有保存"),
        (NotedOutcome("needs_approval", "血型是A型"), "同意后才会保存：血型是A型"),
        (NotedOutcome("contradiction", "住在苏州", "住在无锡"), "住在苏州 / 住在无锡"),
    ],
)
def test_what_became_of_this_turn_is_confirmed(outcome: NotedOutcome, said: str) -> None:
    assert said in ask("记一下这个", [], outcome)


def test_small_talk_that_was_not_kept_is_not_commented() -> None:
    answer = ask("thanks a lot", [], NotedOutcome("not_worth_keeping"))
    assert answer.startswith("I hear you.")


def test_a_long_memory_is_quoted_by_the_sentence_that_answers() -> None:
    long = "我们先聊了旅行和天气。" * 30 + "合同编号定为 QF-2093。" + "然后又聊了午饭和电影。" * 30
    answer = ask("合同编号是多少？", [RecalledForAnswer(1, "m1", long, None, "user")])
    assert "合同编号定为 QF-2093。" in answer
    assert len(answer) < 400


def test_the_assistants_own_words_are_not_put_into_the_users_mouth() -> None:
    answer = ask("合同编号是多少？", [RecalledForAnswer(1, "m1", "合同编号是 QF-2093", DAY, "assistant")])
    assert "助手说过" in answer


async def test_it_streams_in_small_pieces_that_make_the_whole() -> None:
    request = ChatRequest([ChatMessage("user", "合同编号是多少？")], ZH)
    deltas = [delta async for delta in OfflineResponder(pause=0).stream(request)]
    assert "".join(delta.text for delta in deltas) == compose(request)
    assert len(deltas) > 10
    assert deltas[-1].finish == "stop" and deltas[-1].usage is not None


def test_it_gives_no_structured_output() -> None:
    responder = OfflineResponder()
    assert not responder.is_model
    with pytest.raises(ModelMisconfigured):
        responder.complete_json([], {})


def test_what_was_forgotten_is_named_in_one_sentence() -> None:
    gone = [NotedOutcome("forgotten", f"your thing {n}") for n in range(12)]
    answer = ask("forget everything", [], NotedOutcome("stored", "Rye bread"), *gone)
    assert answer.count("You can restore it") == 1
    assert "Noted: Rye bread" in answer
    assert "your thing 0, your thing 1" in answer and "and 4 more" in answer
    assert ask(
        "忘掉", [], NotedOutcome("forgotten", "你的电话"), NotedOutcome("forgotten", "你的住处")
    ).startswith("已忘记：你的电话、你的住处。")
