"""One splitter for all who read clauses: each cut is finer than the one before, and an order behind a fact is no part of it."""

from __future__ import annotations

from datetime import UTC, datetime
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memories.core.extraction.engine import extract
from memories.core.forgetting.marks import masked
from memories.core.forgetting.reach import named_reach
from memories.core.forgetting.targets import targets
from memories.core.forgetting.texts import Spec, spans
from memories.core.text.clauses import phrases, statements

NUMBER = "5551234"
AT = datetime(2026, 3, 2, tzinfo=UTC)
PIECES = st.sampled_from(
    ["My phone is 5551234", "I live in Bonn, Germany", "call me after 5", "我的电话是5551234", "会议在周三", "it costs $1,250", "and my sister sings"]
)  # fmt: skip
JOINTS = st.sampled_from([", ", "; ", "，", " - ", "——", ", and ", "、", ". ", "。", "\n", ", so "])


@pytest.mark.parametrize(
    "text",
    [
        f"My phone is {NUMBER}, call me after 5.",
        f"My phone number is {NUMBER}, and please text me on Mondays.",
        f"My phone is {NUMBER}; the hotel is near the lake.",
        f"My phone is {NUMBER} and my sister lives in Bonn.",
    ],
)
def test_what_stands_beside_a_fact_outlives_it(text: str) -> None:
    [target] = targets("Forget my phone number")
    left = masked(text, spans(text, Spec(named_reach(target), values=frozenset({NUMBER}))))
    assert NUMBER not in left
    assert text.rstrip(".").rsplit(" ", 2)[-1] in left


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (f"My phone is {NUMBER}, call me after 5.", NUMBER),
        ("I live in Bonn, Germany.", "Bonn, Germany"),
        ("My address is 12 Oak Street, Springfield.", "12 Oak Street, Springfield"),
    ],
)
def test_an_order_is_no_part_of_a_value_and_a_place_in_a_place_is(text: str, value: str) -> None:
    [found] = extract(text, role="user", speaker="", said_at=AT, tz=UTC)
    assert found.value == value


@settings(max_examples=200)
@given(st.lists(st.tuples(PIECES, JOINTS), min_size=1, max_size=5))
def test_pieces_are_disjoint_trimmed_in_order_and_within_statements(parts: list[tuple[str, str]]) -> None:
    text = "".join(f"{piece}{joint}" for piece, joint in parts)
    small = [(start, end) for start, end, _ in phrases(text)]
    for (_, end), (start, _) in pairwise(small):
        assert end <= start
    assert all(text[start:end] == text[start:end].strip(" ,，、;；.。\n") != "" for start, end in small)
    sentence = text.split("\n")[0].split("。")[0].split(". ")[0]
    bounds = statements(sentence)
    for start, end, _ in phrases(sentence):
        assert any(low <= start and end <= high + 1 for low, high in bounds)
