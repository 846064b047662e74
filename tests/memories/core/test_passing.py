"""Words that say for which while something holds: found in both languages, and blanked without moving anything."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memories.core.extraction.passing import blanked, passing_spans

NUMBERS = [("3", 3), ("三", 3), ("十二", 12), ("two", 2), ("10", 10), ("twelve", 12)]


@given(
    st.sampled_from(["叫我老陆", "不要用表格", "我们说法语"]),
    st.sampled_from(["这次聊天里", "在本次对话中,", "这场谈话期间", "本次会话结束之前"]),
)
def test_a_chinese_session_is_named_before_what_holds_in_it(what: str, when: str) -> None:
    (span,) = passing_spans(f"{when}{what}。")
    assert span.turns is None and blanked(f"{when}{what}。", [span]).strip(" ,。") == what


@given(
    st.sampled_from(["call me Wren", "never use tables", "answer in verse"]),
    st.sampled_from(["for this conversation", "during our chat", "in this session", "for the rest of this chat", "until the end of this chat"]),
    st.booleans(),
)  # fmt: skip
def test_an_english_session_is_named_on_either_side(what: str, when: str, first: bool) -> None:
    text = f"{when}, {what}." if first else f"{what} {when}."
    (span,) = passing_spans(text)
    assert span.turns is None and blanked(text, [span]).strip(" ,.") == what


@pytest.mark.parametrize(("words", "number"), NUMBERS)
def test_rounds_are_numbers_in_digits_or_words(words: str, number: int) -> None:
    if words.isascii() and not words.isdecimal():
        texts = [f"for the next {words} replies, be brief"]
    else:
        texts = [f"接下来{words}轮都说短一点", f"接下来的{words}条消息里说短一点"]
    assert [[span.turns for span in passing_spans(text)] for text in texts] == [[number]] * len(texts)


@pytest.mark.parametrize(
    "text",
    ["接下来三天我在上海", "这次聊天很开心", "for the next two weeks", "In this chat you said no.", "this session was long", "for the next many replies", "接下来零轮"],
)  # fmt: skip
def test_days_stories_and_what_is_no_number_name_no_while(text: str) -> None:
    assert passing_spans(text) == []


@given(st.text(max_size=200))
def test_blanking_moves_nothing(text: str) -> None:
    assert len(blanked(text, passing_spans(text))) == len(text)
