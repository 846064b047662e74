"""The gates: how much of the past a message takes."""

from __future__ import annotations

import pytest

from memories.core.policy import Policy
from sessions_app.core.gates import decide

TALK_ZH = ["我们的合同下周要续签", "好的,续签前要确认金额"]
TALK_EN = ["Our contract is up for renewal next week.", "Fine, we should confirm the amount first."]


@pytest.mark.parametrize(
    ("text", "talk"), [("好的", TALK_ZH), ("谢谢!", TALK_ZH), ("thanks", TALK_EN), ("ok", TALK_EN)]
)
def test_a_courtesy_takes_the_last_rounds_and_recalls_nothing(text: str, talk: list[str]) -> None:
    gate = decide(text, talk, Policy.default())
    assert (gate.name, gate.recalls, gate.rounds) == ("none", False, 2)


@pytest.mark.parametrize(
    ("text", "talk"),
    [
        ("帮忙写一首关于秋天月亮的短诗吧", TALK_ZH),
        ("Write a short poem about autumn leaves in Kyoto", TALK_EN),
    ],
)
def test_a_new_topic_takes_the_last_rounds_and_recalls(text: str, talk: list[str]) -> None:
    gate = decide(text, talk, Policy.default())
    assert (gate.name, gate.recalls, gate.rounds) == ("new_topic", True, 2)


@pytest.mark.parametrize(
    ("text", "talk"),
    [("那金额呢?", TALK_ZH), ("续签这件事由谁来负责处理比较好", TALK_ZH), ("and the amount?", TALK_EN)],
)
def test_a_continuing_turn_takes_the_whole_window(text: str, talk: list[str]) -> None:
    gate = decide(text, talk, Policy.default())
    assert (gate.name, gate.recalls, gate.rounds) == ("continue", True, None)


@pytest.mark.parametrize(
    "text", ["我上次说的医生叫什么?", "What did I tell you about my sister?", "我住在哪里?"]
)
def test_a_question_about_oneself_always_recalls(text: str) -> None:
    assert decide(text, [], Policy.default()).recalls
    assert decide(text, TALK_EN, Policy.default()).recalls
