"""What sort of value something is: a number, an amount, money, a date, a time, a code, a name, a place or other words."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import Final

from memories.core.text.words import tagged
from memories.core.values.forms import LONGEST, amount_of, measured
from memories.core.values.keyvalues import key_values
from memories.core.values.units import CURRENCIES, UNIT, unit_named

HARD: Final = frozenset({"snippet", "url", "email", "code", "amount", "date", "time", "number"})
"""Kinds of key value that stand for themselves: nothing else is meant by them."""
NAMED: Final = HARD | {"name"}
"""The same with the names of people and places."""
EXACT: Final = NAMED - {"snippet"} | {"title"}
"""Kinds that a value can be as a whole."""


class Sort(StrEnum):
    """What a value is by its form. AMOUNT has a unit that is no money; ADDRESS is a link or an e-mail."""

    NUMBER = "number"
    AMOUNT = "amount"
    MONEY = "money"
    PERCENT = "percent"
    DATE = "date"
    TIME = "time"
    CODE = "code"
    ADDRESS = "address"
    TITLE = "title"
    NAME = "name"
    PLACE = "place"
    WORDS = "words"


_GROUPS: Final = {Sort.AMOUNT: Sort.NUMBER, Sort.TIME: Sort.DATE, Sort.PLACE: Sort.NAME}
_KINDS: Final = {
    "url": Sort.ADDRESS, "email": Sort.ADDRESS, "code": Sort.CODE, "snippet": Sort.CODE, "title": Sort.TITLE, "date": Sort.DATE,
    "time": Sort.TIME, "amount": Sort.MONEY, "number": Sort.NUMBER, "name": Sort.NAME,
}  # fmt: skip
_COUNTS: Final = frozenset({"amount", "number"})
_LEAD = re.compile(
    r"^(?:(?:at|on|by|in|for|about|around|only|just|over|up to|the|an?)\s+|[在于约])+(?=\S)", re.IGNORECASE
)
_DATED = re.compile(r"\d{4}-\d\d-\d\d|\d{1,2}月|(?:19|20)\d\d年|(?:(?:next|last|this)\s+|下下|[上下本这])?周[一二三四五六日]|(?:today|tomorrow|yesterday|tonight)\b|next\s+(?:week|month|year)\b|[今明后昨前][天年]|下个?[周月]", re.IGNORECASE)  # fmt: skip
_TIMED = re.compile(r"\d\d:\d\d(?!\d)|(?:midnight)\b", re.IGNORECASE)
_NUMBERED = re.compile(rf"-?\d+(?:\.\d+)?\+?\s?(?P<u>{UNIT})", re.IGNORECASE)
_CAPITALS = re.compile(r"(?:[A-Z][\w.'’&-]*\s?){1,4}")


def sort_of(value: str) -> Sort:
    """The sort of the value by what it begins with: "$600 a month" is money, "next Friday at nine" a date."""
    bare = _LEAD.sub("", value.strip()[:LONGEST])
    form = measured(bare).strip()
    if _DATED.match(form):
        return Sort.DATE
    if _TIMED.match(form):
        return Sort.TIME
    found = [one for one in key_values(bare) if one.start <= 1 and one.kind in _KINDS]
    if found and found[0].kind in {"url", "email", "code", "snippet", "title"}:
        return _KINDS[found[0].kind]
    if (counted := _NUMBERED.match(form)) is not None:
        return _of_unit(unit_named(counted["u"]))
    if form[:1].isdigit():
        return Sort.NUMBER
    if found and found[0].kind == "name":
        tags = {tag for _, tag in tagged(found[0].text)}
        return Sort.PLACE if tags == {"ns"} else Sort.NAME
    if found:
        return _KINDS[found[0].kind]
    return Sort.NAME if _CAPITALS.fullmatch(bare) else Sort.WORDS


def _of_unit(unit: str) -> Sort:
    if unit == "%":
        return Sort.PERCENT
    return Sort.MONEY if unit in CURRENCIES else Sort.AMOUNT


def unit_of(value: str) -> str:
    """The unit of an amount in one notation ("美元", "%", "公里"); "" for a bare number and for what is no amount."""
    amount = amount_of(value)
    return amount[1] if amount else ""


def same_sort(one: str, other: str) -> bool:
    """Whether one may stand in the other's place: both amounts (of no two currencies), both dates, names, or other words."""
    mine, its = sort_of(one), sort_of(other)
    if mine is its is Sort.MONEY:
        units = {unit_of(one), unit_of(other)} & CURRENCIES
        return len(units) < 2
    return _GROUPS.get(mine, mine) is _GROUPS.get(its, its)


def same_unit(one: str, other: str) -> bool:
    """Whether both are amounts of one unit, or bare numbers; nothing yet ("") goes with a bare number."""
    units = [("", "", "") if not value.strip() else amount_of(value) for value in (one, other)]
    return units[0] is not None and units[1] is not None and units[0][1] == units[1][1]


def is_hard(text: str) -> bool:
    """Whether a number, date, code or address stands anywhere in the text."""
    return any(one.kind in HARD for one in key_values(text))


def is_exact(value: str) -> bool:
    """Whether the value is, or begins with, a number, date, code, title or name."""
    found = key_values(value)
    return bool(found) and found[0].start <= 1 and found[0].kind in EXACT


def is_amount(value: str) -> bool:
    """Whether the value begins with a number or an amount of money."""
    found = key_values(value)
    return bool(found) and found[0].start == 0 and found[0].kind in {"amount", "number"}


def stands_for(known: str, said: str) -> bool:
    """Both dates, both amounts, both codes; words where they end in the same noun ("third floor"), or both are names."""
    mine, theirs = ({found.kind for found in key_values(text)} - {"name"} for text in (known, said))
    if mine or theirs:
        return bool(mine & theirs) or bool(mine & _COUNTS and theirs & _COUNTS)
    one, two = known.split(), said.split()
    if one and len(two) > 1 and one[-1].lower() == two[-1].lower():
        return True
    return known[:1].isupper() and said[:1].isupper()
