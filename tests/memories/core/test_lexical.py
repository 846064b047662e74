"""Index terms are the same for memories and queries, in Chinese and English, and BM25 follows its formula."""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memories.core.text.lexical import MAX_TERM_LENGTH, MAX_TERMS, bm25, query_terms, terms


def shared(query: str, text: str) -> set[str]:
    return set(query_terms(query)) & terms(text).keys()


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("合同编号是多少", "项目的合同编号定为 QF-2093"),
        ("QF-2093 是什么", "合同编号 qf-2093"),
        ("qf2093", "合同编号 QF-2093"),
        ("订单 2093", "编号QF-2093的订单"),
        ("我喜欢喝什么茶", "茶我只要龙井"),
        ("which shoes do I use for running", "I ran in my old running shoe"),
        ("升级到 v2.3.1 了吗", "昨天发布了V2.3.1"),
        ("13800138000 是谁的", "晓岚电话 138-0013-8000"),
        ("预算 7300", "budget: 7,300 元"),
        ("wei.lin@example.com", "邮箱是Wei.Lin@example.com哦"),
        ("１０点开会", "会议在10点"),
        ("Who is Zoë?", "ZOË called"),
    ],
)
def test_a_question_meets_its_memory_whatever_the_form(query: str, text: str) -> None:
    assert shared(query, text)


@pytest.mark.parametrize("text", ["是不是我们的", "what is the of and", "……！！", "", "怎么样"])
def test_words_without_meaning_are_no_terms(text: str) -> None:
    assert query_terms(text) == []


def test_codes_are_kept_whole_joined_and_in_parts() -> None:
    assert set(terms("KX-7731")) == {"kx-7731", "kx7731", "kx", "7731"}


def test_hyphenated_words_are_words() -> None:
    assert set(terms("well-known")) == {"well", "known"}


def test_a_word_of_two_characters_counts_once() -> None:
    assert terms("咖啡")["咖啡"] == 1
    assert terms("咖啡，咖啡")["咖啡"] == 2


@given(st.text(max_size=400))
def test_terms_are_bounded_and_a_text_finds_itself(text: str) -> None:
    counted = terms(text)
    assert len(counted) <= MAX_TERMS
    assert all(0 < len(term) <= MAX_TERM_LENGTH for term in counted)
    assert set(query_terms(text)) <= counted.keys()


def test_a_flood_of_terms_is_cut() -> None:
    assert len(terms(" ".join(f"w{at}x" for at in range(5000)))) == MAX_TERMS


def test_threads_stem_alike() -> None:
    words = [
        f"{stem}ing runners quickly {at}" for at, stem in enumerate(["walk", "talk", "jump", "read"] * 50)
    ]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(terms, words)) == [terms(word) for word in words]


def test_bm25_follows_its_formula() -> None:
    documents = [{"a": 2, "b": 1}, {"b": 3}, {"c": 1}]
    idf = math.log(1 + (3 - 1 + 0.5) / (1 + 0.5))
    expected = idf * 2 * 2.2 / (2 + 1.2 * (1 - 0.75 + 0.75 * 3 / (7 / 3)))
    scores = bm25(["a", "a", "zzz"], documents)
    assert scores[0] == pytest.approx(expected)
    assert scores[1:] == [0.0, 0.0]
    assert bm25(["a"], []) == []


def test_a_rare_term_counts_more_than_a_common_one() -> None:
    documents = [{"rare": 1, "x": 1}, {"common": 1, "x": 1}, {"common": 1, "y": 1}]
    scores = bm25(["rare", "common"], documents)
    assert scores[0] > scores[1] == scores[2] > 0
