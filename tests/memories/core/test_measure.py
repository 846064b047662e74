"""What a question wants counted decides which number of a clause answers it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memories.core.questions.measure import Measure, measure_of, measured, word_numbers
from memories.core.values.keyvalues import key_values


def picked(clause: str, question: str) -> list[str]:
    return [one.text for one in measured(clause, key_values(clause), measure_of(question))]


@pytest.mark.parametrize(
    ("question", "clause", "values"),
    [
        ("How many goats do we keep?", "we keep 14 goats and 3 donkeys", ["14"]),
        ("How many old coins are in the box?", "the box holds 52 rather old coins", ["52"]),
        ("How many goats do we keep?", "the herd has now reached 17, which is 20% more", ["17"]),
        ("How many goats do we keep?", "the barn cost $900", []),
        ("What percentage of the hay is dry?", "of 40 bales, 85% are dry", ["85%"]),
        ("What is my accuracy on the exam?", "I solved 12 tasks in 90 minutes", []),
        ("我们养了多少头羊？", "现在养了14头羊，每天3桶水", ["14"]),
        ("一共来了几个人？", "来了61人，花了900元", ["61人"]),
        ("干草的含水率是多少？", "40捆里含水率15%", ["15%"]),
        ("Who keeps the goats?", "we keep 14 goats", ["14"]),
    ],
)
def test_numbers_are_of_what_is_counted(question: str, clause: str, values: list[str]) -> None:
    assert picked(clause, question) == values


@pytest.mark.parametrize(
    ("question", "counted"),
    [
        ("How many days a week do I swim?", "day"),
        ("How many chess tournament games have I won?", "game"),
        ("你有几本字典？", "字典"),
        ("房租多少钱？", ""),
        ("How many did I buy?", ""),
        ("Where is it?", ""),
    ],
)
def test_the_counted_thing_is_the_last_noun(question: str, counted: str) -> None:
    assert measure_of(question) == Measure(counted)


def test_numbers_in_words_count_beside_the_counted_thing_only() -> None:
    wanted = measure_of("How many days a week do I swim?")
    assert [one.text for one in word_numbers("I swim three days a week with two friends", wanted)] == [
        "three"
    ]
    assert word_numbers("I swim with two friends", Measure()) == []


@given(st.text(max_size=60), st.text(max_size=60))
def test_any_text_is_measured_without_harm(question: str, clause: str) -> None:
    values = key_values(clause)
    assert all(one in values for one in measured(clause, values, measure_of(question)))
