"""One form a value, however it is written; how two compare; and what sort each is, in Chinese and English alike."""

from __future__ import annotations

import time

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from memories.core.values.compare import leaves_out, names, narrows, same
from memories.core.values.forms import amount_of, measured, value_form
from memories.core.values.numerals import en_number, zh_number
from memories.core.values.sorts import Sort, is_hard, same_sort, same_unit, sort_of, stands_for, unit_of

SAME = [
    ("2h", "2 hours"), ("2h", "两个小时"), ("5 miles", "5 mi"), ("12 pages", "12 page"), ("100人左右", "100人"), ("约100人", "100人"),
    ("1万5", "15000"), ("1万5千", "一万五"), ("9点半", "9:30"), ("两个小时", "2小时"), ("十个人", "10人"), ("$600", "600 dollars"),
    ("USD 600", "600美元"), ("600 EUR", "€600"), ("$600 a month", "$600/month"), ("$600 monthly", "每月600美元"), ("$4k", "4000美元"),
    ("$1.5 million", "150万美元"), ("March 5th", "3月5号"), ("5 March 2024", "2024年3月5日"), ("3pm", "下午三点"), ("noon", "中午12点"),
    ("on Friday", "周五"), ("Wednesday", "星期三"), ("two hours", "2 hrs"), ("twenty-one", "21"), ("百分之五", "5 percent"),
    ("three times a week", "每周3次"), ("138-0013-8000", "13800138000"), ("3.50元", "3.5元"), ("about 20 people", "20人"), ("10 years old", "10岁"),
    ("600元一个月", "每月600元"), ("六月的十三号", "June 13"),
]  # fmt: skip
OTHER = [
    ("50 pounds", "£50"), ("3.10", "3.1"), ("100多人", "100人"), ("三点", "15:00"), ("5m", "5 metres"), ("600 EUR", "$600"), ("600元", "600日元"),
    ("1234567890123元", "1234567890124元"), ("2h", "2 min"), ("3月5日", "3月15日"), ("周一", "周日"), ("第3天", "3天"), ("12am", "12pm"), ("一个人", "每人"), ("一年", "每年"), ("v1.10", "v1.1"),
]  # fmt: skip
PARTS = st.sampled_from(
    [
        "0",
        "1",
        "12",
        "3.5",
        "1,250",
        "一",
        "两",
        "十五",
        "1万5",
        "百分之三",
        "半",
        "个",
        "小时",
        "hours",
        "h",
        "min",
        "天",
        "days",
        "元",
        "$",
        "€",
        "£",
        "600",
        "EUR",
        "pounds",
        "a",
        "month",
        "per",
        "week",
        "每月",
        "每",
        "/",
        "多",
        "左右",
        "约",
        "about",
        "or",
        "so",
        "点",
        ":",
        "30",
        "am",
        "pm",
        "下午",
        "晚上",
        "3月",
        "5号",
        "March",
        "5th",
        "2024",
        "-",
        "周三",
        "Friday",
        "KX-7",
        "km",
        "公里",
        "岁",
        "years",
        "old",
        "%",
        "人",
        "次",
        "杭州",
        "浙江",
        "blue",
        "Anna",
        ".",
        ",",
        "市",
        "~",
        "+",
        "号",
    ]
)
VALUES = st.lists(st.tuples(PARTS, st.sampled_from(["", " "])), min_size=1, max_size=6).map(
    lambda parts: "".join(part + gap for part, gap in parts).strip()
)


@pytest.mark.parametrize(("one", "other"), SAME)
def test_written_differently_is_the_same(one: str, other: str) -> None:
    assert value_form(one) == value_form(other)
    assert same(one, other)


@pytest.mark.parametrize(("one", "other"), OTHER)
def test_what_measures_something_else_has_another_form(one: str, other: str) -> None:
    assert value_form(one) != value_form(other)


@settings(max_examples=600)
@given(VALUES)
def test_the_form_of_a_form_is_itself(value: str) -> None:
    assert measured(measured(value)) == measured(value)
    assert value_form(value_form(value)) == value_form(value)


@settings(max_examples=400)
@given(st.text(max_size=30))
def test_any_text_has_a_form_that_is_its_own(text: str) -> None:
    assert value_form(value_form(text)) == value_form(text)
    assert same(text, text)


@settings(max_examples=400)
@given(VALUES, VALUES)
def test_comparisons_are_symmetric_and_exclude_each_other(one: str, other: str) -> None:
    for compare in (same, leaves_out, narrows, same_sort):
        assert compare(one, other) == compare(other, one)
    assert not (value_form(one) == value_form(other) and narrows(one, other))
    assert not leaves_out(one, one)


@given(
    st.integers(1, 10**9),
    st.sampled_from(["$", "€", "£", "¥"]),
    st.sampled_from(["dollars", "euros", "元", "gbp"]),
)
def test_two_currencies_are_never_one_value(number: int, sign: str, name: str) -> None:
    one, other = f"{sign}{number}", f"{number} {name}"
    assume(unit_of(one) != unit_of(other))
    for compare in (same, leaves_out, narrows, names, same_sort):
        assert not compare(one, other)
        assert not compare(f"{one} a month", other)


def test_a_word_for_money_and_weight_is_either() -> None:
    assert same("50 pounds", "£50")
    assert same("50 lb", "50 pounds")
    assert not same("£50", "50 lb")


def test_what_only_says_more_is_no_other_value() -> None:
    assert narrows("$1,250", "$1,250 a month")
    assert narrows("600", "600元")
    assert narrows("三点", "下午三点")
    assert not narrows("三点", "下午四点")
    assert not narrows("15:00", "凌晨3点")
    assert not leaves_out("$600 a week", "$600 a month")
    assert not leaves_out("5", "5 km")


@pytest.mark.parametrize(
    ("value", "sort"),
    [("$600 a month", Sort.MONEY), ("600", Sort.NUMBER), ("12%", Sort.PERCENT), ("next Friday at nine", Sort.DATE), ("下周三", Sort.DATE),
     ("3月5号", Sort.DATE), ("3pm", Sort.TIME), ("下午三点", Sort.TIME), ("KX-12", Sort.CODE), ("anna@example.org", Sort.ADDRESS), ("《三体》", Sort.TITLE),
     ("Anna Lee", Sort.NAME), ("张伟", Sort.NAME), ("杭州", Sort.PLACE), ("blue", Sort.WORDS), ("蓝色", Sort.WORDS), ("about 5 miles", Sort.AMOUNT),
     ("三个月", Sort.AMOUNT), ("两千块", Sort.MONEY)],
)  # fmt: skip
def test_the_sort_of_a_value(value: str, sort: Sort) -> None:
    assert sort_of(value) is sort


def test_one_stands_in_the_place_of_another_of_its_sort() -> None:
    assert same_sort("$600", "$700 a month")
    assert same_sort("周三", "3pm")
    assert same_sort("5 km", "7")
    assert not same_sort("$600", "€600")
    assert not same_sort("60%", "60")
    assert same_unit("5 km", "7 kilometres")
    assert same_unit("", "7")
    assert not same_unit("blue", "7")
    assert stands_for("$600 a month", "700")
    assert not stands_for("", "two words")
    assert is_hard("call me at 5551234")
    assert not is_hard("a quiet street")


LONG = ["1", "一", "9", "万", "2h ", "1万5", "$", "9点半", "3月", "周", "March 5 ", "twenty ", "1,", "1.", "年", ":", "多", "百分之", "a", "每", "约", "5 pounds ", "Mon"]  # fmt: skip


@pytest.mark.parametrize("unit", LONG)
def test_a_long_text_neither_fails_nor_hangs(unit: str) -> None:
    for size in (399, 8_000):
        text = (unit * size)[:size]
        begun = time.process_time()
        for read in (value_form, measured, amount_of, sort_of, unit_of, zh_number, en_number):
            read(text)
        for compare in (same, narrows, leaves_out, names):
            compare(text, text[:-1])
        assert time.process_time() - begun < 1.5
