"""A follow-up is made standalone from what was said; a whole question is left alone."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memories.core.questions.standalone import standalone


@pytest.mark.parametrize(
    ("question", "turns", "slots", "named"),
    [
        ("那周末呢", ["杭州明天天气怎么样", "杭州明天小雨"], [], "杭州"),
        ("那我要不要带伞", [], ["杭州明天有雨"], "杭州"),
        ("他的电话是多少", ["王磊是新来的同事", "好的"], [], "王磊"),
        ("它多少钱", ["我想买《三体》这套书"], [], "三体"),
        ("When is her birthday?", ["My sister Anna lives by the sea", "ok"], [], "Anna"),
        ("How much is it?", ["I'm looking at the Kindle Paperwhite"], [], "Kindle Paperwhite"),
        ("那金额呢?", ["我们的合同下周要续签", "好的"], [], "合同"),
        ("and the amount?", ["Our contract is up for renewal next week."], [], "contract"),
        ("What about the weekend?", ["How is the weather in Paris tomorrow?"], [], "Paris"),
    ],
)
def test_a_follow_up_gets_what_it_leans_on(
    question: str, turns: list[str], slots: list[str], named: str
) -> None:
    found = standalone(question, turns, slots)
    assert found is not None
    assert named in found
    assert question in found


@pytest.mark.parametrize(
    "question", ["法国的首都是哪里？", "What is the capital of France?", "谢谢", "我的合同编号是多少"]
)
def test_a_question_that_stands_alone_is_left_alone(question: str) -> None:
    assert standalone(question, ["杭州明天小雨", "I like Paris"], ["杭州"]) is None


def test_without_anything_around_it_nothing_is_invented() -> None:
    assert standalone("他的电话是多少", [], []) is None


@given(
    st.text(max_size=60),
    st.lists(st.text(max_size=40), max_size=4),
    st.lists(st.text(max_size=20), max_size=3),
)
def test_only_words_that_were_said_are_added(question: str, turns: list[str], slots: list[str]) -> None:
    found = standalone(question, turns, slots)
    if found is None:
        return
    assert found.endswith(question.strip())
    added = found[: -len(question.strip())].rstrip(": ：")
    for word in added.replace("、", ",").split(","):
        assert any(word.strip() in text for text in [*turns, *slots])
