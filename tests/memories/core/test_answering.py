"""What a question asks for, and what could answer it."""

from __future__ import annotations

import pytest

from memories.core.questions.answering import (
    answers,
    asked_for,
    fact_values,
    new_values,
    only_asks,
    task_fit,
    tells_thing,
)


@pytest.mark.parametrize(
    ("question", "sort"),
    [
        ("Who looks after the garden?", "person"),
        ("谁来照看花园?", "person"),
        ("When does the course begin?", "day"),
        ("课程哪天开始?", "day"),
        ("At what time is lunch?", "clock"),
        ("午饭几点?", "clock"),
        ("How much did the boat cost?", "sum"),
        ("那条船多少钱?", "sum"),
        ("Which number do I call?", "reference"),
        ("要拨哪个号?", "reference"),
        ("Where does she live?", "place"),
        ("她住在哪里?", "place"),
    ],
)
def test_the_words_of_a_question_tell_the_sort_of_answer(question: str, sort: str) -> None:
    assert sort in asked_for(question)


@pytest.mark.parametrize("question", ["What does he like?", "他喜欢什么?"])
def test_an_open_question_asks_for_nothing_in_particular(question: str) -> None:
    assert not asked_for(question)


@pytest.mark.parametrize("text", ["Did the course begin?", "课程开始了吗?", "Who knows? Does anybody?"])
def test_a_text_of_questions_only_asks(text: str) -> None:
    assert only_asks(text)


@pytest.mark.parametrize(
    "text", ["The course begins on May 3.", "Who knows? It begins on May 3.", "课程5月3日开始。", ""]
)
def test_a_text_that_states_something_does_not_only_ask(text: str) -> None:
    assert not only_asks(text)


def test_values_that_the_question_holds_itself_are_no_news() -> None:
    values = new_values("Anna Berg starts on May 3.", "When does Anna Berg start?")
    assert [value.text for value in values] == ["May 3"]


def test_a_date_answers_when_and_does_not_answer_who() -> None:
    text = "The course begins on May 3."
    values = new_values(text, "")
    assert answers(text, values, {"day"})
    assert not answers(text, values, {"person"})


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("What do I owe Anna?", "I still have to send Anna the list QX-1."),
        ("我欠王芳什么?", "我还得把清单QX-1寄给王芳。"),
        ("王芳还在等我的什么?", "提醒我把清单QX-1寄给王芳。"),
    ],
)
def test_what_is_still_to_be_done_answers_what_one_owes(question: str, text: str) -> None:
    assert answers(text, new_values(text, question), asked_for(question))


@pytest.mark.parametrize(
    ("question", "text", "value"),
    [
        ("它的零件是哪家送来的?", "它的供应商是岭桐印务", "岭桐印务"),
        ("Which company delivers the parts?", "The supplier is the Blue Door", "the Blue Door"),
        ("材料从哪儿来?", "供应商是岭桐印务", "岭桐印务"),
    ],
)
def test_what_was_read_as_a_value_answers_like_a_name(question: str, text: str, value: str) -> None:
    values = new_values(text, question)
    values += fact_values([value], values, question)
    assert answers(text, values, asked_for(question))


def test_a_value_of_a_fact_that_is_an_act_is_no_name() -> None:
    found = fact_values(["端着杯子坐在窗边"], [], "谁负责?")
    assert [one.kind for one in found] == ["thing"]
    assert not answers("王芳喜欢端着杯子坐在窗边", found, asked_for("谁负责?"))


def test_a_fact_tells_no_news_that_the_question_holds_or_the_text_has_as_a_key_value() -> None:
    text = "生日是1月17日"
    assert fact_values(["1月17日"], new_values(text, ""), "") == []
    assert fact_values(["岭桐印务"], [], "岭桐印务在哪里?") == []


@pytest.mark.parametrize(
    ("question", "own", "other"),
    [
        (
            "What do I owe Anna Berg?",
            "I still have to send Anna Berg the list QX-1",
            "Remind me to pay Tom Reed",
        ),
        ("我还欠王芳什么?", "我还得把清单QX-1寄给王芳", "提醒我给李明回电话"),
    ],
)
def test_a_question_about_tasks_is_about_the_todo_of_whom_it_names(
    question: str, own: str, other: str
) -> None:
    wanted = asked_for(question)
    assert task_fit(own, question, wanted, 0.4) == 1.0
    assert task_fit(other, question, wanted, 0.4) == 0.0
    assert task_fit(own, "Who is Anna Berg?", asked_for("Who is Anna Berg?"), 0.4) == 0.0
    assert task_fit(own, "What do I still have to do?", {"task"}, 0.4) == 0.4


def test_a_birthday_tells_nothing_of_what_one_owes() -> None:
    question = "What do I owe Anna Berg?"
    assert not tells_thing(new_values("Anna Berg's birthday is on May 3.", question), asked_for(question))
