"""What counts as retained, and as stale: whole words and numbers, read sentence by sentence."""

from __future__ import annotations

import pytest

from sessions_app.evaluation.matching import stands_in, stands_unmarked


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("4800", "the limit is 14800 euros"),
        ("4800", "the limit is 48000 euros"),
        ("KX-7731", "see KX-77312"),
        ("room B20", "room B205"),
        ("Owen", "Owens said so"),
    ],
)
def test_a_part_of_a_longer_word_or_number_does_not_count(value: str, text: str) -> None:
    assert not stands_in(value, text)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("KX-7731", "合同编号是KX-7731。"),
        ("kx-7731", "The number is KX-7731."),
        ("林岚", "负责人是林岚"),
        ("10:00", "每周三10:00开会"),
    ],
)
def test_a_whole_value_counts_in_any_case_and_next_to_chinese(value: str, text: str) -> None:
    assert stands_in(value, text)


def test_an_old_value_is_stale_where_it_stands_as_if_it_held() -> None:
    assert stands_unmarked("4800", "[1] [turn] 2026-03-02, user: The limit is 4800.", current="5200")


def test_an_old_value_in_a_line_marked_superseded_is_not_stale() -> None:
    assert not stands_unmarked("4800", "[1] [turn, superseded] 2026-03-02, user: The limit is 4800.")


def test_a_sentence_that_tells_of_the_change_is_not_stale_but_its_neighbour_is() -> None:
    change = "上限从4800元改成5200元。"
    assert not stands_unmarked("4800元", change, current="5200元")
    assert stands_unmarked("4800元", f"{change}上限是4800元。", current="5200元")
