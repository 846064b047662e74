"""Advice that is sought, as told from advice that was given; and texts that say how somebody likes things."""

from __future__ import annotations

import pytest

from memories.core.questions.advice import seeks_advice, tells_liking
from memories.core.questions.past import asks_about_self, asks_back


@pytest.mark.parametrize(
    "question",
    [
        "Can you plan a quiet evening for me?",
        "Which tent should I take?",
        "What would you recommend for a rainy day?",
        "Any ideas for the garden?",
        "Can you help me with my speech?",
        "Could you please give me some tips for better sleep?",
        "Would you walk me through the repair of a tap?",
        "推荐几家安静的茶馆",
        "周末该怎么安排",
        "有什么好的办法吗",
        "有什么推荐的吗",
        "给点减压的建议吧",
        "能建议一下送什么礼物吗",
    ],
)
def test_advice_is_sought(question: str) -> None:
    assert seeks_advice(question) and not asks_back(question)


@pytest.mark.parametrize(
    "question",
    [
        "Which tea house did you recommend?",
        "What was it you suggested?",
        "Have you already given me a list?",
        "What did you write about the tea house?",
        "你给我推荐了哪家茶馆",
        "你上次说的办法是什么",
    ],
)
def test_what_was_advised_is_asked_for_again(question: str) -> None:
    assert asks_back(question) and not asks_about_self(question)


@pytest.mark.parametrize(
    "question",
    [
        "Can you tell me where I live?",
        "When is my train?",
        "Could you remind me of her name?",
        "Can you help me find my passport number?",
        "Please help us remember the code of the gate",
        "Could you check when my flight leaves?",
        "Would you give me Ann's address?",
        "What time should I leave for my appointment?",
        "When should I take my pills?",
        "How many pills should I take?",
        "Did you move my meeting?",
        "Have you met my sister?",
        "我住在哪",
        "会议几点开始",
        "医生给我的建议是什么",
        "医生给了我什么建议",
        "我上次推荐的书叫什么",
        "我的建议被采纳了吗",
    ],
)
def test_what_is_known_is_asked_for(question: str) -> None:
    assert not seeks_advice(question) and not asks_back(question)


@pytest.mark.parametrize(
    "question", ["我跟你说过我的鞋码吗", "我跟你上次说的地址是哪里", "what did I tell you about my shoes?"]
)
def test_what_the_person_said_is_no_word_of_the_assistant(question: str) -> None:
    assert asks_about_self(question)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("I prefer tea without milk", True),
        ("I'd rather walk", True),
        ("Always answer in one line", True),
        ("我习惯早起", True),
        ("他对花生过敏", True),
        ("The train leaves at nine", False),
        ("火车九点开", False),
    ],
)
def test_a_text_that_says_how_somebody_likes_things(text: str, told: bool) -> None:
    assert tells_liking(text) is told
