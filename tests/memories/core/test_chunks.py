"""Long texts are cut on sentence bounds into overlapping pieces that cover every character."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memories.core.text.chunks import chunk
from memories.core.text.sentences import clauses, sentences
from memories.core.text.tokens import count

TEXTS = st.lists(
    st.one_of(
        st.sampled_from(
            [
                "我们在周三确定了方案。",
                "Then we left, and it rained. ",
                "价格是 3.5 元；",
                "\n\n",
                "Really?! ",
                "好" * 60,
            ]
        ),
        st.text(max_size=80),
    ),
    max_size=60,
).map("".join)


@given(TEXTS)
def test_chunks_cover_the_text_in_order_and_stay_within_their_size(text: str) -> None:
    chunks = chunk(text, len, size=(40, 100))
    if not text.strip():
        assert chunks == []
        return
    assert chunks[0].start == 0 and chunks[-1].end == len(text)
    for piece in chunks:
        assert piece.text == text[piece.start : piece.end]
        assert 0 < len(piece.text) <= 100
    for before, after in itertools.pairwise(chunks):
        assert before.start < after.start <= before.end < after.end


@given(TEXTS)
def test_sentences_and_clauses_cover_the_text(text: str) -> None:
    for bounds in (sentences(text), clauses(text)):
        assert "".join(text[start:end] for start, end in bounds) == text


@pytest.mark.parametrize(
    "sentence",
    [
        "今天我们讨论了第三季度的预算和人员安排，结论是先招两名工程师。",
        "We talked about the budget for the third quarter and will hire two engineers. ",
    ],
)
def test_real_prose_gives_200_to_500_tokens_with_overlap_on_sentence_bounds(sentence: str) -> None:
    text = sentence * 120
    chunks = chunk(text)
    assert len(chunks) > 3
    for piece in chunks:
        assert 200 <= count(piece.text) <= 500
        assert piece.start % len(sentence) == 0
        assert piece.end % len(sentence) == 0
    for before, after in itertools.pairwise(chunks):
        assert after.start < before.end


def test_a_short_text_is_one_chunk_and_a_blank_one_none() -> None:
    assert [piece.text for piece in chunk("短文。")] == ["短文。"]
    assert chunk(" \n ") == []


def test_impossible_sizes_are_refused() -> None:
    with pytest.raises(ValueError, match="low"):
        chunk("x", size=(5, 2))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Mr. Lee paid $3.5 at 9 a.m. today. He left.", ["Mr. Lee paid $3.5 at 9 a.m. today. ", "He left."]),
        (
            "v2.3.1 is out! 说好了。他说：“走吧。”然后走了",
            ["v2.3.1 is out! ", "说好了。", "他说：“走吧。”", "然后走了"],
        ),
        ("第一行\n第二行", ["第一行\n", "第二行"]),
    ],
)
def test_sentence_bounds_know_abbreviations_numbers_and_quotes(text: str, expected: list[str]) -> None:
    assert [text[start:end] for start, end in sentences(text)] == expected
