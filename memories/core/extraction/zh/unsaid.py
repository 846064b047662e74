"""Chinese clauses that give a value and leave out of what: "改到周五了", "现在5公斤", "应该去T3", "接手的是孟医生".

They are read only where their words say that something changed or was wrong; what they are of is looked up among what is
known (core/placement/unsaid.py). A clause that only admits a mistake ("我看岔了", "鞋码写大了") tells what the next one puts right.
"""

from __future__ import annotations

import re

from memories.core.extraction.attributes import canonical_attribute, lookup
from memories.core.extraction.raw import NOBODY, UNSAID, Pending, Raw, Turn, Who
from memories.core.extraction.signals import MISSTATED
from memories.core.extraction.zh.heads import split_head
from memories.core.extraction.zh.rules import CHANGED, ONE, clean_value
from memories.core.extraction.zh.subjects import ME
from memories.core.extraction.zh.values import exact_value, is_opinion, noun_value
from memories.core.kinds import Kind
from memories.core.text.words import tagged
from memories.core.values.keyvalues import key_values

_ADV = (
    r"(?:现在|目前|如今|眼下|已经|最近|后来|终于|最后|干脆|索性|只好|只能|不得不|临时|统一|直接|又|也|就|都|才|刚刚?|我们?|咱们?|给我们?|被|"
    r"以后|今后|往后|这次|这回|下次|暂时|暂且|先){0,6}"
)
_TO = re.compile(
    rf"{_ADV}(?:把(?:它|时间|日子|地点)?)?(?:(?P<sure>{CHANGED}|(?:设|定|约|订|安排|敲定|选|排)(?:成|为|在|到|了)|(?:改|换|转|挪|移|搬|调|升|降|涨|跌)(?:去|上|走|来)?了?{ONE}?)|(?P<any>[\u4e00-\u9fff]{{1,2}}?(?:到|至|成|为)))(?:了)?{ONE}?(?P<v>[^，。]{{1,20}}?)(?P<done>了|啦)?"
)
_NOW = re.compile(
    r"(?:(?:现在|目前|如今|眼下|已经|这会儿|都|才|只|就){1,3})(?:是|要|有|到|卖|收|交|付|才|只|得)*(?P<v>[^，。]{1,16}?)(?:了|啦|的)?"
    r"|[量称测查数算验](?:了)?一?下(?:是|有|都|才)*(?P<x>[^，。]{1,16}?)(?:了|啦)?"
    r"|(?:得|要|收|卖|只要|只|足足?有|快)(?P<w>[^，。]{1,16}?)(?:了|啦)"
)
_RIGHT = re.compile(
    rf"(?:{ME})?(?:应该|应当|其实|实际上?|事实上|正确的|准确的|真正的|才|就|明明|人家|只){{0,3}}(?P<link>是|为|叫|应为|应是|(?![不没非未无])[\u4e00-\u9fff])?(?P<v>[^，。]{{1,20}}?)(?:才对|才是|对的|的|来着)?"
)
_NEWLY = re.compile(
    r"(?:现在|目前|如今|以后|今后|新的?|变成|这回|这次|已经|才|只)*(?:号码?|价格?|时间|地址|密码|名字|的)?(?:是|为|叫|要|收|卖|有|到|得)?(?P<v>[^，。]{1,20}?)(?:了|啦|的)?"
)
_TURN_OF = re.compile(
    r"(?:现在|以后|这回|这次)?(?:轮到|归|由|让|交给|给|请)(?P<v>[^，。]{2,6}?)(?:来|去)?(?:当|做|带|管|负责|接|上|顶|干|接手|接任)?(?:了|啦)?"
)
_TAKEN_OVER = re.compile(
    r".{0,6}?(?:接手|接替|接任|接班|接棒|顶替|顶上|替换|代替|取代|替代|补上|顶|替)(?:我们?|他|她|它)?(?:的位[置子])?(?:的人?)(?:就|现在)*是(?P<v>[^，。]{2,10})"
)
_MISTAKE = re.compile(
    rf"(?P<head>[^，。]{{0,12}}?)(?:是|我|我是|刚才|刚刚|之前|上次|给|都|刚|好像|又){{0,4}}{MISSTATED}(?:(?:成|为)了?(?P<old>[^，。]{{1,16}}?))?(?:了|啦|的|咯|一个?[数字位]|[个处])*"
)
_CHANGES = re.compile("[改换变调升降涨跌挪移延推提缩减增扩更迁补追压充精加]")
_NO_CHANGE = "直等从说想看做感得听谈聊提收达遇碰找"
_LASTED = re.compile(r"(?:[天周年]|小时|钟头|分钟|秒钟?|个月|星期|礼拜)(?:左右|多)?$")


def mistaken(text: str, turn: Turn) -> bool:
    """Whether the clause only says that something was told wrong; the next one then gives what is right."""
    match = _MISTAKE.fullmatch(text)
    if match is None or turn.said is not None:
        return False
    old = clean_value(match["old"]) if match["old"] else None
    head = match["head"].strip()
    head = "" if re.fullmatch(rf"{ME}|不好意思|抱歉|哎呀?", head) else head
    split = split_head(head, turn, loose=False) if head else None
    if split is not None:
        turn.mention(split[0])
        row = lookup(split[1])
        attribute = canonical_attribute(split[1])
        turn.pending = Pending(
            split[0], attribute, row.kind if row else None, old=old, open=split[0] == NOBODY
        )
    else:
        turn.pending = Pending(turn.subject or NOBODY, UNSAID, Kind.FACT, old=old, open=True)
    return True


def put_right(text: str, pending: Pending) -> str | None:
    """The exact value that a clause gives for what was told wrong, whatever verb it has: "我穿41的", "只要3300", "B2-178"."""
    if pending.how not in {"denied", "changed"}:
        return None
    match = _RIGHT.fullmatch(text) if pending.how == "denied" else _NEWLY.fullmatch(text)
    if match is not None and (value := exact_value(match["v"])) is not None:
        return value
    turn_of = _TURN_OF.fullmatch(text) if pending.how == "changed" else None
    return noun_value(turn_of["v"]) if turn_of else None


def unsaid(text: str, turn: Turn) -> list[Raw]:
    """The bare value of one of these forms, or []."""
    update, correction = True, False
    over = _TAKEN_OVER.fullmatch(text)
    value = clean_value(over["v"]) if over else _changed_to(text) or _held_now(text)
    if value is None and turn.correcting:
        value, update, correction = _corrected(text), False, True
    if value is None or is_opinion(value) or re.search(r"给[\u4e00-\u9fff]", value):
        return []  # 转了500块给小王
    who = Who(turn.speaker, "我") if re.match(ME, text) else turn.subject or NOBODY
    return [
        Raw(who, UNSAID, value, "zh.unsaid", Kind.FACT, text, update=update, correction=correction, open=True, single=True)
    ]  # fmt: skip


def _changed_to(text: str) -> str | None:
    match = _TO.fullmatch(text)
    if match is None:
        return None
    value = exact_value(match["v"])
    if (verb := match["any"]) is not None:
        # One syllable (瘦到), or two of which one means a change (追加到); 说到, 等到 and 感到 change nothing.
        changes = len(verb) == 2 or _CHANGES.search(verb) is not None
        told = match["done"] is not None and tagged(verb[:-1])[0][1][:1] in {"v", "a", "z"}
        return value if changes and told and verb[0] not in _NO_CHANGE else None
    if value is None and (match["done"] or "了" in match["sure"] or match["sure"][-1] in "成为用"):
        return noun_value(match["v"])
    return value


def _held_now(text: str) -> str | None:
    match = _NOW.fullmatch(text)
    value = exact_value(match["v"] or match["w"] or match["x"]) if match else None
    moment = value is not None and (
        any(one.kind in {"date", "time"} for one in key_values(value)) or _LASTED.search(value) is not None
    )
    return None if moment else value  # "已经12点了" tells the hour of the day, "都三天了" how long


def _corrected(text: str) -> str | None:
    match = _RIGHT.fullmatch(text)
    if match is None:
        return None
    value = exact_value(match["v"])
    return value or (noun_value(match["v"]) if match["link"] in {"是", "叫", "为", "应为", "应是"} else None)
