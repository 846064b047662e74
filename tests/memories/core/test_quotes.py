"""An answer cites a memory by its number, by quoting it, or by a value that only it holds."""

from __future__ import annotations

import pytest

from memories.core.text.quotes import cited
from memories.core.values.keyvalues import key_values

ITEMS = {
    1: "项目的合同编号是 QF-2093",
    2: "用户喜欢在早上喝美式咖啡不加糖",
    3: "she moved to a flat near the harbour last spring",
    4: "预算上限是7300元",
}


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("见 [1]。", {1}),
        ("Both agree [2, 3].", {2, 3}),
        ("看这条【4】", {4}),
        ("合同编号是QF-2093。", {1}),
        ("你说过喜欢在早上喝美式咖啡。", {2}),
        ("You said she moved to a flat near the water.", {3}),
        ("上限是 7300元，不要超过", {4}),
        ("好的，我知道了。", set()),
        ("It is QF-20931 and [9].", set()),
        ("I moved to a flat.", set()),
    ],
)
def test_citations_are_found(answer: str, expected: set[int]) -> None:
    assert cited(answer, ITEMS) == expected


def test_an_id_counts_with_and_without_its_prefix() -> None:
    assert cited("as said in [m:ab-12]", {"ab-12": "x", "cd-34": "y"}) == {"ab-12"}


def test_repeating_the_question_is_no_citation() -> None:
    assert cited("QF-2093 我不清楚", ITEMS, question="QF-2093 是什么？") == set()


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("合同编号 QF-2093，负责人周晓岚，每周四下午三点开会", ["QF-2093", "周晓岚", "每周四", "下午三点"]),
        (
            "Priya Raman pays $7,300.50 by March 18, 2026 at 3pm.",
            ["Priya Raman", "$7,300.50", "March 18, 2026", "3pm"],
        ),
        ("用 `make up` 启动 src/app.py，端口 8000，超时30秒", ["`make up`", "src/app.py", "8000", "30秒"]),
        ("1. first\n2. second", []),
        ("一个人去走走，等几天再说", []),
        ("见《雪国》和 https://lanting.example/a?b=1", ["《雪国》", "https://lanting.example/a?b=1"]),
    ],
)
def test_key_values_are_found_verbatim(text: str, values: list[str]) -> None:
    found = key_values(text)
    assert [value.text for value in found] == values
    assert all(text[value.start : value.end] == value.text for value in found)
