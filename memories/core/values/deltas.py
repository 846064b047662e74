"""What a value comes to by a change that is told as a difference: "推迟一周" of 5月1号 is 5月8号, "涨了200" of 3000 is 3200."""

from __future__ import annotations

import re
from datetime import date, timedelta

from memories.core.values.numerals import ZH_NUMBER, zh_number

_UNITS_OF_TIME = r"分钟|刻钟|个?小时|个?钟头|天|日|个?星期|个?礼拜|周|个?月|年"
_DELTA = re.compile(
    rf"(?P<sign>[+-])(?:(?P<half>半)个?(?P<hu>小时|钟头|天|月|年)|(?P<n>{ZH_NUMBER})(?P<mid>个半)?\s*(?P<u>%|％|{_UNITS_OF_TIME}|[^\d\s]{{0,4}}))"
)
_MINUTES = {"分钟": 1, "刻钟": 15, "小时": 60, "钟头": 60}
_DAYS = {"天": 1, "日": 1, "星期": 7, "礼拜": 7, "周": 7}
_DATE = re.compile(rf"(?:(?P<y>(?:19|20)\d\d)年)?(?P<m>{ZH_NUMBER})月(?P<d>{ZH_NUMBER})(?P<u>[日号]?)")
_WEEKDAY = re.compile(r"(?P<p>周|星期|礼拜)(?P<d>[一二三四五六日天])")
_CLOCK = re.compile(
    rf"(?P<h>\d{{1,2}})[:：](?P<m>\d\d)|(?P<zh>{ZH_NUMBER})点(?:(?P<half>半)|(?P<min>\d{{1,2}})分?)?"
)
_NUMBER = re.compile(ZH_NUMBER)
_PERIOD = re.compile(r"个?[年月周天日次人](?=.)")
_UNITS = frozenset({*_MINUTES, *_DAYS, "月", "年", "人"})
_MONEY = frozenset({"元", "块", "块钱", "圆"})
_WEEK = "一二三四五六日"


def shifted(value: str, delta: str) -> str | None:
    """The value after the change, in its own notation; None where it cannot be told.

    `delta` is a sign with an amount or a length of time ("+一周", "-5万", "+10%"). A date moves by days, weeks, months or
    years, a time of day by hours and minutes, a number by a number of the same unit or of none.
    """
    match = _DELTA.fullmatch(delta.strip())
    if match is None:
        return None
    sign = 1 if match["sign"] == "+" else -1
    unit = re.sub("^个", "", match["hu"] or match["u"] or "")
    number = 0.5 if match["half"] else zh_number(match["n"])
    if number is None:
        return None
    if match["mid"]:
        number += 0.5
    for move in (_clock, _date, _weekday):
        if (moved := move(value, sign * number, unit)) is not None:
            return moved
    return _number(value, sign * number, unit)


def _date(value: str, number: float, unit: str) -> str | None:
    found = _DATE.search(value)
    month, day = (zh_number(found[part]) for part in "md") if found else (None, None)
    if found is None or month is None or day is None or (unit not in _DAYS and unit not in {"月", "年"}):
        return None
    year = int(found["y"]) if found["y"] else 2023  # a year without a leap day, where none is named
    try:
        at = date(year, int(month), int(day))
        if unit in _DAYS:
            at += timedelta(days=number * _DAYS[unit])
        else:
            months = at.year * 12 + at.month - 1 + round(number * (12 if unit == "年" else 1))
            at = at.replace(year=months // 12, month=months % 12 + 1)
    except (ValueError, OverflowError):
        return None
    before = f"{at.year}年" if found["y"] or at.year != year else ""
    if not found["y"] and at.year != year:
        before = "明年" if at.year > year else "去年"
    text = f"{before}{at.month}月{at.day}{found['u'] or '日'}"
    rest = re.sub(r"^\s*[(（]?(?:周|星期|礼拜)[一二三四五六日天][)）]?", "", value[found.end() :])
    return value[: found.start()] + text + rest


def _weekday(value: str, number: float, unit: str) -> str | None:
    found = _WEEKDAY.search(value)
    if found is None or unit not in {"天", "日"}:
        return None
    at = (_WEEK.index("日" if found["d"] == "天" else found["d"]) + round(number)) % 7
    if re.match(r"[上下本这]", value) or not 0 <= _WEEK.index(_WEEK[at]) <= 6:
        return None  # "next Friday" and two days may be another week
    return _WEEKDAY.sub(f"{found['p']}{_WEEK[at]}", value, count=1)


def _clock(value: str, number: float, unit: str) -> str | None:
    found = _CLOCK.search(value)
    if found is None or unit not in _MINUTES:
        return None
    hour = int(found["h"]) if found["h"] else zh_number(found["zh"])
    minute = int(found["m"] or found["min"] or (30 if found["half"] else 0))
    if hour is None:
        return None
    total = int(hour) * 60 + minute + round(number * _MINUTES[unit])
    if not 0 <= total < 24 * 60:
        return None
    hours, minutes = divmod(total, 60)
    if found["h"]:
        text = f"{hours}:{minutes:02d}"
    else:
        text = f"{hours}点" + ("" if not minutes else "半" if minutes == 30 else f"{minutes}分")
    return value[: found.start()] + text + value[found.end() :]


def _number(value: str, number: float, unit: str) -> str | None:
    # "一年198元" is by the year: the 一 counts no money
    found = [one for one in _NUMBER.finditer(value) if unit in _UNITS or not _PERIOD.match(value, one.end())]
    old = zh_number(found[0][0]) if len(found) == 1 else None
    if old is None or any(moment.search(value) for moment in (_DATE, _WEEKDAY, _CLOCK)):
        return None
    after = re.match(r"[^\d\s/每，。]{0,4}", value[found[0].end() :])
    beside = after[0] if after else ""
    if unit in {"%", "％"} and beside[:1] not in {"%", "％"}:
        number, unit = old * number / 100, ""
    if unit and beside and not beside.startswith(unit) and not {unit, beside} <= _MONEY:
        return None
    new = old + number
    if new < 0:
        return None
    return value[: found[0].start()] + _written(new, found[0][0]) + value[found[0].end() :]


def _written(number: float, like: str) -> str:
    """The number in the notation of the other one: 25万 where that was 30万."""
    steps: tuple[tuple[str, float], ...] = (("万", 1e4), ("千", 1e3), ("亿", 1e8))
    for sign, size in steps:
        if like.endswith(sign):
            share = round(number / size, 4)
            return f"{share:g}{sign}"
    return f"{round(number, 4):.12g}"
