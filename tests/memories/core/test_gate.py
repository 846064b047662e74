"""The write gate lets in what will be used again; the recall gate skips only courtesies."""

from __future__ import annotations

import pytest

from memories.core.gate import RecallGate, importance_of, judge_text, needs_memory
from memories.core.policy import Policy

POLICY = Policy.default()


@pytest.mark.parametrize(
    "text",
    ["谢谢", "好的", "哈哈哈", "早上好", "Thanks a lot!", "ok", "你喜欢猫吗？", "What time is it?", "如果我中了奖就好了", "可能会下雨", "I guess it might rain", "2026-01-01 10:00:00 ERROR boot failed", "！！！"],
)  # fmt: skip
def test_greetings_questions_guesses_and_logs_stay_out(text: str) -> None:
    assert judge_text(text, POLICY).outcome == "not_worth_keeping"


@pytest.mark.parametrize(
    "text",
    [
        "我喜欢爬山",
        "记住：门在左边",
        "以后都用公制单位",
        "I always take the stairs",
        "Remember the blue folder",
    ],
)
def test_trigger_words_pass(text: str) -> None:
    found = judge_text(text, POLICY)
    assert (found.outcome, found.rule) == ("stored", "gate.trigger")


def test_importance_above_the_threshold_passes_by_itself_and_the_threshold_is_policy() -> None:
    text = "陈立于5月3日付了2300元，单号 QX-9"
    assert judge_text(text, POLICY).rule == "gate.importance"
    assert judge_text(text, POLICY).outcome == "stored"
    strict = Policy.from_overrides({"gate.importance": 1.0})
    assert judge_text(text, strict).outcome == "not_worth_keeping"


def test_being_asked_to_remember_beats_the_threshold() -> None:
    assert judge_text("门口的花", POLICY, explicit=True).outcome == "stored"


@pytest.mark.parametrize("plain", ["去公园走走", "we take a walk"])
def test_importance_rises_with_times_amounts_names_and_ids(plain: str) -> None:
    base = importance_of(plain, "event")
    for extra in ("5月3日", "4800元", "KX-7731", "a@b.co"):
        assert importance_of(f"{plain} {extra}", "event") > base
    assert importance_of(f"{plain} 5月3日 4800元 KX-7731 a@b.co 10:30", "event") <= 1


@pytest.mark.parametrize("text", ["谢谢", "好的", "ok", "Thanks!", "嗯嗯", "👍"])
def test_courtesies_skip_recall(text: str) -> None:
    found = needs_memory(text)
    assert found.gate is RecallGate.SKIP
    assert not found.recalls


@pytest.mark.parametrize(
    "text",
    [
        "我的生日是哪天？",
        "我上次说的餐馆叫什么",
        "你还记得我住哪吗",
        "What's my boss's name?",
        "Where did I put the key?",
        "what did we decide last time?",
    ],
)
def test_first_person_and_back_reference_questions_must_recall(text: str) -> None:
    assert needs_memory(text).gate is RecallGate.MUST


@pytest.mark.parametrize("text", ["那周末呢", "为什么", "And then?", "What about Sunday?"])
def test_a_follow_up_continues_only_when_something_came_before(text: str) -> None:
    assert needs_memory(text).gate is RecallGate.CONTINUE
    assert needs_memory(text, has_window=False).gate is not RecallGate.CONTINUE


@pytest.mark.parametrize(
    "text", ["介绍一下黑洞的形成过程", "Explain how tides are formed", "对了，换个话题，推荐一部纪录片"]
)
def test_a_message_that_stands_alone_is_a_new_topic_and_recalls(text: str) -> None:
    found = needs_memory(text)
    assert found.gate is RecallGate.NEW_TOPIC
    assert found.recalls
