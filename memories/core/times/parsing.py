"""Dates and times in Chinese and English text, resolved to intervals against the moment and zone of speaking.

Never invents: what the text leaves open ("soon", "a few days ago", "最近", a bare "3点" without a part of the day) widens
the interval or yields nothing; a date that does not exist yields nothing; a habit ("every Wednesday", "每周三") is no date.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta, tzinfo

from memories.core.errors import NaiveTimeError
from memories.core.times import chinese as times_zh
from memories.core.times import english as times_en
from memories.core.times.span import Clock, Days, Moment, Now, Piece, Precision, direction

__all__ = ["Precision", "TimeSpan", "is_recurring", "parse_times"]


@dataclass(frozen=True, slots=True)
class TimeSpan:
    """A half-open interval [start, end) of aware times in the speaker's zone, said as text[begin:finish] == span."""

    start: datetime
    end: datetime
    precision: Precision
    span: str
    begin: int
    finish: int


_RECURRING = re.compile(
    r"每(?:个|一|逢)?(?:天|日|周|星期|礼拜|月|年|早|晚|[上下]午|周末|隔)(?:[一二三四五六日天末])?|天天|逢(?:周|年)|周一[到至](?:周)?五"
    r"|\b(?:every|each)\s+(?:other\s+)?(?:\w+\s+)?(?:day|week|month|year|morning|evening|night|weekend|weekday|hour"
    r"|monday|tuesday|wednesday|thursday|friday|saturday|sunday)s?\b"
    r"|\b(?:daily|weekly|monthly|yearly|annually)\b|\b(?:on\s+)?(?:mon|tues|wednes|thurs|fri|satur|sun)days\b|\bweekends\b",
    re.IGNORECASE,
)
_JOIN = re.compile(r"[\s的,，]*(?:at|on|in the|around|from|by)?\s*", re.IGNORECASE)
_TO = re.compile(r"\s*(?:到|至|-|–|—|~|～|to|until|till|through)\s*", re.IGNORECASE)
_RULES = (*times_zh.RULES, *times_en.RULES)
# one cheap look before forty patterns are tried
_HINT = re.compile(
    r"\d|[天日月年周号点时午晚早晨夜昨今明节]|元旦|国庆|圣诞|双十|星期|礼拜|分钟|钟头"
    r"|day|tomorrow|night|week|month|year|hour|minute|ago|noon|morning|evening|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec",
    re.IGNORECASE,
)


def is_recurring(text: str) -> bool:
    """True when the text speaks of a habit or a repeating date."""
    return _RECURRING.search(text) is not None


def parse_times(text: str, now: datetime, tz: tzinfo) -> list[TimeSpan]:
    """Every date or time in the text, in order, never overlapping; `now` is when it was said (aware).

    A date and the time of day beside it are one interval, and so is "from ... to ...". A time of day alone means the day of
    speaking, moved by one day where the text clearly looks the other way.
    """
    if now.tzinfo is None:
        raise NaiveTimeError("the time of speaking has no zone", hint="Pass an aware datetime.")
    if not _HINT.search(text):
        return []
    moment = Now(now.astimezone(tz), tz, direction(text))
    pieces = _pieces(text, moment)
    spans = []
    index = 0
    while index < len(pieces):
        span, index = _combined(text, pieces, index, moment)
        if span is not None:
            spans.append(span)
    return _ranges(text, spans)


def _pieces(text: str, now: Now) -> list[Piece]:
    """Non-overlapping pieces by priority of the rules, in the order of the text."""
    taken = [(m.start(), _recurring_end(text, m.end())) for m in _RECURRING.finditer(text)]
    found: list[Piece] = []
    for pattern, meaning in _RULES:
        for match in pattern.finditer(text):
            begin, end = match.span()
            while begin < end and text[begin].isspace():
                begin += 1
            if begin >= end or any(begin < high and low < end for low, high in taken):
                continue
            try:
                value = meaning(match, now)
            except (ValueError, OverflowError, KeyError):
                value = None
            taken.append((begin, end))
            if value is not None and not times_zh.is_no_date(text, begin, end):
                found.append(Piece(begin, end, value))
    return sorted(found, key=lambda piece: piece.begin)


def _recurring_end(text: str, end: int) -> int:
    """A habit's time of day belongs to it: "每周三上午10:00" names no date."""
    rest = re.compile(
        r"(?:[的\s]*(?:[上中下]午|早上|晚上|傍晚|早|晚)(?:\s*[\d一二两三四五六七八九十]{1,3}(?:点(?:半|\d{1,2}分?)?|[:：]\d\d))?|[的\s]*(?:\d{1,2}[:：]\d\d|[\d一二两三四五六七八九十]{1,3}点(?:半|\d{1,2}分?)?)"
        r"|\s*(?:at|around)?\s*\d{1,2}(?::\d\d)?\s*(?:[ap]\.?m\.?\b)?(?![\d-]))",
        re.IGNORECASE,
    ).match(text, end)
    return rest.end() if rest else end


def _combined(text: str, pieces: list[Piece], index: int, now: Now) -> tuple[TimeSpan | None, int]:
    """The interval that starts at pieces[index], with the index after it."""
    first = pieces[index]
    following = pieces[index + 1] if index + 1 < len(pieces) else None
    if following is not None and _JOIN.fullmatch(text, first.end, following.begin):
        pair = (first.value, following.value)
        if isinstance(pair[0], Days) and isinstance(pair[1], Clock):
            last = pieces[index + 2] if index + 2 < len(pieces) else None
            if (
                last is not None
                and isinstance(last.value, Clock)
                and _JOIN.fullmatch(text, following.end, last.begin)
                and (exact := _within(pair[1], last.value)) is not None
            ):
                return _span(text, first.begin, last.end, _timed(pair[0], exact, now)), index + 3
            return _span(text, first.begin, following.end, _timed(pair[0], pair[1], now)), index + 2
        if isinstance(pair[0], Clock) and isinstance(pair[1], Days):
            return _span(text, first.begin, following.end, _timed(pair[1], pair[0], now)), index + 2
    return _span(text, first.begin, first.end, _alone(first.value, now)), index + 1


def _within(part: Clock, clock: Clock) -> Clock | None:
    """The hour that the part of the day allows ("morning at 9", "evening at 8"); None when there is none or two."""
    if part.precision is not Precision.PART or clock.precision is Precision.PART:
        return None
    if clock.exact:
        return clock
    hours = [low for low in (clock.low, clock.low + 12) if part.low <= low < part.high]
    if len(hours) != 1:
        return None
    return Clock(hours[0], hours[0] + clock.high - clock.low, clock.precision)


Interval = tuple[datetime, datetime, Precision]


def _alone(value: Days | Clock | Moment, now: Now) -> Interval | None:
    if isinstance(value, Days):
        return _midnight(value.first, now), _midnight(value.last, now), value.precision
    if isinstance(value, Moment):
        step = timedelta(hours=1) if value.precision is Precision.HOUR else timedelta(minutes=1)
        return value.at, value.at + step, value.precision
    if not value.exact:
        return None
    shift = 0
    hour_now = now.at.hour + now.at.minute / 60
    if now.look > 0 and value.high <= hour_now:
        shift = 1
    elif now.look < 0 and value.low > hour_now:
        shift = -1
    return _timed(now.day(shift), value, now)


def _timed(days: Days, clock: Clock, now: Now) -> Interval | None:
    """A day with a time of day; a longer interval, or an hour that the text leaves open, keeps the days."""
    if not clock.exact or (days.last - days.first).days > 1:
        return _midnight(days.first, now), _midnight(days.last, now), days.precision
    low, high = _at(days.first, clock.low, now), _at(days.first, clock.high, now)
    return low, high, clock.precision


def _midnight(day: date, now: Now) -> datetime:
    return datetime.combine(day, time(), tzinfo=now.zone)


def _at(day: date, hours: float, now: Now) -> datetime:
    """Wall-clock time in the zone, so that 3pm stays 3pm on the day the clocks change."""
    minutes = round(hours * 60)
    whole = day + timedelta(days=minutes // 1440)
    return datetime.combine(whole, time(minutes % 1440 // 60, minutes % 60), tzinfo=now.zone)


def _span(text: str, begin: int, end: int, interval: Interval | None) -> TimeSpan | None:
    if interval is None or interval[1] <= interval[0]:
        return None
    return TimeSpan(interval[0], interval[1], interval[2], text[begin:end], begin, end)


def _ranges(text: str, spans: list[TimeSpan]) -> list[TimeSpan]:
    """Two intervals with "to" between them are one, when the second is not before the first."""
    merged: list[TimeSpan] = []
    for span in spans:
        before = merged[-1] if merged else None
        if before is not None and span.end > before.end and _TO.fullmatch(text, before.finish, span.begin):
            whole = text[before.begin : span.finish]
            merged[-1] = TimeSpan(before.start, span.end, Precision.RANGE, whole, before.begin, span.finish)
        else:
            merged.append(span)
    return merged
