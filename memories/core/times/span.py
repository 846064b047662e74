"""Calendar arithmetic behind timeparse: intervals of a day, week, month or year in a zone, and which way a text looks."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, datetime, timedelta, tzinfo
from enum import StrEnum


class Precision(StrEnum):
    """How exact an interval is."""

    MINUTE = "minute"
    HOUR = "hour"
    PART = "part_of_day"
    DAY = "day"
    WEEK = "week"
    MONTH = "month"
    YEAR = "year"
    RANGE = "range"


@dataclass(frozen=True, slots=True)
class Days:
    """Whole days [first, last), not yet bound to a zone."""

    first: date
    last: date
    precision: Precision


@dataclass(frozen=True, slots=True)
class Clock:
    """A time of day as hours from midnight [low, high); `exact` False when the text leaves morning or evening open."""

    low: float
    high: float
    precision: Precision
    exact: bool = True


@dataclass(frozen=True, slots=True)
class Moment:
    """An instant that a text counts from now ("two hours ago")."""

    at: datetime
    precision: Precision


@dataclass(frozen=True, slots=True)
class Piece:
    """A date, clock or moment found in text[begin:end]."""

    begin: int
    end: int
    value: Days | Clock | Moment


_PAST = re.compile(
    r"[了过]|昨|刚才|之前|曾经|上周|上个?月|去年"
    r"|\b(?:was|were|had|did|went|got|came|took|made|met|saw|bought|ago|last|yesterday|\w{2,}ed)\b",
    re.IGNORECASE,
)
_FUTURE = re.compile(
    r"将要?|打算|准备|计划|[要会](?!是|议|员)|下周|下个?月|明[天年]|截止|之前(?:要|交|完成)|到时|记得|提醒"
    r"|\b(?:will|shall|going to|gonna|plan|plans|planning|next|tomorrow|due|by|deadline|remind|upcoming|'ll)\b"
    r"|(?<!\bto )(?<!\bdid )(?<!\bnot )(?<!\bthe )(?<!\ba )\b(?:starts?|begins?)\b(?!\s+(?:of|date|time|to)\b)",
    re.IGNORECASE,
)


_UNDER_WAY = re.compile(
    r"\b(?:am|is|are)\s+(?:\w+ly\s+)?(?!going\b)\w{2,}ing\b|['’](?:m|re)\s+\w{2,}ing\b", re.IGNORECASE
)
_SURE_PAST = re.compile(
    r"\b(?:was|were|had|did|went|got|came|took|made|met|saw|bought|ago|last|yesterday|since)\b", re.IGNORECASE
)


def arranged(text: str) -> bool:
    """Whether an English text tells in the present of what is under way or arranged, and of nothing that was."""
    return _UNDER_WAY.search(text) is not None and _SURE_PAST.search(text) is None


def direction(text: str) -> int:
    """+1 when the text looks ahead, -1 when it looks back, 0 when it does not say or says both."""
    future = 1 if _FUTURE.search(text) else 0
    # "Is having her knee operated on Friday": what is arranged is not over, whatever form the verb in it has.
    past = 1 if _PAST.search(text) and not arranged(text) else 0
    return future - past


@dataclass(frozen=True, slots=True)
class Now:
    """The moment of speaking: the aware local time and which way the text looks."""

    at: datetime
    zone: tzinfo
    look: int

    @property
    def today(self) -> date:
        """The local calendar day."""
        return self.at.date()

    def day(self, offset: int) -> Days:
        """The day `offset` days from today."""
        return one_day(self.today + timedelta(days=offset))

    def week(self, offset: int) -> Days:
        """The calendar week (Monday first) `offset` weeks from this one."""
        monday = self.today - timedelta(days=self.today.weekday()) + timedelta(weeks=offset)
        return Days(monday, monday + timedelta(days=7), Precision.WEEK)

    def weekend(self, offset: int) -> Days:
        """Saturday and Sunday of that calendar week."""
        monday = self.week(offset).first
        return Days(monday + timedelta(days=5), monday + timedelta(days=7), Precision.DAY)

    def month(self, offset: int) -> Days:
        """The calendar month `offset` months from this one."""
        index = self.today.year * 12 + self.today.month - 1 + offset
        return one_month(index // 12, index % 12 + 1)

    def year(self, offset: int) -> Days:
        """The calendar year `offset` years from this one."""
        return one_year(self.today.year + offset)

    def ahead(self, unit: str, amount: float) -> Days | Moment | None:
        """The interval `amount` units from now (negative: ago), as exact as the unit: a count of weeks names a week."""
        if unit in {"minute", "hour"}:
            step = timedelta(**{f"{unit}s": amount})
            return Moment(self.at + step, Precision(unit))
        if amount % 1 == 0.5 and unit in {"year", "month", "day"}:
            whole = {"year": ("month", 12), "month": ("day", 30), "day": ("hour", 24)}[unit]
            return self.ahead(whole[0], amount * whole[1])
        if amount % 1:
            return None
        step_count = int(amount)
        return {"day": self.day, "week": self.week, "month": self.month, "year": self.year}[unit](step_count)

    def month_day(self, month: int, day: int | None) -> Days:
        """A month, or a day of it, without a year: this year's, unless the text looks the other way."""
        found = one_month(self.today.year, month) if day is None else _yearly(self.today.year, month, day)
        if self.look > 0 and found.last <= self.today:
            found = (
                one_month(self.today.year + 1, month)
                if day is None
                else _yearly(self.today.year + 1, month, day)
            )
        elif self.look < 0 and found.first > self.today:
            found = (
                one_month(self.today.year - 1, month)
                if day is None
                else _yearly(self.today.year - 1, month, day)
            )
        return found


def _yearly(year: int, month: int, day: int) -> Days:
    return one_day(date(year, month, day))


def one_day(day: date) -> Days:
    """That day."""
    return Days(day, day + timedelta(days=1), Precision.DAY)


def one_month(year: int, month: int) -> Days:
    """That month; ValueError for a month that does not exist."""
    return Days(date(year, month, 1), date(year + month // 12, month % 12 + 1, 1), Precision.MONTH)


def one_year(year: int) -> Days:
    """That year."""
    return Days(date(year, 1, 1), date(year + 1, 1, 1), Precision.YEAR)
