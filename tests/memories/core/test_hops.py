"""One hop: what the best row is about leads to what else was said about it, never above it."""

from __future__ import annotations

import pytest

from memories.core.questions.hops import LONGEST, hops

NOISE = [{f"noise{at}", f"other{at}"} for at in range(30)]


def test_what_is_said_about_the_one_whom_the_best_row_names_is_pulled_up() -> None:
    rows = [{"marit", "work", "tromsø"}, {"marit", "phone", "5512"}, {"jonas", "phone", "7781"}, *NOISE]
    gains = hops(rows, [0.9, 0.4, 0.45, *([0.3] * len(NOISE))], ["phone", "tromsø", "work"])
    assert gains[0] == 0
    assert gains[1] > 0.2
    assert gains[2] == 0


def test_nothing_is_pulled_above_its_anchor() -> None:
    rows = [{"a", "b"}, {"a", "c"}, *NOISE]
    scores = [0.9, 0.5, *([0.1] * len(NOISE))]
    gains = hops(rows, scores, ["b", "c"])
    assert scores[1] + gains[1] <= scores[0] + 1e-9


def test_the_same_words_again_are_no_hop() -> None:
    rows = [{"a", "b"}, {"a", "b"}, *NOISE]
    assert hops(rows, [0.9, 0.5, *([0.1] * len(NOISE))], ["b"])[1] == 0


def test_a_long_text_neither_starts_nor_ends_a_hop() -> None:
    long = {f"word{at}" for at in range(LONGEST + 1)}
    rows = [long | {"a"}, {"a", "c"}, {"b", "d"}, long | {"b"}, *NOISE]
    gains = hops(rows, [0.9, 0.3, 0.8, 0.2, *([0.1] * len(NOISE))], ["c"])
    assert gains[1] == 0
    assert gains[3] == 0


def test_chinese_says_as_much_in_twice_the_terms() -> None:
    name, told = {"a"}, {"a", "c"}
    words = [f"词{at}" for at in range(2 * LONGEST)]
    for more, pulled in ((LONGEST + 10, True), (2 * LONGEST, False)):
        rows = [name | {"b"}, told | set(words[:more]), *NOISE]
        assert (hops(rows, [0.9, 0.3, *([0.1] * len(NOISE))], ["b", "c"])[1] > 0) is pulled
    english = told | {f"word{at}" for at in range(LONGEST + 10)}
    assert hops([name | {"b"}, english, *NOISE], [0.9, 0.3, *([0.1] * len(NOISE))], ["b", "c"])[1] == 0


@pytest.mark.parametrize("rows", [[], [{"a"}], [{"a"}, {"a", "b"}]])
def test_few_rows_have_nothing_that_stands_out(rows: list[set[str]]) -> None:
    assert hops(rows, [0.5] * len(rows), ["a"]) == [0.0] * len(rows)
