"""One form of a value however it is written: numerals, units, money, dates, times of day and codes, in Chinese and English.

2h, 2 hours and 两个小时 are 2小时; 1万5 is 15000; 9点半 is 09:30; $4k is 4000美元; March 5th and 3月5号 are 3月5日.

- Words for "about" (约, 左右, about, or so) tell how sure somebody is, not another amount: 100人左右 is 100人. "More than"
  is another one: 100多人 is 100+人.
- Without a part of the day the hour stands as written: 三点 is 03:00, not 15:00.
- A decimal number without a unit may be a version: 3.10 is not 3.1, though 3.10元 is 3.1元.
- "50 pounds" may be money or weight, and stays apart from both; compare.same() takes it for either.
"""

from __future__ import annotations

import math
import re
import unicodedata
from decimal import Decimal

from memories.core.text.kept import kept
from memories.core.times.chinese import clock
from memories.core.values.english import in_digits
from memories.core.values.keyvalues import KeyValue, key_values
from memories.core.values.normalise import canonical
from memories.core.values.numerals import EN_WORD_NUMBER, plain, zh_number
from memories.core.values.units import SIGN, UNIT, unit_named

LONGEST = 400
"""Characters of a value at most; what is longer is a text, and has only its canonical form."""
PASSES = 12
"""How often a form is read again until it stays; two or three do, but for rows of signs ("$$$0")."""
_ZH = "零〇一二两三四五六七八九十百千万亿"
_N = rf"(?:\d{{1,24}}(?:\.\d{{1,24}})?(?:[百千]?[万亿]|[万亿千百])?(?:(?<=[万千百])\d(?:[千百]|(?![\d.万亿])))?|[{_ZH}]{{1,16}}(?:点[{_ZH[:11]}]{{1,8}}(?![{_ZH}]))?)"
_NUMBERED = re.compile(rf"[\d{_ZH}半]|省|市|day|noon|midday|\b(?:{EN_WORD_NUMBER})\b", re.IGNORECASE)
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")

_CLOCK = re.compile(
    r"(?P<part>凌晨|清晨|早晨|早上|早|上午|中午|下午|午后|傍晚|晚上|晚间|夜里|半夜|今晚|明晚|当晚|晚)?(?P<h>(?<![\d.:：])\d{1,2}|(?<![零一二两三四五六七八九十百千万亿])[零一二两三四五六七八九十]{1,3})"
    r"(?:[:：](?P<m>[0-5]\d)(?!\d)|[点时](?!间|候|代)钟?(?:(?P<half>半)|(?P<quarter>[一三])刻|(?P<min>\d{1,2}|[零〇一二三四五六七八九十]{1,3})分?|整)?)"
)
_HEIGHT = re.compile(
    r"(?P<m>[1-2一二两])米(?P<cm>\d{1,2}|[零一二三四五六七八九]{1,2})(?![\d零一二三四五六七八九十])|(?<![\d.])(?P<d>[12]\.\d{1,2})\s*(?:米|m(?:et(?:er|re)s?)?)(?![a-z])"
)
_HALF = re.compile(rf"(?P<n>{_N})?个?(?P<half>半)(?:个)?(?P<u>小时|钟头|年|天|月)|(?P<n2>{_N})(?:个)?(?P<u2>年|天|周|小时|钟头|月)半")  # fmt: skip
_PERCENT = re.compile(rf"百分之(?P<n>{_N})")
_SIGNED = re.compile(rf"(?P<c>{SIGN})\s?(?P<n>{_N})(?![\d.])(?:\s?{SIGN}|元|美元)?", re.IGNORECASE)
_COUNT = re.compile(
    rf"(?<![A-Za-z\d.])(?P<n>{_N})\s*(?P<more>多|几|余|\+)?[\s-]*(?P<u>{UNIT})(?![\u4e00-\u9fff]?岁)",
    re.IGNORECASE,
)
_FULL_DATE = re.compile(r"(?P<y>(?:19|20)\d\d)[-/.年](?P<m>\d{1,2})[-/.月](?P<d>\d{1,2})[日号]?(?!\d)")
_MONTH_DAY = re.compile(
    r"(?<!\d)(?P<m>\d{1,2}|[一二三四五六七八九十]{1,2})月(?:份)?的?(?P<d>\d{1,2}|[一二三四五六七八九十]{1,3})(?:[日号]|(?![\d个]))"
)
_DAY_OF_MONTH = re.compile(r"(?<![\d第])(?P<d>\d{1,2}|[一二三四五六七八九十]{1,3})号(?![\u4e00-\u9fff\d])")
_WEEKDAY = re.compile(r"(?:星期|礼拜|周)(?P<d>[一二三四五六日天])")
_SPACED_PLACE = re.compile(r"(?<=[\u4e00-\u9fff]{2})(?:省|市)(?=[\u4e00-\u9fff]{2}|$)")
_ZH_HEDGE = re.compile(r"(?:(?<![\u4e00-\u9fff])约|大约|大概|差不多)(?=\d)|(?<=[\d%])(?P<u>[^\s\d，,。]{0,3}?)(?:左右|上下)(?![\u4e00-\u9fff])")  # fmt: skip

# ---------------------------------------------------------------- by the month, of both
_EACH = {"hour": "小时", "day": "天", "week": "周", "fortnight": "两周", "month": "月", "quarter": "季", "year": "年", "night": "夜", "person": "人"}  # fmt: skip
_EACH_LY = {
    "hourly": "小时",
    "daily": "天",
    "weekly": "周",
    "monthly": "月",
    "yearly": "年",
    "annually": "年",
}
PERIOD = re.compile(
    rf"(?<=\S)\s*(?:(?:/\s?|per\s+|an?\s+|every\s+|each\s+)(?P<en>{'|'.join(_EACH)})|(?P<ly>{'|'.join(_EACH_LY)})|/?(?:每|(?<=[元块镑郎比次])[1一])个?(?P<zh>小时|天|周|月|季|年|夜|人))\s*$",
    re.IGNORECASE,
)
"""What says at the end of a value for how long it is the amount: "a month", "/month", monthly, 每月; no amount by itself."""
_EACH_FIRST = re.compile(r"^每个?(?P<u>小时|天|周|月|季|年|夜|人)\s*(?=\d)(?P<rest>.*\d.*)$")
_AMOUNT = re.compile(r"(?P<n>-?\d+(?:\.\d+)?)(?P<more>\+?)\s?(?P<u>[^\d\s+.,，]*?)(?P<p>每(?:小时|天|周|两周|月|季|年|夜|人))?")  # fmt: skip


@kept
def value_form(value: str) -> str:
    """A value's form for comparison: measured(), codes without their joints, and the canonical words. Idempotent.

    A value of nothing but punctuation is its own form.
    """
    before, form = None, value
    for _ in range(PASSES):
        before, form = form, _form(form)
        if form == before:
            break
    return form


def _form(value: str) -> str:
    form = measured(value)
    if len(form) > LONGEST:
        return canonical(form)
    form = re.sub(r"^(?:at|on)\s+(?=\d|(?:next |last |this )?周)", "", form.strip(), flags=re.IGNORECASE)
    for found in reversed(key_values(form)):
        form = f"{form[: found.start]} {value_key(found)} {form[found.end :]}"
    return canonical(form) or value.strip()


@kept
def value_key(value: KeyValue) -> str:
    """The same for the same value in a text written differently: １０ and 10, 4,800元 and 4800块, 周三 and Wednesday."""
    form = unicodedata.normalize("NFKC", value.text)
    if value.kind in {"amount", "number", "time", "date"}:
        form = measured(form)
    form = _THOUSANDS.sub("", re.sub(r"\s+", "", form.casefold()))
    if value.kind == "code" and re.fullmatch(r"[\d()+-]+", form):
        form = re.sub(r"[()-]", "", form)
    return form


def amount_of(value: str) -> tuple[str, str, str] | None:
    """(number, unit, period) of a value that is an amount and no more: ("600", "美元", "每月"); None for any other."""
    match = _AMOUNT.fullmatch(measured(value).strip())
    return (match["n"] + match["more"], match["u"].lower(), match["p"] or "") if match else None


def measured(text: str) -> str:
    """The text with its numbers, amounts, dates and times in one notation. Idempotent; what it does not know stays."""
    if len(text) > LONGEST:
        return text
    for _ in range(PASSES):  # What is read may complete what stands beside it: 七周一周.
        before, text = text, _measured(text)
        if text == before:
            break
    return text


def _measured(text: str) -> str:
    form = unicodedata.normalize("NFKC", text)
    if _NUMBERED.search(form) is None:
        return text
    form = _THOUSANDS.sub("", form)
    if (whole := re.fullmatch(_N, form.strip())) is not None and (number := _number(whole[0])) is not None:
        return whole[0] if re.fullmatch(r"[\d.]+", whole[0]) else number
    if re.search(r"[A-Za-z$~]", form):
        form = in_digits(form)
    form = re.sub(r"(?<=\d)千(?=[米克])", "k", form).replace("k米", "公里").replace("k克", "公斤")
    for pattern, replacement in (
        (_FULL_DATE, _full_date),
        (_MONTH_DAY, _month_day),
        (_DAY_OF_MONTH, _day_of_month),
        (_WEEKDAY, lambda m: f"周{'日' if m['d'] == '天' else m['d']}"),
        (_CLOCK, _clock),
        (_HEIGHT, _height),
        (_HALF, _half),
        (_PERCENT, lambda m: f"{_number(m['n']) or m['n']}%"),
        (_SIGNED, _signed),
        (_COUNT, _count),
        (_ZH_HEDGE, lambda m: m["u"] or ""),
    ):
        form = pattern.sub(replacement, form)
    if re.search(r"\d", form):
        form = _EACH_FIRST.sub(lambda m: f"{m['rest']}每{m['u']}", PERIOD.sub(_period, form))
    return _SPACED_PLACE.sub("", form)


def _number(text: str) -> str | None:
    """The number in digits, exactly; None where it is none."""
    mixed = re.fullmatch(r"(\d+(?:\.\d+)?)([百千]?[万亿]?)(?:(\d)([百千])?)?", text)
    if mixed:
        step = {"百": 100, "千": 1000, "万": 10**4, "亿": 10**8}
        size = math.prod(step[sign] for sign in mixed[2])
        rest = int(mixed[3] or 0) * (step[mixed[4]] if mixed[4] else size // 10)
        return plain(Decimal(mixed[1]) * size + rest)
    whole, dot, part = text.partition("点")
    before = zh_number(whole)
    if before is None:
        return None
    digits = "".join(f"{int(zh_number(digit) or 0)}" for digit in part)
    return f"{plain(before)}.{digits}" if dot else plain(before)


def _full_date(match: re.Match[str]) -> str:
    follows = match.string[match.end() : match.end() + 1]
    space = " " if follows and not follows.isspace() else ""
    return f"{match['y']}-{int(match['m']):02d}-{int(match['d']):02d}{space}"


def _month_day(match: re.Match[str]) -> str:
    month, day = zh_number(match["m"]), zh_number(match["d"])
    if month is None or day is None or not (1 <= month <= 12 and 1 <= day <= 31):
        return match[0]
    return f"{int(month)}月{int(day)}日"


def _day_of_month(match: re.Match[str]) -> str:
    day = zh_number(match["d"])
    return f"{int(day)}日" if day is not None and 1 <= day <= 31 else match[0]


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
    return match[0] if at is None else f"{int(at.low // 1):02d}:{int(minutes):02d}"


def _height(match: re.Match[str]) -> str:
    if match["d"]:
        return f"{round(float(match['d']) * 100)}厘米"
    whole, rest = zh_number(match["m"]), zh_number(match["cm"])
    if whole is None or rest is None:
        return match[0]
    return f"{int(whole * 100 + (rest * 10 if len(match['cm']) == 1 else rest))}厘米"


def _half(match: re.Match[str]) -> str:
    said = match["n"] or match["n2"]
    number = _number(said) if said else "0"
    unit = match["u"] or match["u2"]
    if number is None:
        return match[0]
    return f"{plain(Decimal(number) + Decimal('0.5'))}{'个月' if unit == '月' else unit_named(unit)}"


def _signed(match: re.Match[str]) -> str:
    number = _number(match["n"])
    return match[0] if number is None else f"{number}{unit_named(match['c'])}"


def _count(match: re.Match[str]) -> str:
    number = _number(match["n"])
    if number is None:
        return match[0]
    if unit_named(match["u"]) == "年" and re.fullmatch(r"(?:19|20)\d\d", match["n"]):
        return f"{match['n']}年"
    return f"{number}{'+' if match['more'] else ''}{unit_named(match['u'])}"


def _period(match: re.Match[str]) -> str:
    if match["en"]:
        return f"每{_EACH[match['en'].lower()]}"
    return f"每{_EACH_LY[match['ly'].lower()] if match['ly'] else match['zh']}"
