"""To "have I ever …?" both answer: the words that it never was, and those that tell of having done it."""

from __future__ import annotations

import pytest

from memories.core.questions.experience import asks_experience, experiences
from memories.core.questions.past import asks_about_self
from memories.core.text.passages import best_share, split, weights


@pytest.mark.parametrize(
    "question",
    [
        "Have I ever sailed a catamaran?",
        "did we already paint the fence?",
        "我有没有开过帆船?",
        "我以前修过屋顶吗",
    ],
)
def test_a_question_about_an_experience(question: str) -> None:
    assert asks_experience(question)


@pytest.mark.parametrize("question", ["When did I sail?", "what have we painted?", "我的帆船在哪里", "你好"])
def test_other_questions(question: str) -> None:
    assert not asks_experience(question)


@pytest.mark.parametrize(
    ("question", "never", "done", "neither", "other"),
    [
        (
            "Have I ever sailed a catamaran?",
            "I've never sailed a catamaran before. What do I need?",
            "My score in the catamaran race improved from 4 to 2 last week.",
            "A catamaran is faster than a dinghy.",
            "I have painted the fence.",
        ),
        (
            "我有没有开过帆船?",
            "我从来没开过帆船。",
            "上周我在湖上开了帆船。",
            "帆船比游艇便宜。",
            "我已经刷了墙。",
        ),
    ],
)
def test_never_and_done_stand_above_the_rest(
    question: str, never: str, done: str, neither: str, other: str
) -> None:
    told = experiences([split(text) for text in (never, done, neither, other)], question)
    assert told[0] > 0
    assert told[1] > 0
    assert told[2] == told[3] == 0


def test_one_sentence_counts_not_words_here_and_there() -> None:
    close = split("The blue boat needs a new sail before June.")
    spread = split("The boat is old. Blue paint is dear. A sail costs money. June is warm.")
    weight = weights("does the blue boat need a sail in June?", [close, spread])
    assert best_share(close, weight) > best_share(spread, weight)


def test_a_question_about_what_the_assistant_said_is_none_about_oneself() -> None:
    assert asks_about_self("where do I live?")
    assert asks_about_self("我住在哪里")
    assert not asks_about_self("what did you suggest to me?")
    assert not asks_about_self("你之前给我推荐了什么")
    assert not asks_about_self("Where does Ruth live?")
