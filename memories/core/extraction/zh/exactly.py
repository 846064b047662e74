"""A number, date or code at the end of a Chinese clause, and the thing before it that has it: "标书写到28页", "我笔记本8GB内存", "答辩4月22日"."""

from __future__ import annotations

import re

from memories.core.extraction.attributes import canonical_attribute
from memories.core.extraction.raw import NOBODY, PLAIN, Raw, Turn, Who
from memories.core.extraction.zh.results import PERCEIVES
from memories.core.extraction.zh.spoken_of import slot_of, topic_of, unreal, without_verb
from memories.core.extraction.zh.subjects import noun_subject
from memories.core.extraction.zh.values import exact_value
from memories.core.kinds import Kind
from memories.core.text.words import tagged
from memories.core.values.keyvalues import key_values
from memories.core.values.numerals import ZH_NUMBER
from memories.core.values.sorts import EACH_ZH

_MEASURE = re.compile(
    rf"(?P<v>第?{ZH_NUMBER}(?:多|来)?(?P<u>[\u4e00-\u9fff]|[A-Za-z]{{1,3}}|[%％]))(?P<n>[\u4e00-\u9fff]{{0,5}})"
)
_SPOKEN = re.compile(
    r"(?P<head>[^，。]{2,14}?(?:有|到|是|破|共))了?(?P<v>(?![一两]$)[一二两三四五六七八九十百千万]{1,6})"
)
"""A number in Chinese characters with nothing that it counts: 粉丝有三千."""
_END = re.compile(r"(?:[了啦呢呀吧]|左右)+$")
_TIMEWORDS = "年月日号点时分秒周天"
_LASTS = re.compile(r"目前|现在|如今|一共|总共|已经|一直|固定|每|都|统一|养|带|管")
_CHANGES = re.compile(
    r"(?:[上升涨掉降拉提改调减加更扩补]|[^写录拍])[到至成为]了?(?=\d)|现在|目前|如今|已经|改|换|涨|降|升|以后|今后|[下这]个?月起|新|[了啦]$"
)
_SETTLED = frozenset("定订约排")
_PORTION = re.compile(r"(?:克|毫升|ml|[勺瓣颗粒片根匙撮滴]|个|天)$")
"""How much of something, which is no attribute of it."""


def exactly(text: str, turn: Turn) -> Raw | None:
    """The fact, or None where no thing stands before the value, or what is done with it is over at once."""
    bare = re.sub(r"^(?:这[次回]|本次|这个(?!月))的?", "", _END.sub("", text))
    if (beside := _beside(bare, turn)) is not None:
        return beside
    spoken = _SPOKEN.fullmatch(bare)
    if spoken is not None and not unreal(spoken["head"]):
        return _of(spoken["head"], spoken["v"], "", text, turn)
    for one in key_values(bare):
        head = bare[: one.start]
        if head.endswith(("第", "¥", "￥", "$")):
            head = head[:-1]
        said = bare[len(head) :]
        if len(head) < 2:
            continue  # 下个月的房贷
        if len(head) > 20 or unreal(head):
            return None
        if re.fullmatch(r"[一两几]点", said) or re.search(r"[路街巷弄道栋幢楼区]$", head):
            return None  # 快一点; an address
        value, noun = _measured(said)
        if value is None or (noun and head.endswith("的")):
            continue  # 湖南的一所大学: a thing, of which nothing is said
        if head[-1] in "前后" and re.match(r"[几两三四五六八\d]位\d", said):
            head, value = head[:-1], head[-1] + value
        within = re.search(
            rf"(?:[前后][几两三四五六八\d]位|{EACH_ZH}|每[\u4e00-\u9fff]|(?:[这下本]个?|上个?)?月(?:初|底)?|[下这本]个?周)$",
            head,
        )
        if within is not None and within.start() > 1:
            head, value = head[: within.start()], within[0] + value
        return _of(head, value, noun, text, turn)
    return None


def _measured(said: str) -> tuple[str | None, str]:
    """The value, and the noun that it counts or is an amount of."""
    if unreal(said) or (said[:1] in "百千万" and tagged(said)[0][1][:1] == "n"):
        return None, ""  # 百度云
    match = _MEASURE.fullmatch(said)
    if match is not None and match["u"] not in _TIMEWORDS and match["n"]:
        words = tagged(match["n"])
        if all(tag[:1] == "v" for _, tag in words):
            return match["v"], ""  # 第5个|上场
        if words[-1][1][:1] == "v" and len(words) > 1:
            words = words[:-1]  # 8支队伍|参赛
        if all(tag[:1] in {"n", "j"} for _, tag in words):
            return match["v"], "".join(word for word, _ in words)
        return None, ""
    return exact_value(said), ""


def _of(head: str, value: str, noun: str, text: str, turn: Turn) -> Raw | None:
    head, verb = without_verb(head)
    lasts = _LASTS.search(text) is not None
    if PERCEIVES.search(verb.rstrip("了到在是")[-1:] or "-") and not lasts:
        return None
    if verb.endswith("了") and not lasts and not set(verb) & _SETTLED:
        return None
    owner, topic = topic_of(head, turn)
    if topic and re.search("[到至成]", verb) and len(tagged(topic)) == 1 and tagged(topic)[0][1] == "v":
        return None  # 水烧|到100度
    lasted = re.search(r"(?:[天年周月]|小时|钟头|分钟|星期|礼拜)(?:多)?$", value) is not None
    if lasted and text.endswith("了"):
        return None  # 我工作三年了
    if lasted and verb.rstrip("了快有都已经"):
        return None  # 等了三年: how long, no attribute
    if (
        topic
        and re.search("新款|旗舰|顶配|最新|上市", topic)
        and (owner is None or owner.key != turn.speaker)
    ):
        return None  # 新款笔记本16GB内存: what is sold, nobody's
    if not topic:
        return _of_body(owner, value, text, turn)
    if owner is None and not verb and turn.subject is None and _PORTION.search(value):
        return None  # 面粉200克: of a recipe, a list, a case
    update = _CHANGES.search(text) is not None
    kinds = {one.kind for one in key_values(value)}
    if (slot := slot_of(owner, topic, turn)) is not None:
        return plain(*slot, value, text, update=update)
    if kinds <= {"date", "time"} and kinds:
        who = Who(topic, topic, person=False)
        if verb.rstrip("了").endswith(("到", "至")) and tagged(topic)[-1][1][:1] == "v":
            return None  # 值班到11点: until when
        return plain(who, "time", value, text, update=update)
    if noun:
        thing = noun_subject(topic, turn) or Who(topic, topic, person=False)
        if thing.person:
            return None
        counted = re.search(r"[个条只头支名位张本台部]$", value) is not None
        return plain(thing, f"{noun}数" if counted else canonical_attribute(noun), value, text, update=update)
    return plain(owner or NOBODY, canonical_attribute(topic), value, text, update=update)


def _beside(bare: str, turn: Turn) -> Raw | None:
    """一袋两百块 after 猫粮我一直买渴望的, 58公斤 after 我身高165: more of what the clause before spoke of, by the unit alone."""
    if turn.subject is None or turn.said is None or exact_value(bare) != bare or len(bare) < 3:
        return None
    found = next((name for unit, name in _BODY if bare.endswith(unit)), None)
    if not turn.subject.person:
        found = "price" if re.search("[元块]钱?$", bare) else None
    who = turn.subject
    return Raw(who, found, bare, PLAIN, None, f"{who.surface}{bare}", single=True) if found else None


_BODY = (("岁", "age"), ("公斤", "weight"), ("斤", "weight"), ("厘米", "height"), ("公分", "height"))


def _of_body(owner: Who | None, value: str, text: str, turn: Turn) -> Raw | None:
    """我家猫三岁了: somebody's age, weight or height, by the unit alone."""
    attribute = next((name for unit, name in _BODY if value.rstrip("多半").endswith(unit)), None)
    if owner is None or attribute is None or not (owner.person or ":" in owner.key):
        return None
    return Raw(
        owner, attribute, value, PLAIN, None, text, update=_CHANGES.search(text) is not None, single=True
    )


def plain(who: Who, attribute: str, value: str, text: str, *, update: bool) -> Raw:
    """The fact: where its words tell a change, a known one that it means is looked for first."""
    return Raw(who, attribute, value, PLAIN, Kind.FACT, text, update=update, open=update, single=True)
