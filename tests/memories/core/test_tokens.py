"""Tokens are counted by a real tokenizer, and excerpts stay within their number of them."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from hypothesis import given
from hypothesis import strategies as st

from memories.core.text.language import cjk_share, detect
from memories.core.text.tokens import count, count_messages, excerpt, with_margin


def test_counts_are_those_of_o200k() -> None:
    # Known values of the public o200k_base encoding.
    assert count("") == 0
    assert count("hello world") == 2
    assert count("你好，世界") == 3
    assert count("<|endoftext|>") > 1


def test_a_lone_surrogate_is_counted_rather_than_refused() -> None:
    assert count("a\ud800b") > 0


def test_the_margin_rounds_up() -> None:
    assert with_margin(100) == 105
    assert with_margin(1) == 2
    assert with_margin(0) == 0


def test_messages_cost_more_than_their_words() -> None:
    assert count_messages([{"role": "user", "content": "hello world"}]) == 2 + 4 + 3


def test_threads_count_alike() -> None:
    texts = [f"第{at}句话 with words" for at in range(200)]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(count, texts)) == [count(text) for text in texts]


@given(st.text(max_size=200), st.integers(min_value=0, max_value=40))
def test_an_excerpt_is_the_texts_beginning_within_the_limit(text: str, limit: int) -> None:
    short = excerpt(text, limit)
    assert count(short) <= limit
    assert short == text or text.startswith(short.removesuffix("…"))


def test_an_excerpt_ends_with_a_sentence_or_a_word() -> None:
    assert excerpt("One is done. Two is done. Three is not.", 10) == "One is done. Two is done.…"
    assert excerpt("alpha beta gamma delta epsilon zeta eta theta", 5) in {
        "alpha beta gamma…",
        "alpha beta gamma delta…",
    }
    assert excerpt("我喜欢在早上喝美式咖啡不加糖也不加奶", 6).endswith("…")


def test_the_share_of_chinese_is_the_embedders_formula() -> None:
    assert cjk_share("12345 !") == 0.5
    assert cjk_share("咖啡") == 1.0
    assert cjk_share("coffee") == 0.0
    assert cjk_share("喝 coffee") == 1 / 2.5


def test_the_language_is_that_of_most_words() -> None:
    assert detect("帮我把 API 文档发给 Tom") == "zh"
    assert detect("What does 咖啡 mean in English, please?") == "en"
    assert detect("7731", default="zh") == "zh"
    assert detect("🙂") == "en"
