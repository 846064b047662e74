"""A new value in a Chinese clause whose grammar no other reader knows, where its words tell a change or a mistake.

Only the value is read: a number, date or code, or the noun that a verb of change or 现在 leads to. Of what it is, the other words of
the sentence tell (core/placement/chains.py); where they name no known fact, nothing is kept.
"""

from __future__ import annotations

import re

from memories.core.extraction.raw import MEANT, NOBODY, UNSAID, Raw, Turn, Who
from memories.core.extraction.zh.names import person_name
from memories.core.extraction.zh.plausible import in_house
from memories.core.extraction.zh.results import PERCEIVES
from memories.core.extraction.zh.rules import CHANGED, ONE, clean_value
from memories.core.extraction.zh.subjects import ME, leading_subject
from memories.core.extraction.zh.values import SPOT, exact_value, is_opinion, noun_value
from memories.core.kinds import Kind
from memories.core.text.words import tagged
from memories.core.values.keyvalues import key_values
from memories.core.values.numerals import ZH_NUMBER

_TELLS = re.compile(
    rf"{CHANGED}|[\u4e00-\u9fff](?:成|到|为|至)了?(?=.*\d)|现在|目前|如今|以后|今后|[这下]个?(?:学期|季度|周|月|星期|年)|今年|开始|改|换|转|只剩|还?剩|超过|突破|破|降|升|涨|跌|缩|[加减]|延|推|提前|续|调|了$|给.{{0,4}}[配发换办]了"
)
"""What says that something is not as it was."""
_NO_CHANGE = re.compile(
    rf"^(?:而|并)?不是|(?:不对|有误|不算数?|作废|错)(?:了|啦)?$|先前|早先|[不没](?:是|有|到)?[\d一二两三四五六七八九十]|(?<!凉)快(?:要)?(?=[搬换改到])|就要|马上|即将|[没不别未勿](?:有|会|要|用|能|肯|想|打算|准备|同意)?(?:把.{{1,8}})?(?:改|换|变|涨|降|升|调|延|推|搬|挪|转|加|减)|[想要](?:把|将)|每次|一共|上次|以前|(?<![只需主重])要(?!求)[^，。]{{0,6}}?(?:[涨降改换升调减加瘦胖延推搬挪变转缩])|[想该](?=[涨降改换升调减加瘦胖延推搬挪变转缩])|(?<![成到为至])了{ZH_NUMBER}[次趟遍回下声圈]|之前|曾经|当年|原来|[昨前]天|[去前]年|刚才|差点|至少|至多|最多|如果|打算|准备|计划|希望|建议|本来|跟.{{1,6}}比"
)
"""What is wished, past, or was not done: no value that holds now."""
_NOW_IS = re.compile(
    rf"(?:{CHANGED}|[\u4e00-\u9fff](?:成|为)了|(?:改|换|转)(?:[\u4e00-\u9fff]{{0,2}}?)(?:了|去|到|上)*|(?:现在|目前|如今|以后|今后)(?:都|主要|改|是|在|就|自己|换|也|只|基本){{0,3}}[\u4e00-\u9fff]{{0,2}}?(?:了|到|在|给|向|跟|着)?){ONE}?(?P<v>[\u4e00-\u9fffA-Za-z0-9《》·]{{2,12}}?)(?:了|啦|的|呢|吧)*$"
)
_BY_WHOM = re.compile(
    r"(?:由|向|跟|归|找|让)(?:[^，。的]{1,6}的)?(?P<v>[\u4e00-\u9fff]{2,4}?|[A-Z][a-z]+)(?:来|去|暂时|正式|临时|接着|继续)*(?:顶|接|代|担任|负责|带|管|做|当|主持|牵头|汇报|对接|跟进|教|搭)"
)
"""Who has it now: 由唐工顶上."""
_SPOKEN = re.compile(rf"(?P<v>{ZH_NUMBER}[\u4e00-\u9fff]{{0,2}}?)(?:了|啦|就行|就好)*$")
"""A number in Chinese characters at the clause's end: 一万五."""
_TIMED_ANEW = re.compile(rf"{CHANGED}|时间|[改换调挪延推提]|以后|今后|[这下]个?(?:学期|季度|周|月|星期)")
"""What a time of day needs beside it to be a new one: 加班到十点 and 现在才七点 only tell when it is."""
_FROM = re.compile(rf"(?:从|由)(?P<old>[^，。从由]{{1,16}}?)(?={CHANGED})")
_UNTIL = re.compile(r"(?:成|到|为|至)了?第?$")
_KINDS = frozenset({"amount", "number", "date", "time", "code", "email", "url"})


def loosely(text: str, turn: Turn) -> list[Raw]:
    """The new value that the clause tells of something, or []."""
    if turn.told or not (_TELLS.search(text) or turn.correcting) or _NO_CHANGE.search(text):
        return []
    by = _BY_WHOM.search(text)
    value = by["v"] if by else _measure(text) or _noun(text)
    if value is None or is_opinion(value) or not (by or turn.correcting or _is_new(value, text)):
        return []
    update = not turn.correcting
    origin = _FROM.search(text)
    if re.match(rf"(?:{ME})?(?:[就都已经又]|刚刚?)*搬(?:到|去|回|进)", text) and turn.subject is None:
        if in_house(value):
            return []
        return [Raw(Who(turn.speaker, "我"), "home", value, "zh.moved", Kind.PROFILE, text, update=True)]
    return [
        Raw(
            _who(text, turn), UNSAID, value, MEANT, Kind.FACT, text, update=update, correction=not update,
            replaces=clean_value(origin["old"]) if origin else None, open=True, single=True,
        )
    ]  # fmt: skip


def _is_new(value: str, text: str) -> bool:
    """Whether the value is what something came to: no hour of the day, nothing seen or done, no clause of its own."""
    words = tagged(value)
    if "给" in value or (len(words) > 1 and words[0][1] == "m" and words[-1][1] == "v"):
        return False  # 500块给小王, 100人报名
    if {one.kind for one in key_values(value)} == {"time"} and not _TIMED_ANEW.search(text):
        return False
    before = text[: text.rfind(value)]
    until = _UNTIL.search(before)
    return until is None or PERCEIVES.search(before[: until.start()]) is None  # 看到第三章


def _who(text: str, turn: Turn) -> Who:
    found = leading_subject(text, turn)
    if found is not None and found[0].key != turn.listener:
        return found[0]
    return Who(turn.speaker, "我") if re.match(ME, text) else turn.subject or NOBODY


def _measure(text: str) -> str | None:
    """The last number, date or code of the clause, with what belongs to it."""
    if (spot := re.search(rf"{SPOT.pattern}(?=了?$)", text)) is not None:
        return spot[0]
    found = [one for one in key_values(text) if one.kind in _KINDS]
    if not found:
        spoken = _SPOKEN.search(text)
        return spoken["v"] if spoken else None
    for one in found:
        if (
            value := exact_value(re.sub(r"(?:就行|就好|就可以|即可)?(?:了|啦|吧)*$", "", text[one.start :]))
        ) is not None:
            return value
    last = found[-1]
    unit = re.match(r"[\u4e00-\u9fffA-Za-z%]{0,2}?(?=的|了|$)", text[last.end :])
    start = last.start - (text[: last.start].endswith("负"))
    return text[start : last.end + unit.end()] if unit else None


def _noun(text: str) -> str | None:
    """What a verb of change, or 现在 and a verb, leads to at the clause's end."""
    for match in _NOW_IS.finditer(text):
        value = match["v"]
        words = tagged(value)
        while len(words) > 1 and words[0][1][:1] in {"v", "p", "d", "u"} and len(words[0][0]) < 3:
            value = value[len(words[0][0]) :]
            words = tagged(value)
        if noun_value(value) is not None or person_name(value) == value:
            return value
    return None
