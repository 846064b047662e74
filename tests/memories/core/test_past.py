"""Questions about the past and about what is to come are told from those about now; and what holds when."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memories.core.questions.past import asks_about_past, holding, looks_ahead

NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    "question",
    [
        "我以前住在哪里?",
        "原来的供应商是谁",
        "他换号之前的电话是多少",
        "合同金额改过几次?",
        "我去年在哪里上班",
        "2021年谁是负责人",
        "the place where I used to live, what was it called?",
        "What was my previous phone number?",
        "who owned it originally?",
        "how has the budget changed over time?",
        "what was my address before I moved?",
        "Where did we meet in 2019?",
        "what was it before?",
        "the name of my old school",
        "who was my last landlord?",
        "what is my former job title?",
    ],
)
def test_a_question_about_how_things_were(question: str) -> None:
    assert asks_about_past(question, NOW)


@pytest.mark.parametrize(
    "question",
    [
        "我住在哪里?",
        "周五之前要交什么",
        "他的电话是多少",
        "2026年的预算是多少",
        "Where do I live?",
        "What do I have to send before Friday?",
        "what is my phone number?",
        "Who owns the project now?",
        "which version do we ship in 2027?",
        "How old is my car?",
        "what do I do once a week?",
        "Which original painting do I own?",
        "what is my last name?",
        "when was the last time that we met?",
        "我家的历史书在哪",
        "最早的航班是几点",
        "到车站怎么过去?",
    ],
)
def test_a_question_about_now(question: str) -> None:
    assert not asks_about_past(question, NOW)


@pytest.mark.parametrize("question", ["下个月的预算是多少", "what will the budget be?", "明年谁负责"])
def test_a_question_that_looks_ahead(question: str) -> None:
    assert looks_ahead(question)


def test_a_question_of_today_does_not_look_ahead() -> None:
    assert not looks_ahead("预算是多少")
    assert not looks_ahead("what is the budget?")


@given(
    since=st.none() | st.integers(-50, 50),
    length=st.none() | st.integers(1, 50),
    at=st.integers(-60, 110),
)
def test_validity_is_half_open(since: int | None, length: int | None, at: int) -> None:
    start = None if since is None else NOW + timedelta(days=since)
    end = None if length is None else (start or NOW) + timedelta(days=length)
    now = NOW + timedelta(days=at)
    state = holding(False, start, end, now)
    within = (start is None or start <= now) and (end is None or now < end)
    assert (state == "") == within
    assert holding(True, start, end, now) == "superseded"
