"""Measures in one notation, so that 两天 is 2天, 下午两点 is 14:00, 5千 is 5000 and 一米七 is 170厘米."""

from __future__ import annotations

import re

from memories.core.times.chinese import clock
from memories.core.values.numerals import zh_number

_N = r"(?:\d{1,24}(?:\.\d{1,24})?[万亿千百]{0,2}|[零〇一二两三四五六七八九十百千万亿]{1,16}(?:点[零〇一二三四五六七八九]{1,16})?)"
_CLOCK = re.compile(
    r"(?P<part>凌晨|清晨|早晨|早上|早|上午|中午|下午|午后|傍晚|晚上|晚间|夜里|半夜|今晚|明晚|当晚|晚)?(?P<h>(?<![\d.:：])\d{1,2}|[零一二两三四五六七八九十]{1,3})"
    r"(?:[:：](?P<m>[0-5]\d)(?!\d)|[点时](?!间|候|代)钟?(?:(?P<half>半)|(?P<quarter>[一三])刻|(?P<min>\d{1,2}|[零〇一二三四五六七八九十]{1,3})分?|整)?)"
)
_HEIGHT = re.compile(
    r"(?P<m>[1-2一二两])米(?P<cm>\d{1,2}|[零一二三四五六七八九]{1,2})(?![\d零一二三四五六七八九十])|(?P<d>[12]\.\d{1,2})\s*(?:米|m)(?![a-z])"
)
_HALF = re.compile(
    rf"(?P<n>{_N})?个?(?P<half>半)(?:个)?(?P<u>小时|钟头|年|天|月)|(?P<n2>{_N})(?:个)?(?P<u2>年|天|周|小时|钟头|月)半"
)
_COUNT = re.compile(
    rf"(?P<n>{_N})\s*(?P<more>多|几|余)?\s*(?P<u>个?(?:小时|钟头)|分钟|秒钟?|个?(?:星期|礼拜)|周岁|个?周(?!末|[一二三四五六日天])|个月|天|年|岁|名|位|人|公斤|千克|kg|公里|千米|km|厘米|公分|cm|平方米|平米|㎡|块钱|块|元|圆|人民币|美金|美元|刀|斤|米|度|次|层|楼|页|集|只|条|台|辆|套|间|张|本|份|件|个)(?![\u4e00-\u9fff]?岁)",
    re.IGNORECASE,
)
_UNIT = {
    "小时": "小时", "钟头": "小时", "星期": "周", "礼拜": "周", "周": "周", "月": "个月", "名": "人", "位": "人", "千克": "公斤", "kg": "公斤", "千米": "公里",
    "km": "公里", "公分": "厘米", "cm": "厘米", "平米": "平方米", "㎡": "平方米", "块钱": "元", "块": "元", "圆": "元", "人民币": "元", "美金": "美元", "刀": "美元",
    "周岁": "岁", "秒钟": "秒", "楼": "层",
}  # fmt: skip
_FULL_DATE = re.compile(r"(?P<y>(?:19|20)\d\d)[-/.年](?P<m>\d{1,2})[-/.月](?P<d>\d{1,2})[日号]?(?!\d)")
_MONTH_DAY = re.compile(
    r"(?<!\d)(?P<m>\d{1,2}|[一二三四五六七八九十]{1,2})月(?:份)?(?P<d>\d{1,2}|[一二三四五六七八九十]{1,3})(?:[日号]|(?![\d个]))"
)
_SPACED_PLACE = re.compile(r"(?<=[\u4e00-\u9fff]{2})(?:省|市)(?=[\u4e00-\u9fff]{2}|$)")


def measured(text: str) -> str:
    """The text with its clock times, dates, amounts and counts in one notation. Idempotent; what it does not know stays."""
    for _ in range(4):  # What is read may complete what stands beside it: 七周一周.
        before, text = text, _measured(text)
        if text == before:
            break
    return text


def _measured(text: str) -> str:
    if not re.search(r"[\d零〇一二两三四五六七八九十百千万亿半省市]", text):
        return text
    text = re.sub(r"(?<=\d),(?=\d{3}(?!\d))", "", text)
    if (whole := re.fullmatch(_N, text.strip())) is not None and (number := _number(whole[0])) is not None:
        return whole[0] if whole[0].isdecimal() else f"{number:.12g}"
    text = re.sub(r"[¥￥]\s?(\d+(?:\.\d+)?[万亿千百]?)(?![\d.元])", r"\1元", text)
    text = re.sub(r"(?<=\d)千(?=[米克])", "k", text).replace("k米", "公里").replace("k克", "公斤")
    form = _FULL_DATE.sub(_full_date, text)
    form = _MONTH_DAY.sub(_month_day, form)
    form = _CLOCK.sub(_clock, form)
    form = _HEIGHT.sub(_height, form)
    form = _HALF.sub(_half, form)
    form = _COUNT.sub(_count, form)
    return _SPACED_PLACE.sub("", form)


def _full_date(match: re.Match[str]) -> str:
    follows = match.string[match.end() : match.end() + 1]
    space = " " if follows and not follows.isspace() else ""
    return f"{match['y']}-{int(match['m']):02d}-{int(match['d']):02d}{space}"


def _month_day(match: re.Match[str]) -> str:
    month, day = zh_number(match["m"]), zh_number(match["d"])
    if month is None or day is None or not (1 <= month <= 12 and 1 <= day <= 31):
        return match[0]
    return f"{int(month)}月{int(day)}日"


def _clock(match: re.Match[str]) -> str:
    hours = zh_number(match["h"])
    if hours is None or hours > 24:
        return match[0]
    minutes = 0.0
    if match["m"] or match["min"]:
        minutes = zh_number(match["m"] or match["min"]) or 0
    elif match["half"]:
        minutes = 30
    elif match["quarter"]:
        minutes = 45 if match["quarter"] == "三" else 15
    part = match["part"] or ""
    named = {"今晚": "晚上", "明晚": "晚上", "当晚": "晚上"}.get(part, part)
    at = clock(int(hours), int(minutes), named or None, precise=True, colon=False)
    if at is None:
        return match[0]
    hours = at.low // 1
    # a bare "三点" may be either half of the day: it keeps its own form, equal to another bare one
    known = bool(part) or match["m"] is not None or hours > 12
    if known:
        return f"{int(hours):02d}:{int(minutes):02d}"
    return f"{int(hours)}点{f'{int(minutes)}分' if minutes else ''}"


def _height(match: re.Match[str]) -> str:
    if match["d"]:
        return f"{round(float(match['d']) * 100)}厘米"
    whole, rest = zh_number(match["m"]), zh_number(match["cm"])
    if whole is None or rest is None:
        return match[0]
    return f"{int(whole * 100 + (rest * 10 if len(match['cm']) == 1 else rest))}厘米"


def _half(match: re.Match[str]) -> str:
    number = match["n"] or match["n2"]
    whole = zh_number(number) if number else 0
    unit = match["u"] or match["u2"]
    return match[0] if whole is None else f"{whole + 0.5:g}{_UNIT.get(unit, unit)}"


def _count(match: re.Match[str]) -> str:
    number, unit = _number(match["n"]), match["u"].lower()
    if number is None:
        return match[0]
    if unit != "个" and unit.startswith("个") and unit != "个月":
        unit = unit[1:]
    return f"{number:.12g}{'+' if match['more'] else ''}{_UNIT.get(unit, unit)}"


def _number(text: str) -> float | None:
    whole, dot, part = text.partition("点")
    if dot:
        before, after = zh_number(whole), zh_number(part)
        return (
            None
            if before is None or after is None
            else float(f"{before:g}.{''.join(f'{int(zh_number(d) or 0)}' for d in part)}")
        )
    multiple = re.fullmatch(r"(\d+(?:\.\d+)?)([百千])?([万亿])", text)
    if multiple and multiple[2]:
        step = {"百": 100, "千": 1000}[multiple[2]] * {"万": 1e4, "亿": 1e8}[multiple[3]]
        return float(multiple[1]) * step
    return zh_number(text)
