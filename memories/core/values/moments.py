"""Whether two values mean the same: dates said in different words, or in the same words on different days, are compared as dates."""

from __future__ import annotations

import re
from datetime import datetime
from functools import lru_cache

from memories.core.extraction.attributes import BY_NAME
from memories.core.statement import FactPart
from memories.core.times.parsing import parse_times

Moment = tuple[datetime, datetime]
_CLOCK = re.compile(r"(?:at\s+)?(?:\d{1,2}(?::\d\d)?\s?[ap]\.?m\.?|\d{1,2}[:：]\d\d|noon|midnight|(?:上午|下午|早上|晚上|中午)?\d{1,2}点(?:半|\d{1,2}分?)?)", re.IGNORECASE)  # fmt: skip
"""A time of day without a day: the same whichever day it is said."""
_LIKED = re.compile(r"^(?:吃|喝|看|听|玩|打|养|穿|用|逛|坐)(?=[\u4e00-\u9fff]{2})")
"""Liking to eat it is liking it."""
_YEARS = re.compile(r"\s*(?:周?岁|years?(?: old)?)$")
COVERED = 0.6
"""Share of a value's letters that a time must make up for the value to be that time."""


def same_value(one: FactPart, said: datetime, other: FactPart, other_said: datetime) -> bool:
    """Equal values; of an attribute that holds a time, equal times as of the moments when they were said.

    "Next Friday", said in two weeks that are apart, is two values; "next Friday" and that Friday's date are one.
    """
    mine, theirs = _moments(one, said, other, other_said)
    if mine is not None and theirs is not None:
        if _CLOCK.fullmatch(one.value.strip()) and _CLOCK.fullmatch(other.value.strip()):
            return mine[0].time() == theirs[0].time()
        return mine == theirs
    if one.attribute == "likes" and other.attribute == "likes":
        return _LIKED.sub("", one.value_form) == _LIKED.sub("", other.value_form)
    if one.attribute == "age" and other.attribute == "age":
        return _YEARS.sub("", one.value_form) == _YEARS.sub("", other.value_form)
    return one.value_form == other.value_form


def may_agree(one: FactPart, said: datetime, other: FactPart, other_said: datetime) -> bool:
    """Whether one time lies within the other: "on Friday" and "on Friday at nine" do not contradict each other."""
    mine, theirs = _moments(one, said, other, other_said)
    if mine is None or theirs is None:
        return False
    return _within(mine, theirs) or _within(theirs, mine)


def _within(one: Moment, other: Moment) -> bool:
    return other[0] <= one[0] and one[1] <= other[1]


def _moments(
    one: FactPart, said: datetime, other: FactPart, other_said: datetime
) -> tuple[Moment | None, Moment | None]:
    row = BY_NAME.get(one.attribute)
    if row is None or not row.dated or one.attribute != other.attribute:
        return None, None
    return _moment(one.value, said), _moment(other.value, other_said.astimezone(said.tzinfo))


@lru_cache(maxsize=4096)
def _moment(value: str, said: datetime) -> Moment | None:
    """The one time that the value is; None where it is more than a time, or several."""
    spans = parse_times(value, said, said.tzinfo) if said.tzinfo is not None else []
    if len(spans) != 1 or len(spans[0].span.strip()) < COVERED * len(value.strip()):
        return None
    return spans[0].start, spans[0].end
