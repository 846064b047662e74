"""English words of a value in digits: twenty-one, 4k, March 5th, 3pm, Wednesday."""

from __future__ import annotations

import re
from decimal import Decimal

from memories.core.times.english import DAY_OF, MONTH, MONTH_OF, WEEKDAY
from memories.core.values.numerals import EN_WORD_NUMBER, en_number, plain
from memories.core.values.units import SIGN, UNIT

_WORDS = re.compile(
    rf"(?<![\w-])(?P<n>{EN_WORD_NUMBER})(?=\s+{UNIT})|^(?P<all>{EN_WORD_NUMBER})$", re.IGNORECASE
)
_BIG = re.compile(rf"(?P<c>{SIGN}\s?)?(?<![\w.])(?P<n>\d{{1,24}}(?:\.\d{{1,24}})?)\s?(?P<x>k|m|mn|bn|thousand|million|billion)(?P<end>\s*$|\s+(?:an?|per)\b|(?![\w]))", re.IGNORECASE)  # fmt: skip
_TIMES = {"k": 1_000, "thousand": 1_000, "m": 1_000_000, "mn": 1_000_000, "million": 1_000_000, "bn": 10**9, "billion": 10**9}  # fmt: skip
_DATE = re.compile(
    rf"\b(?:(?P<m>{MONTH})\s+(?:the\s+)?(?P<d>\d{{1,2}})(?:st|nd|rd|th)?|(?P<d2>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?(?P<m2>{MONTH}))(?![\d:])(?:,?\s+(?P<y>(?:19|20)\d\d)(?!\d))?",
    re.IGNORECASE,
)
_CLOCK = re.compile(r"(?<![\d:.])(?P<h>\d{1,2})(?:[:.](?P<m>[0-5]\d))?\s*(?P<half>[ap])\.?\s?m\b\.?", re.IGNORECASE)  # fmt: skip
_DAY = re.compile(rf"\b(?P<d>{WEEKDAY})s?\b", re.IGNORECASE)
_HEDGE = re.compile(r"(?:\b(?:about|around|approximately|approx\.?|roughly|circa|nearly|almost)\s+|~\s*)(?=\d)|(?<=[\w%])\s+or so\b", re.IGNORECASE)  # fmt: skip


def in_digits(text: str) -> str:
    """The text with its English numbers, dates and times of day in digits, and without "about"; units stay."""
    form = _WORDS.sub(lambda m: plain(en_number(m["n"] or m["all"]) or 0), text)
    form = _HEDGE.sub("", form)
    form = _BIG.sub(_big, form)
    form = _DATE.sub(_date, form)
    form = _CLOCK.sub(_clock, form)
    form = re.sub(r"\b(?:noon|midday)\b", "12:00", form, flags=re.IGNORECASE)
    return _DAY.sub(lambda m: f"周{'一二三四五六日'[DAY_OF[m['d'].lower()]]}", form)


def _big(match: re.Match[str]) -> str:
    short = match["x"].lower()
    if short == "m" and not match["c"]:
        return match[0]  # metres, or minutes
    if short == "k" and not match["c"] and not (match["end"] or match.end() == len(match.string)):
        return match[0]
    return f"{match['c'] or ''}{plain(Decimal(match['n']) * _TIMES[short])}{match['end']}"


def _date(match: re.Match[str]) -> str:
    month, day = MONTH_OF[(match["m"] or match["m2"]).lower().rstrip(".")], int(match["d"] or match["d2"])
    if not 1 <= day <= 31:
        return match[0]
    return f"{match['y']}-{month:02d}-{day:02d}" if match["y"] else f"{month}月{day}日"


def _clock(match: re.Match[str]) -> str:
    hour = int(match["h"])
    if not 1 <= hour <= 12:
        return match[0]
    hour = hour % 12 + (12 if match["half"].lower() == "p" else 0)
    return f"{hour:02d}:{match['m'] or '00'}"
