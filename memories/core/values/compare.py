"""How two values compare: the same, one only more exact, one leaving something out, or one naming the other.

Currencies that are both said and differ are never the same, nor is one more exact than the other. All comparisons but
names() are symmetric.
"""

from __future__ import annotations

import re
from datetime import datetime
from functools import lru_cache

from memories.core.extraction.attributes import BY_NAME
from memories.core.statement import FactPart
from memories.core.text.kept import kept
from memories.core.text.words import tagged
from memories.core.times.parsing import parse_times
from memories.core.values.forms import PERIOD, amount_of, measured, value_form, value_key
from memories.core.values.keyvalues import key_values
from memories.core.values.normalise import canonical, negated
from memories.core.values.sorts import AMOUNTS, NAMED
from memories.core.values.units import CURRENCIES, UNIT, unit_named

Moment = tuple[datetime, datetime]
COVERED = 0.6
"""Share of a value's letters that a time must make up for the value to be that time."""
_CLOCK = re.compile(r"\d\d:\d\d")
"""A form that is a time of day without a day: the same whichever day it is said."""
_PART = re.compile(r"[晨早午晚夜]|[ap]\.?m\b|noon|midnight", re.IGNORECASE)
_LIKED = re.compile(r"^(?:吃|喝|看|听|玩|打|养|穿|用|逛|坐)(?=[\u4e00-\u9fff]{2})")
"""Liking to eat it is liking it."""
_YEARS = re.compile(r"\s*[岁年]$")
_ARTICLE = re.compile(r"^(?:an?|the|my|our|his|her|their)\s+", re.IGNORECASE)
_NUMBER = re.compile(r"(?<![\w.-])\d+(?:\.\d+)?(?![A-Za-z0-9_]|\.\d)")
_UNLIKE = re.compile(r"[不没非未无]|[\d零一二两三四五六七八九十百千万]")


def same(one: str, other: str) -> bool:
    """Whether both are one value, however written; "50 pounds" is £50 and 50 lb, whichever the other says."""
    first, second = value_form(one), value_form(other)
    if first == second:
        return True
    return any(
        first.replace("pound", unit) == second or second.replace("pound", unit) == first
        for unit in ("英镑", "磅")
        if "pound" in first or "pound" in second
    )


def leaves_out(one: str, other: str) -> bool:
    """Whether one amount only leaves out what the other adds to the same number: a period or a currency ("$1,250 a month")."""
    first, second = amount_of(one), amount_of(other)
    if first is None or second is None or first[0] != second[0] or first == second:
        return False
    units, periods = {first[1], second[1]}, {first[2], second[2]}
    return (len(units) == 1 or ("" in units and units <= CURRENCIES | {""})) and (
        len(periods) == 1 or "" in periods
    )


def narrows(one: str, other: str) -> bool:
    """Whether one value only says the other more exactly: 绍兴 and 浙江绍兴, $1,250 and $1,250 a month, 三点 and 下午三点."""
    if leaves_out(one, other) or _half_of_day(one, other):
        return True
    short, long = sorted((value_form(one), value_form(other)), key=len)
    if len(short) < 2 or not re.fullmatch(r"[\u4e00-\u9fff]+", long) or short not in long or short == long:
        return False
    if not (long.startswith(short) or long.endswith(short)):
        return False
    rest = long.replace(short, "", 1)
    return _UNLIKE.search(rest) is None or all(tag == "ns" for _, tag in tagged(rest))


def _half_of_day(one: str, other: str) -> bool:
    """Two clock times of which one does not say which half of the day it means."""
    first, second = value_form(one), value_form(other)
    if not (_CLOCK.fullmatch(first) and _CLOCK.fullmatch(second)) or first[3:] != second[3:]:
        return False
    bare = [
        form
        for form, said in ((first, one), (second, other))
        if _PART.search(said) is None and int(form[:2]) <= 12
    ]
    return len(bare) == 1 and abs(int(first[:2]) - int(second[:2])) == 12


def names(known: str, said: str) -> bool:
    """Whether what is said names the known value: equal, but for an article, a period, a unit or a currency that it leaves out.

    A name may be shortened to its first or last words: "the Jazz" is "a Honda Jazz". Not symmetric: what is said may leave
    out, not add.
    """
    one, two = _bare(known), _bare(said)
    if not two:
        return False
    if same(one, two):
        return True
    first, second = measured(one), measured(two)
    mine, theirs = _numbers(first), _numbers(second)
    if mine and theirs:
        money = [currency_of(text) for text in (first, second)]
        rest = [_without_numbers(text) for text in (first, second)]
        return (
            len(mine) == 1
            and mine == theirs
            and (rest[0] == rest[1] or not rest[1])
            and (not money[0] or not money[1] or money[0] == money[1])
        )
    if theirs or re.search(r"\d", two) or not said[:1].isascii():
        return False
    names = [word for word in two.split() if word[:1].isupper()]
    words = one.split()
    # The first or the last of its words: "Bank of America" is no "America", which stands behind a preposition.
    ends = [words[: len(names)]]
    if not (len(words) > len(names) and words[-len(names) - 1].islower()):
        ends.append(words[-len(names) :])
    return bool(names) and names == two.split() and names in ends


_UNITED = re.compile(rf"(?P<n>(?<![\w.-])\d+(?:\.\d+)?)\s?(?P<u>{UNIT})?(?![A-Za-z0-9_]|\.\d)", re.IGNORECASE)


def _numbers(form: str) -> list[str]:
    return [match["n"] for match in _UNITED.finditer(form)]


def _without_numbers(form: str) -> str:
    """What stands beside the numbers of a measured text: its words, and units that are no money."""
    return _UNITED.sub(lambda m: m["u"] if m["u"] and m["u"] not in CURRENCIES else "", form).strip()


def currency_of(form: str) -> frozenset[str]:
    """The currencies that a measured text says."""
    found = (unit_named(match["u"]) for match in _UNITED.finditer(form) if match["u"])
    return frozenset(found) & CURRENCIES


def _bare(value: str) -> str:
    return _ARTICLE.sub("", PERIOD.sub("", value.strip())).strip(" .,。，")


def with_unit(value: str, known: str) -> str:
    """The new number with what the known value says beside its own: "$600 a month" corrected to "$700" stays by the month."""
    if _NUMBER.fullmatch(value.strip()) and len(_NUMBER.findall(known)) == 1:
        return _NUMBER.sub(value.strip(), known)
    tail = PERIOD.search(known)
    if tail and _NUMBER.search(value) and not PERIOD.search(value):
        return f"{value}{tail[0].rstrip()}"
    return value


# ---------------------------------------------------------------- facts, as of the days when they were said
def same_fact(one: FactPart, said: datetime, other: FactPart, other_said: datetime) -> bool:
    """Equal values; of an attribute that holds a time, equal times as of the moments when they were said.

    "Next Friday", said in two weeks that are apart, is two values; "next Friday" and that Friday's date are one.
    """
    mine, theirs = _moments(one, said, other, other_said)
    if mine is not None and theirs is not None:
        if _CLOCK.fullmatch(one.value_form) and _CLOCK.fullmatch(other.value_form):
            return mine[0].time() == theirs[0].time()
        return mine == theirs
    if one.attribute == "likes" and other.attribute == "likes":
        return _LIKED.sub("", one.value_form) == _LIKED.sub("", other.value_form)
    if one.attribute == "age" and other.attribute == "age":
        return _YEARS.sub("", one.value_form) == _YEARS.sub("", other.value_form)
    return same(one.value, other.value)


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


# ---------------------------------------------------------------- texts
@kept
def hard_values(text: str) -> frozenset[str]:
    """The numbers, times, codes, addresses and names of a text in one notation: what tells two similar claims apart."""
    return frozenset(value_key(value) for value in key_values(text) if value.kind in NAMED)


@kept
def amounts(text: str) -> frozenset[str]:
    """The numbers and sums of a text in one notation."""
    return frozenset(value_key(value) for value in key_values(text) if value.kind in AMOUNTS)


def same_claim(one: str, other: str) -> bool:
    """Whether two similar texts may say the same: no different number, time, code or address, and the same polarity.

    The guard that stands before every merge on similarity: cosine cannot tell 喜欢 from 不喜欢, nor 3pm from 4pm.
    """
    if negated(one) != negated(other) or ("?" in canonical(one)) != ("?" in canonical(other)):
        return False
    return hard_values(one) == hard_values(other)
