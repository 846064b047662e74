"""Signs that an answer was found: more of what is asked for makes it likelier."""

from __future__ import annotations

from dataclasses import replace

import pytest

from memories.core.policy import Policy
from memories.core.questions.support import SIGNS, Found, probability, signs
from memories.core.questions.whose import asked_about
from memories.core.text.lexical import terms

POLICY = Policy.default()


def row(text: str, near: float, *, said: bool | None = None, slot: float = 0.0) -> Found:
    return Found(text, frozenset(terms(text)), 0.5 * near, near, said, slot)


def chance(found: list[Found], question: str) -> float:
    weights = {name: POLICY.number(f"abstain.{name}") for name in SIGNS}
    return probability(signs(found, question), weights, POLICY.number("abstain.bias"))


def test_without_rows_every_sign_is_nothing() -> None:
    assert set(signs([], "where is the ladder").values()) == {0.0}


def test_a_near_row_with_the_words_makes_an_answer_likelier() -> None:
    far = [row("the cake was good", 0.1), row("rain again", 0.05)]
    close = [row("the ladder is in the shed", 0.8), row("rain again", 0.05)]
    assert chance(close, "where is the ladder") > chance(far, "where is the ladder")


def test_a_relation_that_nobody_spoke_of_makes_it_less_likely() -> None:
    for question, there, absent in (
        ("what is my aunt's shoe size", "my aunt wears size 39", "my cousin wears size 39"),
        ("我姑姑穿几码的鞋", "我姑姑穿39码", "我舅舅穿39码"),
    ):
        known, unknown = [row(there, 0.5)], [row(absent, 0.5)]
        assert signs(known, question)["whom"] == 1
        assert signs(unknown, question)["whom"] == 0
        assert chance(known, question) > chance(unknown, question)


def test_the_owner_of_what_is_asked_for_is_looked_for_by_name() -> None:
    for question, there, absent in (
        ("灯塔读书会的地点是哪里", "灯塔读书会的地点在河坊街", "星河摄影会的地点在河坊街"),
        ("灯塔读书会的地点是哪里", "那个读书会叫灯塔，地点在河坊街", "星河摄影会的地点在河坊街"),
        (
            "where is Harbour Light's next meeting",
            "Harbour Light will meet at noon",
            "Stone Bridge will meet at noon",
        ),
    ):
        known, unknown = [row(there, 0.5, slot=0.5)], [row(absent, 0.5, slot=0.5)]
        assert signs(known, question)["whom"] == 1 and signs(known, question)["slot"] == 0.5
        assert signs(unknown, question)["whom"] == 0 and signs(unknown, question)["slot"] == 0
        assert chance(known, question) > 2 * chance(unknown, question)


@pytest.mark.parametrize(
    "word",
    [
        "Is",
        "Was",
        "Does",
        "Did",
        "Do",
        "Are",
        "Will",
        "Would",
        "Can",
        "Could",
        "Has",
        "Have",
        "Had",
        "When",
        "Where",
        "What",
        "Which",
        "Why",
        "How",
        "Tell",
        "Please",
    ],
)
def test_the_large_word_that_begins_a_question_is_no_part_of_a_name(word: str) -> None:
    for question, name in (
        (f"{word} Otto's kayak in the shed?", "otto"),
        (f"Hello. {word} The Harbour Light's piano sold?", "harbour light"),
        (f"{word} Otto's 船卖了吗", "otto"),
    ):
        assert [one.words for one in asked_about(question)] == [(name,)], question
        assert signs([row(f"{name} told us all of it", 0.5, slot=0.5)], question)["slot"] == 0.5
        assert signs([row("somebody told us all of it", 0.5, slot=0.5)], question)["whom"] == 0


def test_will_is_somebody_where_no_question_begins_with_it() -> None:
    for question, name in (
        ("is Will Fox's kayak red?", "will fox"),
        ("Is Will Fox's kayak red?", "will fox"),
        ("Where is Will's kayak?", "will"),
        ("When Will Otto's kayak come?", "otto"),
    ):
        assert [one.words for one in asked_about(question)] == [(name,)], question


@pytest.mark.parametrize(
    "word", ["", "是不是", "为什么", "怎么", "有没有", "什么时候是", "谁是", "哪个是", "请问", "难道"]
)
def test_the_word_that_begins_a_chinese_question_is_no_part_of_a_name(word: str) -> None:
    assert [one.words for one in asked_about(f"{word}灯塔读书会的地点换了")] == [("灯塔读书会",)]


def test_a_question_that_describes_what_it_is_about_names_nothing() -> None:
    for question in (
        "那个开面馆的人叫什么",
        "上次推荐的店在哪",
        "昨天会议的地点是哪里",
        "我最喜欢的颜色是什么",
        "我参加的活动是什么",
        "What's the name of the club",
        "where do I live",
    ):
        assert asked_about(question) == [], question
        assert signs([row("rain again", 0.5)], question)["whom"] == 1


def test_another_word_for_the_same_relation_is_the_same_person() -> None:
    for question, said in (
        ("我母亲的生日是哪天", "我妈妈三月二号过生日"),
        ("when is my mom's birthday", "My mother was born in May"),
    ):
        assert signs([row(said, 0.5)], question)["whom"] == 1
    assert signs([row("我姑妈三月二号过生日", 0.5)], "我妈妈的生日是哪天")["whom"] == 0


def test_words_of_another_speaker_than_the_one_named_speak_against_it() -> None:
    own = [row("I sold the boat", 0.5, said=True), row("rain again", 0.1, said=False)]
    swapped = [replace(one, said=not one.said) for one in own]
    assert signs(own, "who sold the boat")["speaker"] > 0 > signs(swapped, "who sold the boat")["speaker"]


def test_a_slot_that_holds_it_makes_it_likelier() -> None:
    plain = [row("the ladder is in the shed", 0.4)]
    assert chance([replace(plain[0], slot=1.0)], "where is the ladder") > chance(plain, "where is the ladder")
