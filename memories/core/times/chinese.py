"""Dates and times of day in Chinese text: patterns and what each means from the moment of speaking."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta

from memories.core.times.span import Clock, Days, Moment, Now, Precision, one_day, one_month, one_year
from memories.core.values.numerals import zh_number

Found = Days | Clock | Moment | None
Rule = tuple[re.Pattern[str], Callable[[re.Match[str], Now], Found]]

N = r"[零〇一二两三四五六七八九十\d]{1,4}"
_BIG = r"(?:\d{1,4}|[一二两三四五六七八九十百]{1,4})"
_DAY_WORDS = {
    "大前天": -3, "前天": -2, "前日": -2, "前晚": -2, "昨": -1, "今": 0, "明": 1, "后天": 2, "后日": 2, "大后天": 3
}  # fmt: skip
_UNITS = {
    "分钟": "minute", "小时": "hour", "钟头": "hour", "天": "day", "日": "day", "周": "week", "星期": "week",
    "礼拜": "week", "月": "month", "年": "year",
}  # fmt: skip
_YEARS = {"大前年": -3, "前年": -2, "去年": -1, "今年": 0, "明年": 1, "后年": 2}
_PARTS = {
    "凌晨": (0, 6), "清晨": (5, 9), "早晨": (5, 9), "早上": (5, 9), "早": (5, 9), "上午": (6, 12), "中午": (11, 14),
    "下午": (12, 18), "傍晚": (17, 19), "晚上": (18, 24), "晚间": (18, 24), "夜里": (18, 24), "半夜": (0, 5),
    "晚": (18, 24),
}  # fmt: skip
_PART = "|".join(sorted(_PARTS, key=len, reverse=True))
_LONG_PART = "|".join(sorted((part for part in _PARTS if len(part) > 1), key=len, reverse=True))
_WEEKDAY = {"一": 0, "二": 1, "三": 2, "四": 3, "五": 4, "六": 5, "日": 6, "天": 6}
# what turns "15号" into a number of something else
_NOT_A_DAY = r"(?!楼|线|门|房|店|机|车|院|公寓|馆|选手|球|桌|位|码|字|称|召|航站|站|宿舍|仓|柜|台|教|地块|文)"


def _int(text: str) -> int:
    value = zh_number(text)
    if value is None or value != int(value):
        raise ValueError("not a whole number")
    return int(value)


def _shift(prefix: str | None) -> int | None:
    """上 -1, 上上 -2, 这/本 0, 下 +1, 下下 +2; None without a prefix."""
    if not prefix:
        return None
    return prefix.count("下") - prefix.count("上")


def _full(m: re.Match[str], now: Now) -> Found:
    year = _int(m["y"]) if m["y"] not in _YEARS else now.today.year + _YEARS[m["y"]]
    return one_day(date(year, _int(m["m"]), _int(m["d"])))


def _year_month(m: re.Match[str], now: Now) -> Found:
    year = _int(m["y"]) if m["y"] not in _YEARS else now.today.year + _YEARS[m["y"]]
    return one_month(year, _int(m["m"]))


def _third(first: date, which: str, last: date) -> Days:
    """上旬/月初, 中旬, 下旬/月底 of a month: days 1-10, 11-20, 21 to the end."""
    if which in {"上旬", "初"}:
        return Days(first, first + timedelta(days=10), Precision.RANGE)
    if which in {"中旬", "中"}:
        return Days(first + timedelta(days=10), first + timedelta(days=20), Precision.RANGE)
    return Days(first + timedelta(days=20), last, Precision.RANGE)


def _relative_month(m: re.Match[str], now: Now) -> Found:
    month = now.month(_shift(m["p"]) or 0)
    if m["d"]:
        return one_day(month.first.replace(day=_int(m["d"])))
    return _third(month.first, m["t"], month.last) if m["t"] else month


def _month_day(m: re.Match[str], now: Now) -> Found:
    now = _looking(m, now)
    return now.month_day(_int(m["m"]), _int(m["d"]))


def _begins(m: re.Match[str]) -> bool:
    return from_then_on(m.string, m.end()) and _LIVED.search(m.string) is None


def _announced(m: re.Match[str]) -> bool:
    """Whether it tells of a change from then on that nothing says has come: "房租从二月起涨到…"."""
    return _begins(m) and _COMES.search(m.string, m.end()) is not None and _HAS_COME.search(m.string) is None


def _looking(m: re.Match[str], now: Now) -> Now:
    """A beginning lies where the year has it, whatever 了 says of the change that comes then."""
    return replace(now, look=0) if now.look < 0 and _begins(m) else now


def _month_only(m: re.Match[str], now: Now) -> Found:
    now = _looking(m, now)
    month = now.month_day(_int(m["m"]), None)
    if m["t"] is None and now.look == 0 and month.last <= now.today and _announced(m):
        coming = one_month(now.today.year + 1, _int(m["m"]))
        if coming.first - now.today < now.today - month.first:
            return coming
    return _third(month.first, m["t"], month.last) if m["t"] else month


def _day_of_month(m: re.Match[str], now: Now) -> Found:
    now = _looking(m, now)
    day = _int(m["d"])
    found = one_day(now.today.replace(day=day))
    if now.look > 0 and found.last <= now.today:
        return one_day(now.month(1).first.replace(day=day))
    if now.look < 0 and found.first > now.today:
        return one_day(now.month(-1).first.replace(day=day))
    return found


def _weekday(m: re.Match[str], now: Now) -> Found:
    now = _looking(m, now)
    shift = _shift(m["p"])
    found = one_day(now.week(shift or 0).first + timedelta(days=_WEEKDAY[m["w"]]))
    if shift is None and now.look > 0 and found.last <= now.today:
        return one_day(found.first + timedelta(days=7))
    if shift is None and now.look < 0 and found.first > now.today:
        return one_day(found.first - timedelta(days=7))
    return found


def _day_word(m: re.Match[str], now: Now) -> Found:
    return now.day(_DAY_WORDS[m["w"]])


def _counted(m: re.Match[str], now: Now) -> Found:
    amount = 0.5 if m["n"] == "半" else zh_number(m["n"])
    if amount is None:
        return None
    amount += 0.5 if m["half"] else 0.0
    back = m["w"] is not None and m["w"].endswith("前")
    return now.ahead(_UNITS[m["u"]], -amount if back else amount)


def _clock(m: re.Match[str], now: Now) -> Found:
    hour, minute = _int(m["h"]), 0
    if m["half"]:
        minute = {"半": 30, "一刻": 15, "三刻": 45}[m["half"]]
    elif m["min"]:
        minute = _int(m["min"])
    return clock(
        hour, minute, m["part"], precise=bool(m["half"] or m["min"] or m["colon"]), colon=bool(m["colon"])
    )


def clock(hour: int, minute: int, part: str | None, *, precise: bool, colon: bool) -> Clock | None:
    """A Chinese time of day; 24-hour reading after a colon, else afternoon words move the hour; None when impossible."""
    if not (0 <= hour <= 24 and 0 <= minute < 60):
        return None
    exact = colon or hour > 12 or hour == 0 or part is not None
    if part is not None and hour <= 12:
        high = _PARTS[part][1]
        if hour == 12:
            hour = 24 if part in {"晚上", "晚", "夜里", "半夜", "晚间"} else 0 if part == "凌晨" else 12
        elif part in {"夜里", "半夜"} and hour < 6:
            pass  # the small hours
        elif high > 12 and hour + 12 <= high and not (part == "中午" and hour >= 10):
            hour += 12
    low_hour = hour + minute / 60
    width = 1 / 60 if precise else 1.0
    return Clock(low_hour, low_hour + width, Precision.MINUTE if precise else Precision.HOUR, exact)


def _part(m: re.Match[str], now: Now) -> Found:
    low, high = _PARTS[m["part"]]
    return Clock(low, high, Precision.PART)


_HOLIDAYS = {
    "元旦": (1, 1), "情人节": (2, 14), "妇女节": (3, 8), "三八节": (3, 8), "植树节": (3, 12), "愚人节": (4, 1), "劳动节": (5, 1), "五一节": (5, 1),
    "青年节": (5, 4), "儿童节": (6, 1), "六一节": (6, 1), "建党节": (7, 1), "建军节": (8, 1), "教师节": (9, 10), "国庆": (10, 1), "万圣节": (10, 31),
    "双十一": (11, 11), "双十二": (12, 12), "平安夜": (12, 24), "圣诞": (12, 25), "跨年夜": (12, 31),
}  # fmt: skip
"""Holidays with a fixed date; those of the lunar calendar (春节, 中秋) move and are left open."""


def _holiday(m: re.Match[str], now: Now) -> Found:
    month, day = _HOLIDAYS[m["h"]]
    if m["y"]:
        year = _int(m["y"]) if m["y"] not in _YEARS else now.today.year + _YEARS[m["y"]]
        return one_day(date(year, month, day))
    return now.month_day(month, day)


_OPENS = re.compile(r"份?(?:之后|以后|过后|往后|起(?!床|来|飞|身)|开始)")
_COMES = re.compile(r"[涨降调改换升提](?:[价薪租工涨高低整]|到|成|为|至)")
_HAS_COME = re.compile(r"[了过]|已|现在|目前|就是|的[。！]?$")
_LIVED = re.compile(r"过|没|昨|已经|一直|曾|以来")
"""What is told of the time since then: "六月以后就没见过他"."""
_EXCEPTED = re.compile(r"除(?:了|开|去|却)?(?![夕非法])[^，。,;；都还也我他她你]{0,12}$")
_COMPARED = re.compile(r"(?:相?比(?:起|较)?|较之?|不如|不像)$")
_COMPARED_WITH = re.compile(r"[跟和与同像]$")
_ALIKE = re.compile(r"(?:的?时候|那?时|同期)?(?:相?比|一样|差不多|不同|相同|没(?:什么)?(?:区别|差别|两样))")


def from_then_on(text: str, end: int) -> bool:
    """Whether something is told of all the time after what ends at text[end]: "六月|以后就不去了", "六月|以后没去过"."""
    return _OPENS.match(text, end) is not None


def is_no_date(text: str, begin: int, end: int) -> bool:
    """Whether text[begin:end] names a time at which nothing is said to be: it is excepted, or what another is compared with."""
    before = text[max(0, begin - 20) : begin]
    if _EXCEPTED.search(before) or _COMPARED.search(before):
        return True
    return _COMPARED_WITH.search(before) is not None and _ALIKE.match(text, end) is not None


_P = r"(?P<p>上上|下下|上|下|这|本)"
RULES: tuple[Rule, ...] = (
    (
        re.compile(
            rf"(?:(?P<y>\d{{4}}(?=年)|大前年|[前去今明后]年)年?的?)?(?P<h>{'|'.join(_HOLIDAYS)})(?:节|当天|那天|当日)?"
            r"(?!节?(?:期间|假期?|长假|黄金周|档|之?前|之?后|以前|以后|前后|左右|附近|老人|树|帽|歌|快乐|贺|晚会|礼物))"
        ),
        _holiday,
    ),
    (
        re.compile(
            rf"(?P<y>\d{{4}}|[零〇一二三四五六七八九]{{4}}|大前年|[前去今明后]年)年?的?(?P<m>{N})月份?(?P<d>{N})[日号]?"
        ),
        _full,
    ),
    (
        re.compile(r"(?<![\d.-])(?P<y>(?:19|20)\d\d)[-/.](?P<m>\d{1,2})[-/.](?P<d>\d{1,2})(?![\d-]|\.\d)"),
        _full,
    ),
    (
        re.compile(
            rf"(?P<y>\d{{4}}|[零〇一二三四五六七八九]{{4}}|大前年|[前去今明后]年)年?的?(?P<m>{N})月份?"
        ),
        _year_month,
    ),
    (
        re.compile(rf"(?<!\d)(?P<m>{N})月份?(?P<d>{N})(?:[日号]{_NOT_A_DAY}|(?![\d.个月年天人元块]))"),
        _month_day,
    ),
    (
        re.compile(rf"{_P}个?月(?:份)?(?:的?(?P<d>{N})[日号]{_NOT_A_DAY}|(?P<t>[上中下]旬|[初中底]))?"),
        _relative_month,
    ),
    (re.compile(rf"(?<![\d.第])(?P<m>{N})月(?:份)?(?P<t>[上中下]旬|[初中底])?"), _month_only),
    (re.compile(rf"(?:{_P}(?:一个?|个)?)?(?:周|星期|礼拜)(?P<w>[一二三四五六日天])(?![年个])"), _weekday),
    (re.compile(rf"(?:{_P}(?:一个?|个)?)周末"), lambda m, now: now.weekend(_shift(m["p"]) or 0)),
    (re.compile(r"周末"), lambda m, now: now.weekend(0) if now.look >= 0 else None),
    (re.compile(rf"{_P}(?:一个?|个)?(?:周|星期|礼拜)"), lambda m, now: now.week(_shift(m["p"]) or 0)),
    (re.compile(r"(?P<w>大前天|大后天|前天|前日|后天|后日|前晚(?=上?))"), _day_word),
    (re.compile(r"(?P<w>[昨今明])(?:[天日](?!报)|(?=[早晚]))"), _day_word),
    (
        re.compile(
            rf"(?<![第星])(?:再?过)?(?P<n>{_BIG}|半)个?(?P<half>半)?(?P<u>分钟|小时|钟头|天|日|周|星期|礼拜|月|年)"
            r"(?P<w>之?前|之?后|以前|以后)"
        ),
        _counted,
    ),
    (
        re.compile(
            rf"再?过(?P<n>{_BIG}|半)个?(?P<half>半)?(?P<u>分钟|小时|钟头|天|周|星期|礼拜|月|年)(?P<w>(?!))?"
        ),
        _counted,
    ),
    (re.compile(r"(?P<y>大前年|[前去今明后]年)"), lambda m, now: now.year(_YEARS[m["y"]])),
    (re.compile(r"(?<!\d)(?P<y>(?:19|20)\d\d)年(?![级代])"), lambda m, now: one_year(int(m["y"]))),
    (
        re.compile(
            rf"(?<![\d.第月]){'(?P<d>[1-3]?[0-9]|[一二三]?十[一二三四五六七八九]?|[一二三四五六七八九])'}号{_NOT_A_DAY}"
        ),
        _day_of_month,
    ),
    (
        re.compile(
            rf"(?P<part>{_PART})?的?(?<![\d:：.-])(?P<h>\d{{1,2}}|[零一二两三四五六七八九十]{{1,3}})"
            rf"(?:(?P<colon>[:：])(?=[0-5]\d(?![\d:：]|\s*[apAP]\.?[mM]))|[点时](?!间|候|刻|钟头|[子击评赞]|五折)钟?)(?:(?P<half>半|一刻|三刻)|(?P<min>\d{{1,2}}|[零〇一二三四五六七八九十]{{1,3}})(?:分|(?![\d个.])))?"
        ),
        _clock,
    ),
    (
        re.compile(
            rf"(?P<part>{_LONG_PART}|(?<=[昨今明前])[早晚])(?!好|餐|饭|安|会|点|班|期|年|熟|宴|恋|市|产|教|操|睡|起|已|就|早|日|茶)"
        ),
        _part,
    ),
)
"""Tried in this order at every place; the first (then longest) that matches wins."""
