"""Values written differently are equal when they measure the same, and only then."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memories.core.values.compare import narrows
from memories.core.values.forms import measured, value_form


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("两天", "2天"),
        ("下午两点", "14:00"),
        ("晚上7点半", "19:30"),
        ("5千", "5000"),
        ("六百人", "600人"),
        ("600名", "600人"),
        ("八个礼拜", "8周"),
        ("三个小时", "3小时"),
        ("一年半", "1.5年"),
        ("一米七", "170cm"),
        ("1.7米", "170公分"),
        ("12月5号", "十二月五日"),
        ("2026-04-12 9:00", "2026年4月12日上午九点"),
        ("¥4,800", "4800元"),
        ("4800块", "4,800元"),
        ("5公里", "5千米"),
        ("周六晚上七点", "星期六19:00"),
        ("上海市", "上海"),
    ],
)
def test_one_measure_has_one_form(one: str, other: str) -> None:
    assert value_form(one) == value_form(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [("两天", "两小时"), ("5千", "5万"), ("下午两点", "上午两点"), ("下周三", "下下周三"), ("三点", "15:00"), ("4800元", "4800美元"), ("KX-1", "KX-2")],
)  # fmt: skip
def test_other_measures_have_other_forms(one: str, other: str) -> None:
    assert value_form(one) != value_form(other)


@given(
    st.text(
        "零一二两三四五六七八九十百千万半0123456789.,:点分天日月年周号个人元块岁米上下午晚-市省 KX",
        max_size=14,
    )
)
def test_the_form_of_a_form_is_itself(text: str) -> None:
    assert measured(measured(text)) == measured(text)


def test_a_closer_value_is_no_other_value() -> None:
    assert narrows("绍兴", "浙江绍兴")
    assert narrows("设计", "平面设计")
    assert not narrows("喜欢", "不喜欢")
    assert not narrows("青岛", "青岛")
    assert not narrows("上海", "北京")
    assert not narrows("12", "123")


def test_noon_is_not_midnight_and_the_small_hours_are_no_afternoon() -> None:
    assert measured("中午12点") == "12:00"
    assert measured("晚上12点") == "24:00"
    assert measured("凌晨12点") == "00:00"
    assert measured("夜里1点") == "01:00"
    assert measured("夜里11点") == "23:00"


def test_a_run_of_numerals_is_no_number() -> None:
    assert measured("一" * 8_000) == "一" * 8_000


@pytest.mark.parametrize(("one", "other"), [("2 hours", "2h"), ("5 miles", "5 mi"), ("12 pages", "12 page")])
def test_english_units_are_one_however_they_are_written(one: str, other: str) -> None:
    assert value_form(one) == value_form(other)
