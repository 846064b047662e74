"""Which slot a question is about: its attribute, and the entity that it names."""

from __future__ import annotations

import pytest

from memories.core.questions.slot import attributes_asked, slot_fit
from memories.core.statement import FactPart


@pytest.mark.parametrize(
    ("question", "attribute"),
    [
        ("我的电话号码是多少", "phone"),
        ("展览的持续时间是多少", "duration"),
        ("what is my email address?", "email"),
        ("How old is my sister?", "age"),
        ("我住在哪里", "home"),
    ],
)
def test_the_attribute_is_read_out_of_the_question(question: str, attribute: str) -> None:
    assert attribute in attributes_asked(question)


def test_a_longer_word_hides_the_shorter_one_within_it() -> None:
    assert "time" not in attributes_asked("展览的持续时间是多少")


@pytest.mark.parametrize(
    ("fact", "question", "fit"),
    [
        (("user", "phone"), "我的电话是多少", 1.0),
        (("user", "phone"), "我上司的电话是多少", 0.4),
        (("user:boss", "phone"), "我上司的电话是多少", 1.0),
        (("user:boss", "phone"), "what is my manager's phone number?", 1.0),
        (("user:boss", "email"), "what is my manager's phone number?", 0.0),
        (("灯会", "location"), "灯会的地点是哪里", 1.0),
        (("user", "水壶颜色"), "我的水壶颜色是什么", 1.0),
        (("user", "favorite_soup"), "what is my favourite soup?", 1.0),
        (("user", "favorite_soup"), "what soup is on the menu?", 0.0),
    ],
)
def test_a_fact_fits_by_attribute_and_entity(fact: tuple[str, str], question: str, fit: float) -> None:
    assert slot_fit([FactPart(*fact, "any")], question, 0.4) == fit


def test_without_facts_nothing_fits() -> None:
    assert slot_fit([], "我的电话是多少", 1.0) == 0.0
