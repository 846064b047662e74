"""What tells of a change is lifted before the older statement that it makes untrue; what is about another thing is not."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memories.core.questions.amends import MOST, lifts
from memories.core.statement import FactPart
from tests.memories.core.test_freshness import said

CASES = [
    (
        "What discount do our wholesalers get?",
        "we give our wholesalers a 4% discount",
        "long call today, so from May the discount goes up to 6%",
    ),
    (
        "Where does aunt Vera bake?",
        "aunt Vera bakes in Haldorf",
        "aunt Vera has moved the bakery out to Linden",
    ),
    ("Who runs the choir?", "Mr. Holm runs the choir", "the choir was handed to Ms. Aker, he is off to Oslo"),
    ("露营定在哪天？", "露营定在5月3日", "下雨，露营往后挪到5月9日了"),
    ("我家订的是哪家的牛奶？", "牛奶一直订的青禾家", "青禾涨价太多，牛奶换成白桥家的了"),
]


@pytest.mark.parametrize(("question", "old", "new"), CASES)
def test_a_change_is_lifted_just_before_what_it_amends(question: str, old: str, new: str) -> None:
    found = [said(old, 1), said(new, 2)]
    gains = lifts(found, [0.8, 0.6], question)
    assert gains[0] == 0
    assert 0.8 < 0.6 + gains[1] < 0.82


@pytest.mark.parametrize(("question", "old", "new"), CASES)
def test_nothing_earlier_and_nobody_else_amends(question: str, old: str, new: str) -> None:
    assert lifts([said(old, 2), said(new, 1)], [0.8, 0.6], question) == [0.0, 0.0]
    assert lifts([said(old, 1), said(new, 2, by_user=False)], [0.8, 0.6], question) == [0.0, 0.0]
    assert lifts([said(old, 1), said(old, 2)], [0.8, 0.6], question) == [0.0, 0.0]


@pytest.mark.parametrize(
    ("question", "old", "other"),
    [
        ("When is my dentist appointment?", "my dentist appointment is on May 3", "the team appointment moved to May 9"),
        ("When is my defence?", "my defence is on May 3", "my flatmate's defence was pushed to May 9"),
        ("我的体检是哪天？", "我的体检是5月3日", "同事的体检改到5月9日了"),
        ("Who runs the choir?", "Mr. Holm runs the choir", "should the choir be handed to Ms. Aker?"),
        ("How many goats do we keep?", "we keep 14 goats", "we now keep the goats in two barns"),
    ],
)  # fmt: skip
def test_what_is_about_another_thing_or_sort_amends_nothing(question: str, old: str, other: str) -> None:
    assert lifts([said(old, 1), said(other, 2)], [0.8, 0.6], question) == [0.0, 0.0]


def test_what_was_read_as_a_fact_is_not_lifted() -> None:
    question, old, new = CASES[0]
    read = replace(said(new, 2), facts=(FactPart("shop", "bonus", "6%"),))
    assert lifts([said(old, 1), read], [0.8, 0.6], question) == [0.0, 0.0]


def test_a_far_worse_text_is_lifted_only_so_far() -> None:
    question, old, new = CASES[0]
    assert lifts([said(old, 1), said(new, 2)], [0.9, 0.1], question) == [0.0, MOST]


@given(
    st.lists(st.tuples(st.text(max_size=40), st.integers(0, 9), st.floats(0, 1)), max_size=6),
    st.text(max_size=40),
)
def test_no_text_is_lifted_by_more_than_the_most(rows: list[tuple[str, int, float]], question: str) -> None:
    found = [said(text, day) for text, day, _ in rows]
    gains = lifts(found, [score for _, _, score in rows], question)
    assert len(gains) == len(rows)
    assert all(0 <= one <= MOST for one in gains)
