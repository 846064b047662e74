"""What a question asks for (a date, a sum, a name, …), and whether a text could answer it at all."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from typing import Final

from memories.core.extraction.sentences import is_question
from memories.core.text.kept import kept
from memories.core.text.sentences import sentences
from memories.core.text.words import tagged
from memories.core.values.forms import value_key
from memories.core.values.keyvalues import KeyValue, key_values
from memories.core.values.normalise import canonical

DAY, CLOCK, SUM, AMOUNT, REFERENCE, PERSON, NAMED, PLACE, TASK = (
    "day",
    "clock",
    "sum",
    "amount",
    "reference",
    "person",
    "named",
    "place",
    "task",
)

_ASKED: Final = (
    (PERSON, r"谁|哪(?:位|个人)|(?:叫|名字).{0,4}什么|什么名字|\b(?:who|whom|whose)\b|\bwhat(?:'s| is| was) .{0,40}\bname\b"),
    (NAMED, r"哪一?[家间所款]|哪个(?:公司|牌子|品牌|酒店|宾馆|商家|供应商|厂)|\b(?:which|what) (?:\w+ )?(?:company|firm|brand|shop|store|hotel|restaurant|supplier|vendor|agency|bank|airline)\b"),
    (
        DAY,
        r"哪(?:一?天|年|月|日)|几[月号日]|星期几|周几|礼拜几|什么时候|何时|什么日子|生日|多久|日期|期限|\bwhen\b|\b(?:birthday|deadline)\b|\b(?:what|which) (?:day|date|month|year|week\w*)\b|"
        r"\b(?:what|which) is the (?:last|first|next) day\b|\bhow long ago\b|\b(?:by|until|since) when\b",
    ),
    (CLOCK, r"几点|几时|什么时[候间]|何时|\bwhen\b|\b(?:at )?what time\b"),
    (
        SUM,
        r"多少钱|几块|花(?:了|费|钱)?.{0,6}多少|多贵|价[格钱]|费用|金额|预算|\bhow (?:much|expensive)\b|\bwhat (?:sum|price|amount)\b|\bcosts?\b|\bbudget\b|\bprice\b",
    ),
    (AMOUNT, r"多少(?!钱)|几(?!乎|个?人都|点|时|月|号)|多[大长高远重快]|\bhow (?:many|much|long|old|tall|far|big|often|fast|heavy)\b"),
    (
        REFERENCE,
        r"编号|号码|哪个号|什么号|几号|多少号|拨|代码|型号|版本|链接|网址|邮箱|\b(?:which|what) (?:\w+ ){0,3}(?:number|code|reference|version|id|address|link|extension|file)\b|\bdial\b|\bunder which\b|"
        r"\bwhat is the (?:reference|code|number|version|id)\b",
    ),
    (PLACE, r"哪里|哪儿|在哪|何处|什么地方|哪个(?:城市|地方|房间|楼|门)|\bwhere\b|\bwhich (?:city|town|room|door|place|building|country)\b"),
    (
        TASK,
        r"我.{0,2}欠|还没(?:做|交|给|寄|发|付)|在?等我|我(?:还|该|得|要)+.{0,6}(?:做|交|给|寄|邮|发|还|付)什么|该.{0,3}(?:做|交|寄|邮|发|还|付)什么|待办|"
        r"\bdo i (?:still )?(?:owe|have to|need to)\b|\bi got to\b|\bwaiting for\b.{0,20}\b(?:me|us)\b|\bam i supposed\b|\bto-?dos?\b|\bleft to do\b",
    ),
)  # fmt: skip
_PATTERNS: Final = tuple((kind, re.compile(pattern, re.IGNORECASE)) for kind, pattern in _ASKED)
_ANSWERS: Final[dict[str, frozenset[str]]] = {
    DAY: frozenset({"date"}),
    CLOCK: frozenset({"time"}),
    SUM: frozenset({"amount", "number"}),
    AMOUNT: frozenset({"number", "amount", "code"}),
    REFERENCE: frozenset({"code", "number", "email", "url"}),
    PERSON: frozenset({"name"}),
    NAMED: frozenset({"name"}),
    PLACE: frozenset({"name", "code"}),
    TASK: frozenset(),
}
"""Which sorts of key value (core.values.keyvalues) answer which sort of question."""

LONGEST_NAME: Final = 24
"""Characters of a fact's value that can still be a name."""
_TELLS: Final = re.compile(r"[不没很太都在着了过的]")

_SAID: Final = {
    PLACE: re.compile(
        r"[室楼层座路街区镇村城店院]|\b(?:room|floor|street|building|desk|suite|road|avenue|hotel)\b",
        re.IGNORECASE,
    ),
    TASK: re.compile(
        r"还得|还要|还没|得把|要把|提醒我|记得|别忘|待办|\b(?:have to|need to|must|remind me|don't forget|to-?do|still (?:owe|open))\b",
        re.IGNORECASE,
    ),
}
"""Words beside a value by which a text answers, too."""


def asked_for(question: str) -> frozenset[str]:
    """The sorts of answer that the question's words ask for; empty when any would do ("what does he like?")."""
    return frozenset(kind for kind, pattern in _PATTERNS if pattern.search(question))


@kept
def only_asks(text: str) -> bool:
    """True when every sentence of the text is a question: it tells nothing, however near to another question it is."""
    bounds = sentences(text)
    return bool(bounds) and all(is_question(text[start:end]) for start, end in bounds)


def new_values(text: str, question: str) -> list[KeyValue]:
    """The key values of the text that the question does not hold itself: what the text can tell the asker."""
    asked = canonical(question)
    return [
        value
        for value in key_values(text)
        if value_key(value) not in asked and canonical(value.text) not in asked
    ]


def fact_values(stated: Iterable[str], values: Collection[KeyValue], question: str) -> list[KeyValue]:
    """The values of a memory's facts that no key value of its text covers and the question does not hold itself.

    Names of companies and things are often no name by their form; that one was read as what something is, makes it one.
    One with a verb or an adverb in it tells something, too, but is no name (sort "thing").
    """
    asked = canonical(question)
    found = []
    for value in stated:
        bare = canonical(value)
        covered = any(canonical(one.text) in bare or bare in canonical(one.text) for one in values)
        if (
            bare
            and bare not in asked
            and not covered
            and len(value) <= LONGEST_NAME
            and not key_values(value)
        ):
            found.append(KeyValue("name" if _is_named(value) else "thing", value, 0, len(value)))
    return found


def _is_named(value: str) -> bool:
    """Whether it is nouns and letters only ("岭沐印务", "the Blue Door"), as names are."""
    if value.isascii():
        return re.match(r"(?:the\s)?[A-Z]", value) is not None
    return all(tag[0] in "nxegjz" or len(word) == 1 for word, tag in tagged(value)) and not _TELLS.search(
        value
    )


def answers(text: str, values: Collection[KeyValue], wanted: Collection[str]) -> bool:
    """Whether the text answers one of the wanted sorts; `values` are its new values (new_values), without any it tells nothing."""
    sorts = {value.kind for value in values}
    return bool(sorts) and any(
        sorts & _ANSWERS[kind] or (kind in _SAID and _SAID[kind].search(text)) for kind in wanted
    )


def task_fit(text: str, question: str, wanted: Collection[str], covered: float) -> float:
    """How surely a todo is what a question about tasks asks for, 0..1; 0 for another question.

    1 where it is about somebody or something that the question names, 0 where it is about others; where the question names
    nobody, as far as the todo's words cover the question's (`covered`, 0..1).
    """
    if TASK not in wanted:
        return 0.0
    named = [
        canonical(value.text) for value in key_values(question) if value.kind in {"name", "title", "code"}
    ]
    if not named:
        return covered
    return float(any(name in canonical(text) for name in named))


_TYPED: Final = frozenset({"date", "time", "amount", "number"})


def tells_thing(values: Collection[KeyValue], wanted: Collection[str]) -> bool:
    """Whether the values could answer a question that asks for no sort in particular ("which tool?", "what does he like?").

    A date or a sum alone could not: who wants one says so. What one still has to do, only a task can tell.
    """
    if wanted and set(wanted) == {TASK}:
        return False
    return any(wanted or value.kind not in _TYPED for value in values)
