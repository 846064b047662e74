"""Dates and times in both languages, resolved against the moment of speaking; what is vague or wrong yields nothing."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memories.core.errors import NaiveTimeError
from memories.core.times.parsing import Precision, is_recurring, parse_times

SHANGHAI = ZoneInfo("Asia/Shanghai")
NOW = datetime(2024, 3, 6, 14, 30, tzinfo=SHANGHAI)  # a Wednesday


def when(text: str, now: datetime = NOW) -> tuple[str, str]:
    """Start and end of the only interval in the text."""
    (span,) = parse_times(text, now, SHANGHAI)
    return span.start.strftime("%Y-%m-%d %H:%M"), span.end.strftime("%Y-%m-%d %H:%M")


def day(text: str) -> str:
    start, end = when(text)
    assert datetime.fromisoformat(end) - datetime.fromisoformat(start) == timedelta(days=1)
    return start[:10]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("昨天我去看了展览", "2024-03-05"),
        ("前天", "2024-03-04"),
        ("大后天出发", "2024-03-09"),
        ("三天后", "2024-03-09"),
        ("10天前", "2024-02-25"),
        ("下周三", "2024-03-13"),
        ("上周五", "2024-03-01"),
        ("下下周一", "2024-03-18"),
        ("这周日", "2024-03-10"),
        ("3月5日", "2024-03-05"),
        ("十月一号", "2024-10-01"),
        ("2023年12月10日", "2023-12-10"),
        ("去年5月20号", "2023-05-20"),
        ("上个月15号", "2024-02-15"),
        ("yesterday", "2024-03-05"),
        ("the day after tomorrow", "2024-03-08"),
        ("in two days", "2024-03-08"),
        ("three days ago", "2024-03-03"),
        ("next Friday", "2024-03-15"),
        ("last Saturday", "2024-03-02"),
        ("by Friday", "2024-03-08"),
        ("on May 5th", "2024-05-05"),
        ("the 7th of May, 2023", "2023-05-07"),
        ("2024-02-29", "2024-02-29"),
    ],
)
def test_a_day_is_found(text: str, expected: str) -> None:
    assert day(text) == expected


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("下周三下午三点", "2024-03-13 15:00", "2024-03-13 16:00"),
        ("明早8点半", "2024-03-07 08:30", "2024-03-07 08:31"),
        ("今晚", "2024-03-06 18:00", "2024-03-07 00:00"),
        ("晚上12点", "2024-03-07 00:00", "2024-03-07 01:00"),
        ("上个月", "2024-02-01 00:00", "2024-03-01 00:00"),
        ("去年", "2023-01-01 00:00", "2024-01-01 00:00"),
        ("两周前", "2024-02-19 00:00", "2024-02-26 00:00"),
        ("半小时后", "2024-03-06 15:00", "2024-03-06 16:00"),
        ("3月5日到3月8日", "2024-03-05 00:00", "2024-03-09 00:00"),
        ("本周末", "2024-03-09 00:00", "2024-03-11 00:00"),
        ("next Friday at 3pm", "2024-03-15 15:00", "2024-03-15 16:00"),
        ("at 3:30 pm tomorrow", "2024-03-07 15:30", "2024-03-07 15:31"),
        ("tomorrow morning at 9", "2024-03-07 09:00", "2024-03-07 10:00"),
        ("in March", "2024-03-01 00:00", "2024-04-01 00:00"),
        ("two weeks ago", "2024-02-19 00:00", "2024-02-26 00:00"),
        ("from May 3 to May 5", "2024-05-03 00:00", "2024-05-06 00:00"),
        ("in 2019", "2019-01-01 00:00", "2020-01-01 00:00"),
    ],
)
def test_an_interval_is_as_wide_as_the_words(text: str, start: str, end: str) -> None:
    assert when(text) == (start, end)


@pytest.mark.parametrize(
    "text",
    ["过几天再说", "最近很忙", "有空聊", "15号楼", "3号线", "二月三十日", "一年级", "第三天", "版本2.3.4", "3点开会",
     "合同编号2024-88-99", "a few days ago", "soon", "I may go", "he marched on", "I sat in the sun", "Feb 30", "at 20 percent",
     "one of 5 people", "at 3 we meet", "早上好"],
)  # fmt: skip
def test_what_is_vague_or_no_time_at_all_yields_nothing(text: str) -> None:
    assert parse_times(text, NOW, SHANGHAI) == []


@pytest.mark.parametrize(
    "text", ["每周三10:00开会", "我每天早上跑步", "every Wednesday at 10:00", "we meet weekly", "on Mondays"]
)
def test_a_habit_is_no_date(text: str) -> None:
    assert is_recurring(text)
    assert parse_times(text, NOW, SHANGHAI) == []


def test_an_hour_without_a_half_of_the_day_keeps_the_day_open() -> None:
    (span,) = parse_times("明天3点开会", NOW, SHANGHAI)
    assert span.precision is Precision.DAY
    assert span.span == "明天3点"


@pytest.mark.parametrize(
    ("text", "expected"),
    [("我12月去了北海", "2023-12-01"), ("我1月要去北海", "2025-01-01"), ("I went there in December", "2023-12-01"), ("I will go in January", "2025-01-01")],
)  # fmt: skip
def test_a_date_without_a_year_lies_where_the_sentence_looks(text: str, expected: str) -> None:
    assert when(text)[0][:10] == expected


def test_the_day_is_the_speakers_not_the_servers() -> None:
    late = datetime(2024, 3, 6, 20, 0, tzinfo=UTC)  # already the 7th in Shanghai
    assert parse_times("昨天", late, SHANGHAI)[0].start.date() == date(2024, 3, 6)
    assert parse_times("昨天", late, UTC)[0].start.date() == date(2024, 3, 5)


def test_three_in_the_afternoon_stays_so_when_the_clocks_change() -> None:
    berlin = ZoneInfo("Europe/Berlin")
    eve = datetime(2024, 3, 30, 12, tzinfo=berlin)
    (span,) = parse_times("tomorrow at 3pm", eve, berlin)
    assert (span.start.hour, span.start.utcoffset()) == (15, timedelta(hours=2))


def test_a_moment_without_a_zone_is_refused() -> None:
    with pytest.raises(NaiveTimeError):
        parse_times("昨天", datetime(2024, 1, 1), UTC)  # noqa: DTZ001


moments = st.datetimes(datetime(1990, 1, 1), datetime(2090, 1, 1), timezones=st.just(SHANGHAI))  # noqa: DTZ001
pieces = st.lists(
    st.sampled_from(["昨天", "明天", "下周三", "3月5日", "二月三十日", "下午三点", "15号", "前", "后", "三", "天", "个月", "yesterday", "at", "3pm", "next", "Friday", "May", "5", "2", "weeks", "ago", "in", "every", "每周", "10:00", "99", "到", "的", "，"])
    | st.text(max_size=4),
    max_size=8,
)  # fmt: skip


@given(pieces, moments)
def test_any_text_yields_ordered_nonempty_spans_that_stand_in_it(words: list[str], now: datetime) -> None:
    text = " ".join(words)
    last = 0
    for span in parse_times(text, now, SHANGHAI):
        assert span.start < span.end
        assert span.start.tzinfo is not None
        assert text[span.begin : span.finish] == span.span
        assert span.begin >= last
        last = span.finish


@given(st.integers(1, 400), moments)
def test_counting_days_forward_and_back_is_exact_in_both_languages(n: int, now: datetime) -> None:
    for text, offset in ((f"{n}天后", n), (f"{n}天前", -n), (f"in {n} days", n), (f"{n} days ago", -n)):
        (span,) = parse_times(text, now, SHANGHAI)
        assert span.start.date() == now.date() + timedelta(days=offset)


@given(st.dates(date(2000, 1, 1), date(2080, 1, 1)), moments)
def test_a_full_date_is_that_day_whenever_it_is_said(wanted: date, now: datetime) -> None:
    for text in (
        f"{wanted.year}年{wanted.month}月{wanted.day}日",
        wanted.isoformat(),
        f"{wanted:%B} {wanted.day}, {wanted.year}",
    ):
        (span,) = parse_times(text, now, SHANGHAI)
        assert span.start.date() == wanted
        assert span.precision is Precision.DAY


@pytest.mark.parametrize(
    ("text", "day"),
    [("元旦去了泉州", (2026, 1, 1)), ("圣诞节要聚餐", (2026, 12, 25)), ("去年国庆节结的婚", (2025, 10, 1)), ("2027年劳动节要出门", (2027, 5, 1))],
)  # fmt: skip
def test_a_holiday_with_a_fixed_date_is_that_day(text: str, day: tuple[int, int, int]) -> None:
    now = datetime(2026, 3, 4, 9, tzinfo=UTC)
    (span,) = parse_times(text, now, UTC)
    assert (span.start.year, span.start.month, span.start.day) == day


@pytest.mark.parametrize(
    "text", ["春节回家", "中秋要吃月饼", "国庆期间出门", "元旦前交稿", "圣诞老人", "冬天来过"]
)
def test_a_season_or_a_feast_that_moves_is_never_given_a_date(text: str) -> None:
    assert parse_times(text, datetime(2026, 3, 4, 9, tzinfo=UTC), UTC) == []
