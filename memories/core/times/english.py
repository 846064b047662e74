"""Dates and times of day in English text: patterns and what each means from the moment of speaking."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, timedelta

from memories.core.times.span import (
    Clock,
    Days,
    Moment,
    Now,
    Precision,
    arranged,
    one_day,
    one_month,
    one_year,
)
from memories.core.values.numerals import EN_NUMBER, EN_ORDINALS, en_number

Found = Days | Clock | Moment | None
Rule = tuple[re.Pattern[str], Callable[[re.Match[str], Now], Found]]

MONTHS = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
]
MONTH_OF = {name: n for n, name in enumerate(MONTHS, start=1)} | {
    name[:3]: n for n, name in enumerate(MONTHS, 1)
}
MONTH_OF["sept"] = 9
MONTH = "(?:" + "|".join(MONTHS) + r"|(?:jan|feb|mar|apr|jun|jul|aug|sept|sep|oct|nov|dec)\b\.?)"
"""A month in full or short ("Sept."), as a pattern without groups; for IGNORECASE, behind a word bound."""
_SAFE_MONTH = MONTH.replace("march|", "").replace("may|", "").replace("|mar|", "|")
WEEKDAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
DAY_OF = {name: n for n, name in enumerate(WEEKDAYS)} | {name[:3]: n for n, name in enumerate(WEEKDAYS)}
DAY_OF |= {"tues": 1, "thur": 3, "thurs": 3}
DAY_NAMES = frozenset([*MONTH_OF, *WEEKDAYS])
"""Words for months, full and short, and for weekdays in full; in lower case."""
WEEKDAY = "(?:" + "|".join(WEEKDAYS) + ")"
"""A weekday in full, as a pattern without groups; for IGNORECASE, between word bounds."""
DAY = "(?:" + "|".join(WEEKDAYS) + r"|mon|tues|tue|wed|thurs|thur|thu|fri|sat|sun)"
_WORD_DAYS = {
    "the day before yesterday": -2, "yesterday": -1, "today": 0, "tomorrow": 1, "the day after tomorrow": 2,
    "last night": -1, "tonight": 0, "this morning": 0, "this afternoon": 0, "this evening": 0,
}  # fmt: skip
_PARTS = {
    "morning": (5, 12), "afternoon": (12, 18), "evening": (17, 22), "night": (18, 24), "noon": (12, 12 + 1 / 60),
    "midday": (12, 12 + 1 / 60), "midnight": (0, 1 / 60),
}  # fmt: skip
_SHIFT = {
    "last": -1,
    "past": -1,
    "previous": -1,
    "this": 0,
    "current": 0,
    "next": 1,
    "coming": 1,
    "following": 1,
}
_MOD = r"(?P<p>last|past|previous|this|current|next|coming)"
_ORD = r"(?P<d>[0-3]?\d(?:st|nd|rd|th)?|" + "|".join(EN_ORDINALS) + r")"


def _day_number(text: str) -> int:
    return EN_ORDINALS.get(text.lower()) or int(re.sub(r"\D", "", text))


def _month_day(m: re.Match[str], now: Now) -> Found:
    month, day = MONTH_OF[m["m"].lower().rstrip(".")], _day_number(m["d"])
    if m["y"]:
        return one_day(date(int(m["y"]), month, day))
    if _BEGINS.search(m.string, max(0, m.start() - 16), m.start()):
        return _nearest([one_day(date(now.today.year + step, month, day)) for step in (-1, 0, 1)], now)
    if now.look < 0 and 0 < (date(now.today.year, month, day) - now.today).days <= _SOON:
        return one_day(date(now.today.year, month, day))
    return now.month_day(month, day)


_SOON = 60
"""Days: a date that comes so soon is meant, and not last year's, also where the sentence tells of the past ("booked for June 5")."""


_BEGINS = re.compile(r"\b(?:starting|effective|beginning|as of)\s+(?:on\s+|from\s+|in\s+)?$", re.IGNORECASE)
_FROM = re.compile(r"\bfrom\s+$", re.IGNORECASE)
_TILL = re.compile(r"\s*(?:to|until|till|through|-|–)\b", re.IGNORECASE)
"""Before a date without a year: what begins then was announced shortly before or after."""


def _put_off(m: re.Match[str]) -> bool:
    """ "Is putting the rent up from February": what is arranged to begin then, and nothing said of its end."""
    return (
        _FROM.search(m.string, max(0, m.start() - 6), m.start()) is not None
        and _TILL.match(m.string, m.end()) is None
        and arranged(m.string)
    )


def _nearest(days: list[Days], now: Now) -> Days:
    return min(days, key=lambda one: abs((one.first - now.today).days))


def _month(m: re.Match[str], now: Now) -> Found:
    month = MONTH_OF[m["m"].lower().rstrip(".")]
    groups = m.groupdict()
    if groups.get("y"):
        return one_month(int(m["y"]), month)
    if groups.get("p"):
        shift = _SHIFT[m["p"].lower()]
        this_year = one_month(now.today.year, month)
        if shift == 0:
            return this_year
        # "last May" is the one before now, "next May" the one to come: never the current month
        if shift < 0:
            return this_year if this_year.last <= now.today else one_month(now.today.year - 1, month)
        return this_year if this_year.first > now.today else one_month(now.today.year + 1, month)
    if _BEGINS.search(m.string, max(0, m.start() - 16), m.start()) or _put_off(m):
        return _nearest([one_month(now.today.year + step, month) for step in (-1, 0, 1)], now)
    return now.month_day(month, None)


def _weekday(m: re.Match[str], now: Now) -> Found:
    day = DAY_OF[m["w"].lower()]
    monday = now.week(0).first
    this = one_day(monday + timedelta(days=day))
    word = (m.groupdict().get("p") or "").lower()
    if word in {"last", "past", "previous", "since"}:
        return this if this.last <= now.today else one_day(this.first - timedelta(days=7))
    if word == "next":
        return one_day(this.first + timedelta(days=7))
    if word == "coming" or (not word and now.look > 0):
        return this if this.first >= now.today else one_day(this.first + timedelta(days=7))
    if not word and now.look == 0 and this.first < now.today and arranged(m.string):
        return one_day(this.first + timedelta(days=7))
    if not word and now.look < 0:
        return this if this.first <= now.today else one_day(this.first - timedelta(days=7))
    return this


def _relative(m: re.Match[str], now: Now) -> Found:
    shift = _SHIFT[m["p"].lower()]
    unit = m["u"].lower()
    return {"week": now.week, "weekend": now.weekend, "month": now.month, "year": now.year}[unit](shift)


def _counted(m: re.Match[str], now: Now) -> Found:
    text = m["n"].lower()
    amount = (
        2.0 if text.endswith(("couple of", "couple")) else 0.5 if text.startswith("half") else en_number(text)
    )
    if amount is None:
        return None
    back = bool(m.groupdict().get("ago"))
    return now.ahead(m["u"].lower(), -amount if back else amount)


def _clock(m: re.Match[str], now: Now) -> Found:
    hour, minute = int(m["h"]), int(m["min"] or 0)
    half = (m["ap"] or "").lower().replace(".", "")
    if half and not 1 <= hour <= 12:
        return None
    if hour > 24 or minute > 59:
        return None
    if half:
        hour = hour % 12 + (12 if half == "pm" else 0)
    at = hour + minute / 60
    precise = m["min"] is not None
    exact = bool(half) or precise
    return Clock(at, at + (1 / 60 if precise else 1), Precision.MINUTE if precise else Precision.HOUR, exact)


def _part(m: re.Match[str], now: Now) -> Found:
    low, high = _PARTS[m["part"].lower()]
    return Clock(low, high, Precision.PART if high - low > 0.5 else Precision.MINUTE)


def _p(pattern: str) -> re.Pattern[str]:
    return re.compile(r"(?<![A-Za-z0-9_])" + pattern + r"(?![A-Za-z0-9_])", re.IGNORECASE)


_UNIT = r"(?P<u>minute|hour|day|week|month|year)s?"
_N = rf"(?P<n>a couple of|a couple|half an?|{EN_NUMBER})"
_YEAR = r"(?:19|20)\d\d"
RULES: tuple[Rule, ...] = (
    (
        _p(
            rf"(?P<m>{MONTH})\s+(?:the\s+)?{_ORD}(?:(?:,\s*|\s+)(?P<y>{_YEAR}))?(?!\s*(?::|people|percent|%))"
        ),
        _month_day,
    ),
    (_p(rf"(?:the\s+)?{_ORD}\s+(?:of\s+)?(?P<m>{MONTH})(?:,?\s+(?P<y>{_YEAR}))?"), _month_day),
    (
        _p(rf"(?P<y>{_YEAR})[-/](?P<m>\d{{1,2}})[-/](?P<d>\d{{1,2}})"),
        lambda m, now: one_day(date(int(m["y"]), int(m["m"]), int(m["d"]))),
    ),
    (_p(rf"(?P<m>{MONTH}),?\s+(?:of\s+)?(?P<y>{_YEAR})"), _month),
    (_p(rf"(?P<p>last|this|next)\s+(?P<m>{MONTH})"), _month),
    (_p(rf"(?:in|since|until|till|during|by|of|early|late|mid|through)[\s-]+(?P<m>{MONTH})"), _month),
    (_p(rf"(?P<m>{_SAFE_MONTH})"), _month),
    (
        _p(r"(?P<w>the day before yesterday|the day after tomorrow|yesterday|today|tomorrow)"),
        lambda m, now: now.day(_WORD_DAYS[m["w"].lower()]),
    ),
    (_p(r"(?P<w>last|yesterday) night"), lambda m, now: now.day(-1)),
    (_p(rf"(?:(?:on|over)\s+)?(?:the\s+)?{_MOD}\s+(?P<w>{DAY})"), _weekday),
    (_p(rf"(?P<p>since)\s+(?P<w>{DAY})"), _weekday),
    (_p(rf"(?:on|by|until|till|before|for)\s+(?P<w>{DAY})"), _weekday),
    (_p(r"(?P<w>" + "|".join(WEEKDAYS) + ")"), _weekday),
    (_p(rf"(?:(?:on|over)\s+)?(?:the\s+)?{_MOD}\s+(?P<u>weekend|week|month|year)"), _relative),
    (_p(rf"{_N}\s+{_UNIT}\s+(?P<ago>ago|earlier than now|back)"), _counted),
    (_p(rf"(?:in|within)\s+{_N}\s+{_UNIT}(?:'?\s+time)?"), _counted),
    (_p(rf"{_N}\s+{_UNIT}\s+from\s+(?:now|today)"), _counted),
    (
        _p(rf"(?:from|between)\s+(?P<y>{_YEAR})\s*(?:to|until|till|through|and|-|–)\s*(?P<z>{_YEAR})"),
        lambda m, now: Days(date(int(m["y"]), 1, 1), date(int(m["z"]) + 1, 1, 1), Precision.RANGE),
    ),
    (_p(rf"(?:in|since|until|during|by|of|back in)\s+(?P<y>{_YEAR})"), lambda m, now: one_year(int(m["y"]))),
    (_p(r"(?:at\s+)?(?P<h>\d{1,2})(?:[:.](?P<min>[0-5]\d))?\s*(?P<ap>[ap]\.?m\.?)"), _clock),
    (_p(r"(?<![:.])(?:at\s+)?(?P<h>[0-2]?\d):(?P<min>[0-5]\d)(?![:.]\d)(?P<ap>(?!))?"), _clock),
    (
        _p(
            r"at\s+(?P<h>\d{1,2})(?:\s*o'?clock)?(?!\s*(?:%|percent|degrees|[a-z]+s\b|[.,:]\d|st\b|nd\b|rd\b|th\b))(?P<min>(?!))?(?P<ap>(?!))?"
        ),
        _clock,
    ),
    (_p(r"(?:in the|at|around|this|by)?\s*(?P<part>morning|afternoon|evening|noon|midday|midnight)"), _part),
    (
        _p(r"(?<!\ba )(?<!\bper )(?<!each )(?<!every )(?P<part>night)(?=\W*$)|at (?P<part2>night)"),
        lambda m, now: Clock(18, 24, Precision.PART),
    ),
    (_p(r"tonight"), lambda m, now: now.day(0)),
)
"""Tried in this order at every place; the first (then longest) that matches wins."""
