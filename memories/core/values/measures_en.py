"""English measures in one notation, so that 14 kilos is 14 kg, 4k is 4000 and a bare amount agrees with one by the month."""

from __future__ import annotations

import re

_UNIT = re.compile(
    r"(?<=\d)\s?(?P<u>kilos?|kilograms?|kgs|h|miles?|mi|pages?|hours?|hrs?|minutes?|mins?|seconds?|secs?|pounds?(?=\s*$)|lbs|metres?|meters?|centimet(?:er|re)s?|kilomet(?:er|re)s?|percent|per cent|dollars?|bucks|gigabytes?|gigs?)\b",
    re.IGNORECASE,
)
_SAME = (
    ("kilom", " km"), ("kilo", " kg"), ("kg", " kg"), ("h", " h"), ("min", " min"), ("mi", " mi"), ("page", " page"), ("sec", " s"), ("lb", " lb"), ("pound", " lb"), ("centim", " cm"), ("met", " m"),
    ("per", "%"), ("dollar", " dollar"), ("buck", " dollar"), ("gig", " GB"),
)  # fmt: skip
_THOUSANDS = re.compile(
    r"(?<![\w.])(?P<m>[$€£¥]?)(?P<n>\d+(?:\.\d+)?)\s?k(?=\s*$|\s+(?:an?|per)\b)", re.IGNORECASE
)
_DOLLARS = re.compile(r"(?<![\w.])(?P<n>\d[\d,]*(?:\.\d+)?)\s+dollar\b")
_PERIOD = re.compile(r"\s*(?:(?:/|per\s|an?\s|every\s|each\s)\s*(?:day|week|fortnight|month|quarter|year|hour|night|person)|monthly|weekly|yearly|annually|daily)\s*$", re.IGNORECASE)  # fmt: skip
_AMOUNT = re.compile(r"[$€£¥]?\s?\d[\d,]*(?:\.\d+)?")


def measured_en(text: str) -> str:
    """The text with English units and thousands in one notation. Idempotent; what it does not know stays."""
    if re.search(r"\d", text) is None or not re.search(r"[A-Za-z]", text):
        return text
    form = _THOUSANDS.sub(lambda m: f"{m['m']}{float(m['n']) * 1000:.12g}", text)
    form = _UNIT.sub(_unit, form)
    return _DOLLARS.sub(lambda m: f"${m['n']}", form)


def _unit(match: re.Match[str]) -> str:
    low = match["u"].lower()
    return next(short for start, short in _SAME if low.startswith(start))


def leaves_out(one: str, other: str) -> bool:
    """Whether one amount only leaves out what the other adds to the same number: a period or a currency ("$1,250 a month")."""
    first, second = (_PERIOD.sub("", measured_en(text.strip())) for text in (one, other))
    if not (_AMOUNT.fullmatch(first) and _AMOUNT.fullmatch(second)):
        return False
    periods = [_PERIOD.search(text.strip()) for text in (one, other)]
    if all(periods):
        return False
    money = [re.sub(r"[\d,.\s]", "", text) for text in (first, second)]
    numbers = [re.sub(r"[^\d.]", "", text) for text in (first, second)]
    return numbers[0] == numbers[1] and (money[0] == money[1] or "" in money) and one != other
