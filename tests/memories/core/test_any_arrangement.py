"""Whatever order words stand in, a turn is read to its end: a reader that stumbles would leave the turn unlearnt."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memories.core.extraction import extract

AT = datetime(2026, 3, 2, 9, tzinfo=UTC)


def words(text: str) -> list[str]:
    return text.split()


CHINESE = words(
    "我 我们 我妈 她 他们 妹妹 的 是 在 有 了 不 没 三天 十年 两小时 300元 5个 改成 换成 搬到 上海 周五 下午3点 电话 地址 公司 喜欢 从 "
    "到 现在 以前 每月 ， 。 和 也 刚 又 血糖 8.5 把 被 给 说 第2次 13800138000 a@b.cn 《书》 叫 住"
)
ENGLISH = words(
    "I we my sister her he the is in was not three days 300 euros moved to Leeds now no longer Friday at 3 pm phone number company "
    "likes from every month , . and also just again with called lives 13800138000 a@b.cn by of for never used switched it"
)


def read(text: str) -> None:
    for one in extract(text, role="user", speaker="", said_at=AT, tz=ZoneInfo("Asia/Shanghai")):
        assert one.content


@settings(max_examples=400)
@given(st.lists(st.sampled_from(CHINESE), min_size=1, max_size=9).map("".join))
def test_chinese_words_in_any_order(text: str) -> None:
    read(text)


@settings(max_examples=400)
@given(st.lists(st.sampled_from(ENGLISH), min_size=1, max_size=9).map(" ".join))
def test_english_words_in_any_order(text: str) -> None:
    read(text)


@pytest.mark.parametrize(
    "text", ["我们三天", "我妈十年了", "我妈每月十天", "把改成三天", "把搬到第2次13800138000"]
)
def test_a_value_of_nothing_is_no_fact_and_no_fall(text: str) -> None:
    read(text)
