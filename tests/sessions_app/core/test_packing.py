"""Recalled entries fill the room that they are given: whole, in order, nothing twice, digests by their parts."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime

from hypothesis import given, settings
from hypothesis import strategies as st

from memories.core.text.lexical import terms
from memories.core.text.tokens import count
from sessions_app.core.packing import Packed, opened, pack
from sessions_app.core.pieces import Entry

NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
LABEL = 20
SHORT = "Lena plays the cello on Sundays."
LONG = (
    "The shelves came late again. " * 12
    + "Lena lent the ladder to Viktor. "
    + "Nobody minded the noise. " * 12
)
DIGEST = (
    "[2026-02-10] Lena: The ladder went to Viktor. The soup was cold.\n"
    "Viktor: I painted the shed green.\n"
    "[2026-02-11] Lena: Viktor gave the ladder back."
)


def entry(text: str, kind: str = "fact") -> Entry:
    return Entry(uuid.uuid4(), "memory", kind, text, NOW)


def cost(_: Entry, text: str) -> int:
    return LABEL + count(text)


def packed(
    *entries: Entry, room: int = 400, cap: int = 200, least: int = 0, asked: str = "ladder"
) -> list[Packed]:
    wanted = frozenset(terms(asked))
    return pack(entries, wanted, room=room, entry_cap=cap, least=least, cost=cost)


def test_everything_goes_in_whole_and_in_order_while_there_is_room() -> None:
    entries = [entry(SHORT), entry("Viktor owns a red bicycle."), entry("The meeting is on Friday.")]
    assert [one.entry for one in packed(*entries)] == entries
    assert [one.text for one in packed(*entries)] == [one.text for one in entries]


def test_a_smaller_one_takes_the_place_of_one_that_does_not_fit() -> None:
    big, small = entry("Each box on the upper floor was counted twice. " * 10), entry(SHORT)
    assert [one.entry for one in packed(big, small, room=LABEL + 15)] == [small]


def test_the_first_that_does_not_fit_whole_comes_with_its_part_about_the_question() -> None:
    [one] = packed(entry(LONG), room=LABEL + 40)
    assert "Lena lent the ladder to Viktor." in one.text
    assert count(one.text) <= 40


def test_the_best_go_in_whatever_room_there_is() -> None:
    best, next_best, third = (
        entry(SHORT),
        entry("Viktor owns a red bicycle."),
        entry("The meeting is on Friday."),
    )
    assert [one.entry for one in packed(best, next_best, third, room=0, least=2)] == [best, next_best]


def test_what_stands_in_an_entry_before_it_does_not_come_again() -> None:
    turn, said_again = entry(f"By the way, {SHORT} She is good."), entry(SHORT.upper())
    assert [one.entry for one in packed(turn, said_again)] == [turn]
    assert [one.entry for one in packed(said_again, turn)] == [said_again, turn]


def test_a_digest_is_opened_into_the_sentences_about_the_question() -> None:
    text = opened(DIGEST, frozenset(terms("Who has the ladder?")), 200)
    assert (
        text
        == "[2026-02-10] Lena: The ladder went to Viktor.\n[2026-02-11] Lena: Viktor gave the ladder back."
    )


def test_a_sentence_keeps_the_day_that_its_digest_told_further_up() -> None:
    text = opened(DIGEST, frozenset(terms("Which colour was the shed painted?")), 200)
    assert text == "[2026-02-10] Viktor: I painted the shed green."


def test_a_chinese_digest_is_opened_too() -> None:
    digest = "[2026-02-10] 我把梯子借给了魏宁。晚饭吃了面。\n[2026-02-12] 魏宁把梯子还回来了。"
    text = opened(digest, frozenset(terms("梯子在谁那里")), 200)
    assert text == "[2026-02-10] 我把梯子借给了魏宁。\n[2026-02-12] 魏宁把梯子还回来了。"


def test_a_digest_without_a_word_of_the_question_shows_its_beginning() -> None:
    assert opened(DIGEST, frozenset(terms("weather")), 12).startswith("[2026-02-10]")


@settings(max_examples=80)
@given(
    st.lists(st.sampled_from([SHORT, LONG, DIGEST, "好的。", "", "x" * 300]), max_size=8),
    st.integers(-50, 600),
    st.integers(5, 300),
)
def test_the_room_is_never_exceeded(texts: list[str], room: int, cap: int) -> None:
    made = packed(
        *(entry(text, "digest" if text == DIGEST else "fact") for text in texts), room=room, cap=cap
    )
    assert sum(cost(one.entry, one.text) for one in made) <= max(room, 0)
