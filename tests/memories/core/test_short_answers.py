"""A short answer is read with the question asked just before it, in both languages."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from memories.core.extraction import Candidate, extract

NOW = datetime(2026, 3, 4, 9, tzinfo=UTC)


def read(answer: str, asked: str, *, role: str = "user") -> list[Candidate]:
    return extract(answer, role=role, speaker="", said_at=NOW, tz=UTC, asked=asked)


@pytest.mark.parametrize(
    ("asked", "answer", "fact"),
    [
        ("你住哪？", "上海", ("user", "home", "上海", False)),
        ("对了，你如今住在什么地方？", "泉州", ("user", "home", "泉州", False)),
        ("喜欢吃辣吗", "不喜欢", ("user", "likes", "吃辣", True)),
        ("你喜欢狗吗？", "喜欢啊，不过我妈不让养", ("user", "likes", "狗", False)),
        ("你喜不喜欢爬山？", "喜欢呀", ("user", "likes", "爬山", False)),
        ("我觉得猫很可爱，你喜欢吗？", "不喜欢", ("user", "likes", "猫", True)),
        ("我喜欢练书法，你呢？", "我也喜欢", ("user", "likes", "练书法", False)),
        ("你喜欢猫还是狗？", "狗", ("user", "likes", "狗", False)),
        ("你会不会游泳？", "不会", ("user", "skill", "游泳", True)),
        ("你多大了？", "27", ("user", "age", "27岁", False)),
        ("你抽烟吗", "不抽", ("user", "does:抽烟", "抽烟", True)),
        ("你有女朋友吗", "没有", ("user", "owns:女朋友", "女朋友", True)),
        ("你是学生吗？", "是的", ("user", "occupation", "学生", False)),
        ("Do you like dogs?", "Not really.", ("user", "dislikes", "dogs", False)),
        ("Where do you live?", "Lisbon", ("user", "home", "Lisbon", False)),
        ("So how old are you?", "34", ("user", "age", "34", False)),
        ("Is your sister a doctor?", "Yes", ("user:sister", "occupation", "doctor", False)),
        ("What's your favorite color?", "Green", ("user", "favorite_color", "Green", False)),
    ],
)
def test_an_answer_says_what_its_question_asks(
    asked: str, answer: str, fact: tuple[str, str, str, bool]
) -> None:
    found = [
        (one.subject, one.attribute, (one.value or "").removesuffix(" years old"), one.negated)
        for one in read(answer, asked)
    ]
    assert fact in found


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        ("你住哪？", "不知道"),
        ("你住哪？", "你猜"),
        ("What's your favorite color?", "Yep"),
        ("What's your favorite color?", "Wow, lovely"),
        ("What are your dogs called? And what are your plans for the garden?", "Rex and Bo."),
        ("你最喜欢什么？", "看情况吧"),
        ("你不喜欢猫吗？", "是的"),
        ("今天天气好吗", "好"),
        ("你知道他住哪吗？", "上海"),
        ("我在听，你说吧。", "上海"),
        ("Where do you live?", "I don't know"),
        ("Do you like dogs?", "Why do you ask"),
        ("How are you?", "Good"),
        ("That is nice.", "Yes"),
    ],
)
def test_what_answers_nothing_says_nothing(asked: str, answer: str) -> None:
    assert read(answer, asked) == []


def test_the_quote_is_what_was_said_and_the_memory_stands_alone() -> None:
    (found,) = read("喜欢", "你喜欢狗吗？")
    assert found.quote == "喜欢"
    assert found.content == "我喜欢狗"


def test_an_assistants_words_and_a_full_answer_are_read_as_they_are() -> None:
    assert read("喜欢", "你喜欢狗吗？", role="assistant") == []
    (found,) = read("我住在苏州", "你住哪？")
    assert found.content == "我住在苏州"
