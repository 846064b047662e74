"""Canonical forms and the guards that stand before a merge."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memories.core.values import normalise
from memories.core.values.compare import same_claim
from memories.core.values.normalise import canonical, negated, slot_key
from memories.core.values.numerals import en_number, zh_number


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("我喜欢咖啡", "我 喜欢咖啡！"),
        ("我喜欢咖啡啊", "我喜欢咖啡。"),
        ("I like tea", "i like  TEA."),
        ("编号是ＫＸ－７７３１", "编号是KX-7731"),
        ("Budget: 4,800", "budget 4800"),
        ("Don't be late", "Don’t be late!"),
    ],
)
def test_trivially_different_texts_are_the_same(one: str, other: str) -> None:
    assert canonical(one) == canonical(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("我喜欢咖啡", "我不喜欢咖啡"),
        ("at 3pm", "at 4pm"),
        ("版本 2.1", "版本 21"),
        ("10:30", "1030"),
        ("你住在杭州", "你住在杭州？"),
        ("a-1", "a1"),
        ("I use C", "I use C++"),
        ("-5 度", "5 度"),
    ],
)
def test_texts_that_differ_in_a_value_a_negation_or_a_question_are_not(one: str, other: str) -> None:
    assert canonical(one) != canonical(other)


@given(st.text(max_size=80) | st.text(alphabet="我你喜欢不3.,:-?？！ aB's啊了", max_size=40))
def test_canonical_is_idempotent(text: str) -> None:
    form = canonical(text)
    assert canonical(form) == form


@given(st.text(max_size=60))
def test_surrounding_space_and_case_never_count(text: str) -> None:
    assert canonical(f"  {text}\n") == canonical(text)
    assert canonical(text.casefold()) == canonical(text)


@given(st.integers(0, 99999), st.integers(0, 99999))
def test_two_texts_with_different_numbers_never_make_the_same_claim(one: int, other: int) -> None:
    assert same_claim(f"预算是{one}元", f"预算是{other}元") == (one == other)
    assert same_claim(f"the limit is {one} users", f"the limit is {other} users") == (one == other)


def test_the_guard_sees_negation_times_and_the_same_value_written_otherwise() -> None:
    assert not same_claim("我喜欢咖啡", "我不喜欢咖啡")
    assert not same_claim("Meet at 3pm", "Meet at 4pm")
    assert not same_claim("I can swim", "I can't swim")
    assert same_claim("预算4,800元", "预算是4800块")
    assert same_claim("周三开会", "星期三开会")


def test_a_double_negation_is_none() -> None:
    assert negated("我不喜欢")
    assert not negated("我不是不喜欢")
    assert not negated("不过我喜欢")


def test_a_slot_is_the_same_whatever_the_case_and_spaces() -> None:
    assert slot_key("Anna ", "phone") == slot_key("anna", "Phone")
    assert slot_key("user", "phone") != slot_key("user", "home")


@pytest.mark.parametrize(
    ("text", "value"),
    [("十", 10), ("二十三", 23), ("一百零五", 105), ("两百五", 250), ("三万五", 35000), ("一亿两千万", 120000000), ("二〇二四", 2024), ("3.5万", 35000)],
)  # fmt: skip
def test_chinese_numerals_are_read(text: str, value: float) -> None:
    assert zh_number(text) == value


def test_what_is_no_number_is_none() -> None:
    assert zh_number("很多") is None
    assert zh_number("") is None
    assert en_number("one two") is None
    assert en_number("twenty-one") == 21


@settings(max_examples=300, deadline=None)
@given(st.text("ab 9.,'’!！？?你好啊吧哦-@_/Ａ１　\n", max_size=30) | st.text(max_size=20))
def test_a_canonical_form_is_the_end_of_all_its_steps(text: str) -> None:
    before, form = None, text
    while form != before:
        before, form = form, normalise._once(form)
    assert normalise.canonical(text) == form
