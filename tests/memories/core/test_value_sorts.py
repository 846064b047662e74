"""An attribute of a known sort takes only values of that sort, in both languages, however they are put."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from memories.core.extraction import extract
from memories.core.extraction.attributes import accepts

NOW = datetime(2026, 5, 6, 9, tzinfo=UTC)


@pytest.mark.parametrize(
    ("attribute", "values"),
    [
        ("phone", ["555-0142", "13811112222", "+1 (555) 010-0199", "0571 8888 1234 转 8", "一三八零零零零一二三四"]),
        ("email", ["ida@example.org", "ida at example dot org"]),
        ("weight", ["about 62 kilos", "不到60公斤", "一百二十斤", "nine stone", "125"]),
        ("height", ["一米七五", "5'8\"", "five foot eight"]),
        ("age", ["42", "三十五岁", "in my thirties", "奔四", "forty-two"]),
        ("salary", ["税后两万", "about $5,000 a month", "七位数"]),
        ("price", ["free", "免费", "面议", "五块"]),
        ("birthday", ["正月十五", "the third of May", "Christmas Day", "in June", "除夕"]),
        ("time", ["3pm", "下午三点", "after lunch", "TBD", "月底", "next Friday"]),
        ("name", ["bob", "Jo van der Berg", "张一鸣", "三石", "maria de la cruz"]),
        ("color", ["anything", "什么都行"]),
    ],
)  # fmt: skip
def test_values_of_the_sort_are_taken(attribute: str, values: list[str]) -> None:
    assert [value for value in values if not accepts(attribute, value)] == []


@pytest.mark.parametrize(
    ("attribute", "values"),
    [
        ("phone", ["dead", "静音", "a Pixel 8", "飞行模式", ""]),
        ("email", ["full", "登不上", "Gmail"]),
        ("weight", ["一个秘密", "a secret", "稳定"]),
        ("age", ["just a number", "保密的事"]),
        ("salary", ["too low", "个笑话"]),
        ("birthday", ["coming up", "个谜"]),
        ("time", ["money", "宝贵的", "42"]),
        ("name", ["hard to spell", "spelled with a K", "了辆车", "两份盒饭"]),
        ("plate", ["dirty", "歪的"]),
    ],
)
def test_what_is_only_said_of_it_is_refused(attribute: str, values: list[str]) -> None:
    assert [value for value in values if accepts(attribute, value)] == []


@pytest.mark.parametrize(
    "text",
    [
        "My phone is out of battery.", "My mobile number is unlisted.", "My email is acting up.", "My name is hard to spell.",
        "My salary is a joke.", "My age is just a number.", "我的电话是静音的", "我的邮箱是满的", "我的年龄是个秘密", "我的车牌是歪的",
        "我的工资不再是秘密",
    ],
)  # fmt: skip
def test_no_such_fact_is_read(text: str) -> None:
    read = extract(text, role="user", speaker="", said_at=NOW, tz=UTC)
    sorted_ = {"phone", "email", "name", "salary", "age", "plate"}
    assert [one.value for one in read if one.attribute in sorted_] == []


@pytest.mark.parametrize(
    ("text", "attribute", "value"),
    [
        ("My phone number is 555-0142.", "phone", "555-0142"),
        ("My name is Ida Brandt.", "name", "Ida Brandt"),
        ("我的电话是13811112222", "phone", "13811112222"),
        ("我的月薪是税后两万", "salary", "税后两万"),
    ],
)
def test_real_values_are_facts(text: str, attribute: str, value: str) -> None:
    read = extract(text, role="user", speaker="", said_at=NOW, tz=UTC)
    assert [(one.attribute, one.value) for one in read] == [(attribute, value)]


@pytest.mark.parametrize(
    "text", ["My phone is an iPhone 15.", "My phone is a Pixel 8 now.", "我的手机是小米14"]
)
def test_the_make_of_a_phone_is_not_its_number(text: str) -> None:
    (read,) = extract(text, role="user", speaker="", said_at=NOW, tz=UTC)
    assert (read.subject, read.attribute, read.kind) == ("user", "phone_model", "fact")


def test_a_day_is_no_amount_of_money() -> None:
    assert not accepts("rent", "the 5th")
    assert accepts("rent", "$900 a month")
