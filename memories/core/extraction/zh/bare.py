"""Chinese clauses that name a value without a copula, or a change without saying whose: "房租3200", "年会在喜来登办", "会员涨了20块".

What they name is often only a part of what is known ("会员" of "爱奇艺会员"); such a fact is marked `open` and is looked up
among the known ones (core/placement/anchoring.py). A change told as a difference keeps the difference: only what is known makes it a value.
"""

from __future__ import annotations

import re

from memories.core.extraction.attributes import ZH_WORDS, canonical_attribute, lookup
from memories.core.extraction.raw import NOBODY, Pending, Raw, Turn, Who
from memories.core.extraction.relations import relation
from memories.core.extraction.zh.heads import split_head
from memories.core.extraction.zh.rules import CHANGED, clean_value
from memories.core.extraction.zh.subjects import ME, leading_subject, noun_subject
from memories.core.extraction.zh.values import is_opinion
from memories.core.kinds import Kind
from memories.core.text.words import tagged
from memories.core.values.keyvalues import key_values
from memories.core.values.numerals import ZH_NUMBER
from memories.core.values.sorts import EACH_ZH

NOW = r"(?:现在|目前|如今|已经|仍然|一直|其实|大概|差不多|也|就|都|还|才|只要?|要|得|又|一共|总共|固定|暂时|平时|最后|终于)*"
MEASURED = re.compile(
    r"[费价率额号码压糖脂酸重高龄薪资积分长宽厚温度速量数期款金付址贷租息]$|时间$|日期$|[房车水电学]费$|[租税]$"
)
"""How a noun ends that things have a value of."""
PER = rf"(?:{EACH_ZH}|[月年]付|每?人均?)?"
UNIT = r"(?:[万千百]?(?:块钱?|元|圆|人民币|美元|刀|欧元|公斤|千克|斤|kg|克|岁|厘米|公分|cm|米|公里|平米?|平方米?|㎡|度|个?小时|分钟|天|周|个?月|年|人|个人|位|个|次|页|集|层|楼|室|号|%|％|毫?升|G|GB|M|兆)?)"
_PAYS = r"(?:(?:[还交付收缴花发拿卖挣赚扣充存攒凑批投筹留]|准备|预留)(?:了)?|有)"
"""What one does with money: the amount is still what the noun before it comes to."""
_VALUE = re.compile(
    rf"{ZH_NUMBER}(?:块|元|万|千|百|米)[\d一二三四五六七八九]{{1,2}}|(?:[¥￥$]\s?)?{ZH_NUMBER}(?:[./:：-]\d+)*{UNIT}(?:半|多|左右|以上|以内|出头)?(?:[/每一]个?[天周月年次人晚])?|[A-Za-z粤京沪苏浙川渝鲁豫鄂湘闽][A-Za-z0-9][A-Za-z0-9@._-]{{2,40}}"
)
DONE = r"(?:了|啦|呢|呀|吧|的|左右)*"


def read_bare(text: str, turn: Turn) -> list[Raw]:
    """The fact of one of these forms, or []."""
    for reader in (_counted, _times, _has_so_many, _juxtaposed, _coded):
        raw = reader(text, turn)
        if raw is not None:
            if raw.who.key not in {"general", turn.speaker}:
                turn.mention(raw.who)
            return [raw]
    return []


def _juxtaposed(text: str, turn: Turn) -> Raw | None:
    """房租3200, 我爸血糖8.5, 信用卡额度现在3万, 车牌号粤B12345."""
    for found in key_values(text):
        match = re.fullmatch(rf"(?P<v>{_VALUE.pattern}){DONE}", text[found.start :])
        if match is None or found.start < 2:
            continue
        head = re.sub(rf"{NOW}{PER}{NOW}(?:是|{_PAYS})?$", "", text[: found.start])
        value = clean_value(match["v"])
        lead = text[len(head) : found.start]
        per = re.search(rf"{PER}$", re.sub(rf"{NOW}(?:是|{_PAYS})?$", "", lead))
        if value is None or not head or head[-1] in "没不别未":
            return None
        value = (per[0] if per else "") + value
        split = _measured(head, value, turn, has=lead.endswith("有"))
        if split is None:
            return None
        who, word, is_open = split
        parts = tagged(word)
        if len(parts) > 1 and parts[0][1] == "v" and parts[1][1] == "nr":
            return None  # 欠老王300: what is done to somebody, no attribute
        row = lookup(word)
        if row is not None and row.name in {"occupation", "employer", "school", "education", "home"}:
            return None  # 工作三年: how long, not as what
        kind = row.kind if row else Kind.FACT
        changed = re.search("现在|如今|目前", lead) is not None or text.endswith("了")
        said = whole(text, who)
        return Raw(who, canonical_attribute(word), value, "zh.bare", kind, said, update=changed, open=is_open)
    return None


def _measured(head: str, value: str, turn: Turn, *, has: bool = False) -> tuple[Who, str, bool] | None:
    """Subject and attribute of a head that a value follows directly; the last says that the subject is not named."""
    table = next((word for word in ZH_WORDS if len(word) > 1 and head.endswith(word)), None)
    if table is not None and (split := split_head(head, turn, loose=True, value=value)) is not None:
        return (*split, split[0].key == "general")
    who, rest = owner_of(head, turn)
    paid = re.match(rf"{PER}(?:要|得|都)*{_PAYS}(?=..)", rest)
    rest = rest[paid.end() :] if paid else rest
    money = paid or has or re.search(r"[元块¥￥圆]|美元|刀$", value) is not None
    if not rest:
        return None  # 我们三天: nothing that a value could be of
    if re.search(r"[天年周月]$|小时|分钟|星期|礼拜", value) and tagged(rest)[0][1][:1] == "v":
        return None  # 留长发十年: how long
    if not 2 <= len(rest) <= 8 or not (money or MEASURED.search(rest)) or acts(rest):
        return None
    if who is None:
        if "的" in rest:
            before, word = rest.rsplit("的", 1)
            owner = noun_subject(before, turn)
            return (owner, word, False) if owner is not None and word else None
        subject = turn.subject
        if subject is not None and subject.person:
            return subject, rest, False
        # 爱奇艺涨价了，会员每月30: of the thing spoken of, as one word with it.
        return NOBODY, f"{subject.key if subject else ''}{rest}", True
    return who, rest, False


_NEXT_DOOR = re.compile(
    r"(?P<who>隔壁邻居|邻居|对门|隔壁(?=家)|(?:朋友|同事|同学|亲戚|室友|闺蜜)(?=家))家?的?(?=[\u4e00-\u9fff]{2})"
)
"""Somebody else before what is theirs, no 我 said."""


def owner_of(head: str, turn: Turn) -> tuple[Who | None, str]:
    """我, 我爸, 阿杰 before a noun, and the noun."""
    found = leading_subject(head, turn)
    if found is None and (alone := leading_subject(f"{head}。", turn)) is not None and alone[1] == "。":
        found = alone[0], ""
    if found is None and (next_door := _NEXT_DOOR.match(head)) is not None:
        who = next_door["who"]
        return Who(f"{turn.speaker}:{relation(who)}", who), head[next_door.end() :]
    if found is None or found[0].key == turn.listener:
        return None, head
    return found[0], found[1].removeprefix("的").removeprefix("家的").removeprefix("家")


def acts(noun: str) -> bool:
    words = tagged(noun)
    if re.search(rf"(?:{CHANGED})$", noun) or re.search(
        r"[我你您他她它的]|觉得|认为|以为|表示|打算|宣布|[说想讲问看]", noun
    ):
        return True
    return words[0][1][:1] in {"p", "d", "c", "r", "y", "t", "m"} or any(
        word in "了过着把被" for word, _ in words
    )


def _counted(text: str, turn: Turn) -> Raw | None:
    """我们团队有6个人: how many a group is."""
    match = re.fullmatch(
        rf"(?P<s>[^，。有]{{2,14}}?)(?P<now>{NOW})(?:有|是)?(?P<v>{ZH_NUMBER}(?:多)?(?:个人|名(?:员工|成员|同事|同学|学生)?|位(?:同事|成员)?|个(?:成员|员工|同学|同事)|人|口人?)){DONE}",
        text,
    )
    if match is None or re.fullmatch(rf"{ME}|.*[不没]|{NOW}", match["s"]) or re.search(CHANGED, match["s"]):
        return None
    who = noun_subject(match["s"], turn)
    if who is None or (who.person and not re.search(r"[队组班司团部群家]$", match["s"])):
        return None
    alone = who.key == match["s"]
    return Raw(
        who,
        "scale",
        match["v"],
        "zh.counted",
        Kind.FACT,
        text,
        update="现在" in match["now"] or text.endswith("了"),
        open=alone,
    )


_TIMES = re.compile(
    rf"(?P<s>[^，。]{{2,14}}?){NOW}(?P<v>[每一]个?(?:天|周|星期|礼拜|月|年|学期|季度|次|顿)[喂吃喝用发给打上播更]?{ZH_NUMBER}[次回遍趟片粒勺杯场节篇顿支针碗滴包]半?){DONE}"
)


def _times(text: str, turn: Turn) -> Raw | None:
    """瑜伽课一周三次: how often something is done."""
    match = _TIMES.fullmatch(text)
    who = noun_subject(match["s"], turn) if match else None
    if match is None or who is None or who.person or who.key in {turn.speaker, turn.listener}:
        return None
    return Raw(
        who,
        "frequency",
        match["v"],
        "zh.times",
        Kind.FACT,
        text,
        update="现在" in text or text.endswith("了"),
    )


_SO_MANY = re.compile(
    rf"(?P<s>[^，。有没]{{2,14}}?)(?P<now>{NOW})(?P<no>没)?有(?P<v>{ZH_NUMBER}(?P<u>栋|座|扇|张|盏|棵|株|口|页|集|章|节|层|间|级|期|季|首|篇|道|门|桌|席|平米|平方米|公里|米|斤|公斤|升|度|题|回|步|站|排|行|格|瓦|寸|兆|G|GB)(?P<n>[\u4e00-\u9fff]{{0,3}}?)){DONE}"
)


def _has_so_many(text: str, turn: Turn) -> Raw | None:
    """这本书有320页, 教学楼有5层: how many of its parts a thing has."""
    match = _SO_MANY.fullmatch(text)
    who = (
        noun_subject(match["s"], turn) if match and not re.match(rf"{ME}|[他她它您你]", match["s"]) else None
    )
    if match is None or who is None or who.person or who.key in {turn.speaker, turn.listener}:
        return None
    attribute = f"{match['n'] or match['u']}数"
    if match["no"]:
        turn.mention(who)
        turn.pending = Pending(who, attribute, Kind.FACT, old=match["v"])
        return None
    return Raw(
        who, attribute, match["v"], "zh.counted", Kind.FACT, text, update="现在" in match["now"], single=True
    )  # fmt: skip


_CODED = re.compile(
    rf"(?P<s>[^，。是]{{2,12}}?){NOW}是(?P<v>(?=[^\d]{{0,6}}\d)[A-Za-z][A-Za-z0-9-]{{2,20}}(?:次|号)?){DONE}"
)


def _coded(text: str, turn: Turn) -> Raw | None:
    """高铁是G205次: what a thing is known by."""
    match = _CODED.fullmatch(text)
    who = noun_subject(match["s"], turn) if match else None
    if match is None or who is None or who.person or who.key in {turn.speaker, turn.listener}:
        return None
    return Raw(who, "number", match["v"], "zh.coded", Kind.FACT, text, update="现在" in text)


_USED = re.compile(
    rf"(?P<s>[^，。用]{{2,14}}?)(?:上|里)?{NOW}(?:用|跑|装)的(?:就|都)?是(?P<v>[^，。]{{2,20}}?){DONE}"
)


def used(text: str, turn: Turn) -> list[Raw]:
    """服务器用的是Ubuntu: what a thing, or the speaker for it, uses."""
    match = _USED.fullmatch(text)
    who = noun_subject(match["s"], turn) if match else None
    value = clean_value(match["v"]) if match else None
    if match is None or who is None or value is None or who.person or is_opinion(value):
        return []
    turn.mention(who)
    return [Raw(who, "uses", value, "zh.used", Kind.FACT, text, single=True, update="现在" in text)]


def whole(text: str, who: Who) -> str:
    """The clause with its subject before it where it is left out."""
    if not who.surface or who.surface in text or re.match(ME, text) or who.surface == "我":
        return text
    return f"{who.surface}{text}"
