"""What is believed of a model's statement: whose it is, whether it is so, and what the rules have said already."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from memories.core.extraction.candidate import Candidate
from memories.core.extraction.prompted import Reading, read_answer
from memories.core.extraction.sentences import is_small_talk

NOW = datetime(2026, 3, 5, 9, tzinfo=UTC)


def reading(text: str, *, covered: tuple[str, ...] = (), **said: object) -> Reading:
    values = {"kind": "fact", "content": "", "quote": text, "about": "user", "attribute": "", "value": ""}
    item = {**values, **said}
    item["content"] = item["content"] or item["quote"]
    return read_answer({"statements": [item]}, text, speaker="", said_at=NOW, tz=UTC, covered=covered)


def read(text: str, *, covered: tuple[str, ...] = (), **said: object) -> Candidate:
    (found,) = reading(text, covered=covered, **said).candidates
    return found


@pytest.mark.parametrize(
    ("text", "attribute", "value"),
    [("水费调到了86块", "水费", "86块"), ("They put it up to 86 euros now", "water bill", "86 euros")],
)
def test_a_bare_value_of_the_rules_does_not_take_the_models_attribute(
    text: str, attribute: str, value: str
) -> None:
    found = read(text, attribute=attribute, value=value)
    assert found.attribute == attribute.replace(" ", "_")


@pytest.mark.parametrize(
    ("text", "covered", "kept"),
    [
        ("小鱼改吃冻干,鱼油停了", "改吃冻干", True),
        ("小鱼改吃冻干。", "小鱼改吃冻干", False),
        ("Pixie eats raw food now, no more oil", "raw food now", True),
        ("Pixie eats raw food now.", "Pixie eats raw food now", False),
    ],
)
def test_only_what_lies_inside_words_that_taught_something_is_left_out(
    text: str, covered: str, kept: bool
) -> None:
    assert bool(reading(text, covered=(covered,)).candidates) is kept


@pytest.mark.parametrize(
    ("text", "quote", "value", "subject"),
    [
        ("我妈下个月住城南医院", "住城南医院", "城南医院", "user:mother"),
        ("我妈摔了一跤，现在住城南医院", "现在住城南医院", "城南医院", "user:mother"),
        ("我姐刚生了，她住在城南医院", "她住在城南医院", "城南医院", "user:older_sister"),
        ("我最近住城南医院", "住城南医院", "城南医院", "user"),
        ("最近住城南医院", "最近住城南医院", "城南医院", "user"),
        ("我妈说我得住城南医院", "住城南医院", "城南医院", "user"),
        ("My mum stays at Hill Clinic", "stays at Hill Clinic", "Hill Clinic", "user:mother"),
        (
            "My mum fell, and she stays at Hill Clinic",
            "she stays at Hill Clinic",
            "Hill Clinic",
            "user:mother",
        ),
        ("I stay at Hill Clinic with my mum", "I stay at Hill Clinic", "Hill Clinic", "user"),
        ("Staying at Hill Clinic these days", "Staying at Hill Clinic", "Hill Clinic", "user"),
    ],
)
def test_a_fact_is_of_the_writer_only_where_the_sentence_is(
    text: str, quote: str, value: str, subject: str
) -> None:
    found = read(text, quote=quote, attribute="location", value=value)
    assert (found.subject, found.value) == (subject, value)


def test_what_is_said_of_another_is_told_in_the_words_of_the_message() -> None:
    found = read(
        "我妈下个月住城南医院。",
        content="用户住城南医院",
        quote="住城南医院",
        attribute="住处",
        value="城南医院",
    )
    assert found.content == "我妈下个月住城南医院。"


def test_a_pronoun_for_nobody_who_was_named_leaves_no_fact() -> None:
    found = read("她住在城南医院", attribute="location", value="城南医院")
    assert (found.attribute, found.value) == (None, None)


@pytest.mark.parametrize(
    ("text", "content", "value", "kept"),
    [
        ("I do choir no more", "I do choir", "choir", False),
        ("We never did the choir", "We did the choir", "choir", False),
        ("It is not the choir but the band that I do", "I do the band", "band", True),
        ("I do choir", "I do choir", "choir", True),
        ("合唱团我不去了", "我去合唱团", "合唱团", False),
        ("我没参加合唱团", "我参加合唱团", "合唱团", False),
        ("我参加的不是合唱团，而是乐队", "我参加乐队", "乐队", True),
        ("没想到我进了合唱团", "我进了合唱团", "合唱团", True),
    ],
)
def test_what_the_words_deny_is_no_fact_that_holds(text: str, content: str, value: str, kept: bool) -> None:
    found = read(text, content=content, attribute="activity", value=value)
    assert (found.value is not None and not found.negated) is kept
    if not kept:
        assert found.content == text


@pytest.mark.parametrize(
    ("text", "content", "kept"),
    [
        ("周三手术，主刀的是韩医生", "用户的医生是王医生", False),
        ("周三手术，主刀的是韩医生", "用户的医生是韩医生", True),
        ("对方的律师来了", "对方律师来了", True),
        ("Dr. Hann operates on Wednesday", "The doctor is Dr. Wang", False),
        ("Dr. Hann operates on Wednesday", "The doctor is Dr. Hann", True),
    ],
)
def test_who_is_named_in_a_statement_is_named_in_the_message(text: str, content: str, kept: bool) -> None:
    assert bool(reading(text, content=content).candidates) is kept


@pytest.mark.parametrize(
    "text",
    [
        "谢谢啦，今天就先聊到这儿",
        "好的，那我们下次再聊吧",
        "Thanks, that's all for now!",
        "Ok, let's leave it there. Talk to you later",
    ],
)
def test_a_farewell_is_small_talk(text: str) -> None:
    assert is_small_talk(text)


@pytest.mark.parametrize(
    "text", ["我们聊到这次的预算", "That's all the milk for Tom", "Let's leave it at my aunt's"]
)
def test_what_says_something_is_none(text: str) -> None:
    assert not is_small_talk(text)
