"""What sort of value something is: a number, an amount, money, a date, a time, a code, a name, a place or other words."""

from __future__ import annotations

import re
from collections.abc import Callable
from enum import StrEnum
from typing import Final

from memories.core.text.kept import kept
from memories.core.text.words import tagged
from memories.core.values.forms import LONGEST, amount_of, measured
from memories.core.values.keyvalues import key_values
from memories.core.values.numerals import EN_WORD_NUMBER
from memories.core.values.units import CURRENCIES, UNIT, unit_named

HARD: Final = frozenset({"snippet", "url", "email", "code", "amount", "date", "time", "number"})
"""Kinds of key value that stand for themselves: nothing else is meant by them."""
NAMED: Final = HARD | {"name"}
"""The same with the names of people and places."""
AMOUNTS: Final = frozenset({"amount", "number"})
"""Kinds that say how much."""
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
_LEAD = re.compile(
    r"^(?:(?:at|on|by|in|for|about|around|only|just|over|up to|the|an?)\s+|[在于约])+(?=\S)", re.IGNORECASE
)
_DATED = re.compile(r"\d{4}-\d\d-\d\d|\d{1,2}月|(?:19|20)\d\d年|(?:(?:next|last|this)\s+|下下|[上下本这])?周[一二三四五六日]|(?:today|tomorrow|yesterday|tonight)\b|next\s+(?:week|month|year)\b|[今明后昨前][天年]|下个?[周月]", re.IGNORECASE)  # fmt: skip
_TIMED = re.compile(r"\d\d:\d\d(?!\d)|(?:midnight)\b", re.IGNORECASE)
_NUMBERED = re.compile(rf"-?\d+(?:\.\d+)?\+?\s?(?P<u>{UNIT})", re.IGNORECASE)
_CAPITALS = re.compile(r"(?:[A-Z][\w.'’&-]*\s?){1,4}")


@kept
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
        return bool(mine & theirs) or bool(mine & AMOUNTS and theirs & AMOUNTS)
    one, two = known.split(), said.split()
    if one and len(two) > 1 and one[-1].lower() == two[-1].lower():
        return True
    return known[:1].isupper() and said[:1].isupper()


class Takes(StrEnum):
    """What the values of an attribute of a known sort must be: of anything else it is no value, but something said of it."""

    PHONE = "phone"
    EMAIL = "email"
    CODE = "code"
    NAME = "name"
    QUANTITY = "quantity"
    AGE = "age"
    MONEY = "money"
    DAY = "day"
    MOMENT = "moment"


STAND_IN: Final = "QX71"
"""Is of every sort: what a request or a question leaves open is completed with it to a statement."""
_MASK: Final = re.compile(r"\[[^\]]+\]|<[^>]+>|.*\*{2}.*")
"""What stands for a value that was taken out."""
_LATER: Final = re.compile(r"(?:待定|未定|不定|没定|保密|面议)|(?:tb[dac]|undecided|negotiable|not (?:set|fixed|decided)\b.*)", re.IGNORECASE)  # fmt: skip
_DIGIT: Final = re.compile(rf"[\d零〇一二两三四五六七八九十百千万半]|\b(?:{EN_WORD_NUMBER})\b", re.IGNORECASE)
_SPOKEN_DIGIT: Final = re.compile(r"\d|[零〇一幺二三四五六七八九]|\b(?:zero|oh|one|two|three|four|five|six|seven|eight|nine)\b", re.IGNORECASE)  # fmt: skip
EACH_ZH: Final = (
    r"[每一]个?(?:[天周月年次顿人位份桌张件斤克晚平袋包瓶盒箱罐桶双套]|平米?|小时|星期|礼拜|学期|季度?)"
)
"""Of what each an amount is, in Chinese."""
_PER: Final = re.compile(rf"^{EACH_ZH}(?=.*\d)")
"""Before what is paid or used each time: 一个月3200."""
_COUNTER: Final = re.compile(r"\d+(?:\.\d+)?[个件种场段回]")
_DECADE: Final = re.compile(r"(?:twen|thir|for|fif|six|seven|eigh|nine)ties\b|\bteens?\b|奔[三四五六七八九]|不惑|而立|花甲|古稀", re.IGNORECASE)  # fmt: skip
_FREE: Final = re.compile(
    r"免费|免[收交]|不[要收]钱|\b(?:free|included|waived|minimum wage)\b", re.IGNORECASE
)
_FEAST: Final = re.compile(
    r"[正腊冬闰]月|[大年]?初[一二三四五六七八九十]|除夕|[\u4e00-\u9fff]节|元宵|中秋|重阳|端午|七夕|清明|立[春夏秋冬]|[冬夏]至|[同那这当]天|\b(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*\b|"
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)day|\b(?:eve|day|days|today|tomorrow|tonight|yesterday|week|weekend|month|year|spring|summer|autumn|fall|winter|christmas|easter|halloween|thanksgiving|ramadan|eid|diwali)s?\b|[天日周月年旬季春夏秋冬]",
    re.IGNORECASE,
)
_WHENEVER: Final = re.compile(
    r"[前后时]|早|晚|上午|下午|中午|夜|随时|尽快|立刻|马上|现在|\b(?:noon|midday|midnight|morning|afternoon|evening|night|dawn|dusk|sunset|sunrise|before|after|when|until|till|once|during|quarter|end|"
    r"beginning|start|soon|asap|now|any ?time|immediately|flexible|lunch|dinner|breakfast|rolling|same)\b|\bQ[1-4]\b",
    re.IGNORECASE,
)
_NO_TIME: Final = re.compile(r"(?:3[2-9]|[4-9]\d)")
_MAKE: Final = re.compile(r"(?:(?:an?|my|now|still|new|old)\s+)*[a-z]?[A-Z][\w-]*(?:\s[\w-]+){0,3}")
_ORDINAL: Final = re.compile(r"\d(?:st|nd|rd|th)\b")
_TIME_UNIT: Final = re.compile(r"[年月日号天周季时分秒刻点]|小时|夜|[a-z]+", re.IGNORECASE)
_SAID_OF_NAME: Final = re.compile(r"(?:.*\s)?(?:with|an?|the|on|of|in|at|to|for|by|from|as|not|no|but|too|very|so|like|after|hard|my|your|his|her)(?:\s.*)?")  # fmt: skip
_NO_NAME: Final = re.compile(
    r"[了过着得]|(?:[一两二三四五六七八九十几好\d]+[个位只条头辆台部份张杯瓶顿趟次桌碗箱单]|[个辆趟顿杯])(?=.)"
)
"""What a name does not begin with: a particle of aspect (叫了…), a number with its measure word (叫两份…)."""


def of_sort(takes: Takes, value: str) -> bool:
    """Whether the value can be one of that sort, however it is hedged ("about 62 kg", "税后两万"). An empty value is none."""
    value = value.strip()[:LONGEST]
    if not value:
        return False
    if value == STAND_IN:
        return True
    if _MASK.fullmatch(value) or _LATER.fullmatch(value):
        return takes is not Takes.NAME
    return _CHECKS[takes](value)


def names_a_make(value: str) -> bool:
    """Whether the value is, as a whole, what a thing of a make is called: "an iPhone 15", "a Pixel"."""
    return _MAKE.fullmatch(value.strip()) is not None


def _is_phone(value: str) -> bool:
    digits = len(_SPOKEN_DIGIT.findall(value))
    return digits >= 5 or (digits >= 3 and re.match(r"[\d+(（]", value) is not None)


def _is_email(value: str) -> bool:
    return "@" in value or re.search(r"\bat\b.+\bdot\b|艾特", value, re.IGNORECASE) is not None


def _is_code(value: str) -> bool:
    return _DIGIT.search(value) is not None or re.fullmatch(r"[A-Z-]{2,12}", value) is not None


def _is_quantity(value: str) -> bool:
    form = _LEAD.sub("", measured(_PER.sub("", value)).strip())
    return _DIGIT.search(form) is not None and _COUNTER.match(form) is None


def _is_age(value: str) -> bool:
    return _is_quantity(value) or _DECADE.search(value) is not None


def _is_money(value: str) -> bool:
    if sort_of(value) is Sort.DATE or _ORDINAL.search(value):
        return False  # "the rent is due on the 5th"
    return _is_quantity(value) or _FREE.search(value) is not None


def _is_day(value: str) -> bool:
    return _DIGIT.search(value) is not None or _FEAST.search(value) is not None


def _is_moment(value: str) -> bool:
    unit = unit_of(value)
    if _NO_TIME.fullmatch(value) or (unit and not _TIME_UNIT.search(unit)):
        return False
    return _is_day(value) or _WHENEVER.search(value) is not None


def _is_name(value: str) -> bool:
    if value[0].islower() and _SAID_OF_NAME.fullmatch(value):
        return False
    return _NO_NAME.match(value) is None


_CHECKS: Final[dict[Takes, Callable[[str], bool]]] = {
    Takes.PHONE: _is_phone, Takes.EMAIL: _is_email, Takes.CODE: _is_code, Takes.NAME: _is_name, Takes.QUANTITY: _is_quantity,
    Takes.AGE: _is_age, Takes.MONEY: _is_money, Takes.DAY: _is_day, Takes.MOMENT: _is_moment,
}  # fmt: skip
