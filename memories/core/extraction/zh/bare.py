"""Chinese clauses that name a value without a copula, or a change without saying whose: "房租3200", "年会在喜来登办", "会员涨了20块".

What they name is often only a part of what is known ("会员" of "爱奇艺会员"); such a fact is marked `open` and is looked up
among the known ones (core/values/anchoring.py). A change told as a difference keeps the difference: only what is known makes it a value.
"""

from __future__ import annotations

import re

from memories.core.extraction.attributes import ZH_WORDS, canonical_attribute, lookup
from memories.core.extraction.raw import Pending, Raw, Turn, Who
from memories.core.extraction.zh.attributes import begin_of, split_head
from memories.core.extraction.zh.rules import CHANGED, clean_value
from memories.core.extraction.zh.subjects import ME, leading_subject, noun_subject
from memories.core.extraction.zh.values import is_abstract, is_opinion
from memories.core.kinds import Kind
from memories.core.text.words import tagged
from memories.core.values.keyvalues import key_values
from memories.core.values.numerals import ZH_NUMBER

_NOW = r"(?:现在|目前|如今|已经|仍然|一直|其实|大概|差不多|也|就|都|还|才|只要?|要|得|又|一共|总共|固定|暂时|平时|最后|终于)*"
_MEASURED = re.compile(
    r"[费价率额号码压糖脂酸重高龄薪资积分长宽厚温度速量数期款金址]$|时间$|日期$|[房车水电学]费$|[租税]$"
)
"""How a noun ends that things have a value of."""
_PER = r"(?:每个?(?:[天周月年次人位份桌]|平米?)|一个?[天周月年次]|[月年]付|每?人均?)?"
_UNIT = r"(?:[万千百]?(?:块钱?|元|圆|人民币|美元|刀|欧元|公斤|千克|斤|kg|克|岁|厘米|公分|cm|米|公里|平米?|平方米?|㎡|度|个?小时|分钟|天|周|个?月|年|人|个人|位|个|次|页|集|层|楼|室|号|%|％|毫?升|G|GB|M|兆)?)"
_VALUE = re.compile(
    rf"(?:[¥￥$]\s?)?{ZH_NUMBER}(?:[./:：-]\d+)*{_UNIT}(?:半|多|左右|以上|以内|出头)?(?:[/每一]个?[天周月年次人晚])?|[A-Za-z粤京沪苏浙川渝鲁豫鄂湘闽][A-Za-z0-9][A-Za-z0-9@._-]{{2,40}}"
)
_DONE = r"(?:了|啦|呢|呀|吧|的|左右)*"


def read_bare(text: str, turn: Turn) -> list[Raw]:
    """The fact of one of these forms, or []."""
    for reader in (_differs, _changed, _juxtaposed, _counted, _located, _used):
        raw = reader(text, turn)
        if raw is not None:
            if raw.who.key not in {"general", turn.speaker}:
                turn.mention(raw.who)
            return [raw]
    return []


def _juxtaposed(text: str, turn: Turn) -> Raw | None:
    """房租3200, 我爸血糖8.5, 信用卡额度现在3万, 车牌号粤B12345."""
    for found in key_values(text):
        match = re.fullmatch(rf"(?P<v>{_VALUE.pattern}){_DONE}", text[found.start :])
        if match is None or found.start < 2:
            continue
        head = re.sub(rf"{_NOW}{_PER}{_NOW}是?$", "", text[: found.start])
        value = clean_value(match["v"])
        lead = text[len(head) : found.start]
        per = re.search(rf"{_PER}$", re.sub(rf"{_NOW}是?$", "", lead))
        if value is None or not head:
            return None
        value = (per[0] if per else "") + value
        split = _measured(head, value, turn)
        if split is None:
            return None
        who, word, is_open = split
        row = lookup(word)
        if row is not None and row.name in {"occupation", "employer", "school", "education", "home"}:
            return None  # 工作三年: how long, not as what
        kind = row.kind if row else Kind.FACT
        changed = "现在" in lead or "如今" in lead or "目前" in lead
        return Raw(
            who,
            canonical_attribute(word),
            value,
            "zh.bare",
            kind,
            _whole(text, who),
            update=changed,
            open=is_open,
        )
    return None


_ABOUT = re.compile(
    r"(?P<head>[^，。的]{2,10}?)(?:最近|这两天|又|还|一直|都)*(?=(?:控制|恢复|稳定|波动|有[点些]|偏|不[太大]?|太|很|挺|降|升|涨|跌|掉|变|好转)[^，。到至成为]*$)"
)


def note_measure(text: str, turn: Turn) -> None:
    """我爸血糖控制得不错: what a number in the next clause is of."""
    match = _ABOUT.match(text)
    if match is None:
        return
    who, noun = _owner(match["head"], turn)
    if who is None or not 2 <= len(noun) <= 6 or _MEASURED.search(noun) is None or _acts(noun):
        return
    row = lookup(noun)
    turn.mention(who)
    turn.pending = Pending(who, canonical_attribute(noun), row.kind if row else None, how="announced")


def _measured(head: str, value: str, turn: Turn) -> tuple[Who, str, bool] | None:
    """Subject and attribute of a head that a value follows directly; the last says that the subject is not named."""
    table = next((word for word in ZH_WORDS if len(word) > 1 and head.endswith(word)), None)
    if table is not None and (split := split_head(head, turn, loose=True, value=value)) is not None:
        return (*split, split[0].key == "general")
    who, rest = _owner(head, turn)
    money = re.search(r"[元块¥￥圆]|美元|刀$", value) is not None
    if not 2 <= len(rest) <= 8 or not (money or _MEASURED.search(rest)) or _acts(rest):
        return None
    if who is None:
        if "的" in rest:
            before, word = rest.rsplit("的", 1)
            owner = noun_subject(before, turn)
            return (owner, word, False) if owner is not None and word else None
        subject = turn.subject
        return (
            (subject, rest, False) if subject is not None else (Who("general", "", person=False), rest, True)
        )
    return who, rest, False


def _owner(head: str, turn: Turn) -> tuple[Who | None, str]:
    """我, 我爸, 阿杰 before a noun, and the noun."""
    found = leading_subject(head, turn)
    if found is None and (alone := leading_subject(f"{head}。", turn)) is not None and alone[1] == "。":
        found = alone[0], ""
    if found is None or found[0].key == turn.listener:
        return None, head
    return found[0], found[1].removeprefix("的").removeprefix("家的").removeprefix("家")


def _acts(noun: str) -> bool:
    words = tagged(noun)
    if re.search(r"[我你您他她它的]|觉得|认为|以为|表示|打算|宣布|[说想讲问看]", noun):
        return True
    return words[0][1][:1] in {"p", "d", "c", "r", "y", "t", "m"} or any(
        word in "了过着把被" for word, _ in words
    )


def _counted(text: str, turn: Turn) -> Raw | None:
    """我们团队有6个人: how many a group is."""
    match = re.fullmatch(
        rf"(?P<s>[^，。有]{{2,14}}?)(?P<now>{_NOW})(?:有|是)(?P<v>{ZH_NUMBER}(?:多)?(?:个人|名(?:员工|成员|同事|同学|学生)?|位(?:同事|成员)?|个(?:成员|员工|同学|同事)|人|口人?)){_DONE}",
        text,
    )
    if match is None or re.fullmatch(rf"{ME}|.*[不没]", match["s"]):
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


_ROOM = re.compile(
    r"[A-Za-z]?\d{2,4}(?:室|房间?|教室|包[间厢])?|[A-Za-z一二三四五六七八九十\d]+[区栋座排柜]\S{0,8}|.*\d+(?:楼|层|室|号(?!码))|[一二三四五六七八九十]+[楼层]"
)
_SIDE = re.compile(
    r".*(?:里面?|上面?|下面?|底下|旁边|边上|后面|前面|对面|附近|隔壁|门口|中间|角落|[东西南北]边|[东南西北]侧|[^\d][里上下])$"
)
_KIND_OF_PLACE = re.compile(
    r".*(?:[省市区县镇村路街巷弄号楼层馆厅室店院场园寺庙湖山岛港站校府城]|中心|广场|酒店|宾馆|会所|基地|公寓|小区|大厦|教室|线上|线下|工位|车库|车位|柜|架|抽屉|公司|学校|体育馆|科技园|园区|商场|机场|码头)$"
)
_LOCATED = re.compile(
    r"(?P<s>[^，。在]{2,18}?)(?P<now>(?:现在|目前|如今|已经|一直|还|就|都|改|会|将|要|平时|是|定)*)(?<!现)在(?P<v>[^，。]{2,20}?)(?P<act>举办|举行|召开|进行|集合|见面|碰头|办|开|吃|拍|录|打|上)?(?P<done>了|呢|的)*"
)


def _located(text: str, turn: Turn) -> Raw | None:
    """年会在喜来登办, 备用钥匙在鞋柜里, 我新租的房子在龙阳路."""
    match = _LOCATED.fullmatch(text)
    if match is None or re.match(r"[他她您你谁这那它]|什么|正|问题|关键|重点", match["s"]):
        return None
    value = clean_value(match["v"])
    if value is None or is_opinion(value) or not (_is_place(value) or (match["act"] and _is_name(value))):
        return None
    update = match["now"].endswith("改") or "现在" in match["now"]
    home = re.fullmatch(
        rf"(?:{ME}|我们|咱们|我家|我们家)(?P<new>新|刚|现在|目前)*(?:租|买|住|搬进?)(?:下来?)?的(?:房子?|地方|公寓|小区|屋子?|家)",
        match["s"],
    )
    if home:
        return Raw(
            Who(turn.speaker, match["s"]),
            "home",
            value,
            "zh.lives_at",
            Kind.PROFILE,
            text,
            update=bool(home["new"]),
        )
    who = noun_subject(match["s"], turn)
    if (
        who is None
        or who.person
        or who.key in {turn.speaker, turn.listener, "general"}
        or is_abstract(who.key)
    ):
        return None
    if any(
        tag[:1] in {"d", "p", "r", "c", "y", "e", "u"}
        for _, tag in tagged(re.sub(r"^我们?的?|的", "", match["s"]))
    ):
        return None
    row = lookup(who.key)
    if row is not None and row.name in {"employer", "school"}:
        return Raw(
            Who(turn.speaker, match["s"]),
            f"{row.name}_location",
            value,
            "zh.located",
            Kind.FACT,
            text,
            update=update,
        )
    return Raw(who, "location", value, "zh.located", Kind.FACT, text, update=update)


def _is_place(value: str) -> bool:
    if _ROOM.fullmatch(value) or _SIDE.fullmatch(value) or _KIND_OF_PLACE.fullmatch(value):
        return not re.match(r"[一这那][个次种]|心|脑|手[里上]|[这那]|开会|进行|于", value)
    words = tagged(value)
    return bool(words) and words[-1][1] in {"ns", "nt"}


def _is_name(value: str) -> bool:
    return all(tag[:1] in {"n", "x", "e", "j", "i", "l"} for _, tag in tagged(value)) and len(value) <= 8


_PART = r"(?:凌晨|清晨|早上|早晨|上午|中午|下午|傍晚|晚上|夜里|半夜|早|晚)"
_TIMED = re.compile(
    rf"(?P<s>[^，。]{{0,12}}?)(?P<how>(?:每天|每晚|每早|天天|一般|平时|通常|工作日|周末|习惯了?|都是?|现在|最近|改[成到为在]?了?|固定|基本|大概|要|得|会|已经)*)"
    rf"(?P<v>{_PART}?(?:\d{{1,2}}[:：]\d\d|{ZH_NUMBER}点(?:半|钟|{ZH_NUMBER}分|[一三]刻)?)(?:左右|多)?)(?:就|才|准时|要|得|左右|开始|之?前|以?后)*"
    r"(?P<act>起床|睡觉|上班|下班|上课|下课|放学|上学|开门|关门|打烊|营业|开饭|午休|熄灯|到校|到岗|出门|到家|起|睡)了?"
)
_SPOKEN_ACT = {"睡": "睡觉", "起": "起床"}


def timed_act(text: str, turn: Turn) -> list[Raw]:
    """我每天早上6点半起床, 食堂晚上7点关门."""
    match = _TIMED.fullmatch(text)
    if match is None or re.search(r"今|明|昨|后天|前天|\d[日号]|[周星期][一二三四五六日天]", match["s"]):
        return []
    act, phrase = match["act"], match["s"].strip()
    mine = not phrase or re.fullmatch(rf"{ME}|我们|咱们", phrase) is not None
    if mine and not match["how"]:
        return []
    who = (
        turn.subject or Who(turn.speaker, "我")
        if not phrase
        else Who(turn.speaker, phrase)
        if mine
        else noun_subject(phrase, turn)
    )
    if who is None or who.key == turn.listener or re.search(r"[了]", phrase):
        return []
    changed = re.search(r"改|现在", match["how"]) is not None
    turn.mention(who)
    return [
        Raw(
            who,
            f"{_SPOKEN_ACT.get(act, act)}时间",
            match["v"],
            "zh.timed",
            Kind.FACT,
            _whole(text, who),
            update=changed,
        )
    ]


_USED = re.compile(
    rf"(?P<s>[^，。用]{{2,14}}?)(?:上|里)?{_NOW}(?:用|跑|装)的(?:就|都)?是(?P<v>[^，。]{{2,20}}?){_DONE}"
)


def _used(text: str, turn: Turn) -> Raw | None:
    """服务器用的是Ubuntu: what a thing, or the speaker for it, uses."""
    match = _USED.fullmatch(text)
    who = noun_subject(match["s"], turn) if match else None
    value = clean_value(match["v"]) if match else None
    if match is None or who is None or value is None or who.person or is_opinion(value):
        return None
    return Raw(who, "uses", value, "zh.used", Kind.FACT, text, single=True, update="现在" in text)


_SWAP = re.compile(
    rf"(?P<s>[^，。]{{2,20}}?)(?P<adv>{_NOW}(?:我|我们|被|给)?(?:刚刚?|昨天|昨晚|上周|最近|今年|直接|统一)*{_NOW})(?P<cop>{CHANGED}|更新[成为到]|升级[成为到]|切换?[成为到])(?:了)?(?P<v>[^，。]{{1,30}}?){_DONE}"
)
_SWAP_LATER = re.compile(_SWAP.pattern.replace("(?P<s>[^，。]{2,20}?)", "(?P<s>[^，。]{2,20})", 1))


def _changed(text: str, turn: Turn) -> Raw | None:
    """健身卡升级成年卡了, 客厅空调换成美的了, 服务器从Ubuntu换成Debian了: which fact it is only the known ones tell."""
    match = _SWAP.fullmatch(text)
    if match is None or match.start("cop") != begin_of(text, match.start("cop"), match.end("cop")):
        match = _SWAP_LATER.fullmatch(text)
    if match is None or re.match(r"[^改换变]作", match["cop"]):
        return None  # 合作 is no change
    head, old = match["s"], None
    if (origin := re.fullmatch(r"(?P<s>.{2,16}?)(?:从|由)(?P<old>.{1,16})", head)) is not None:
        head, old = origin["s"], clean_value(origin["old"])
    head = re.sub(r"^(?:把|将|我把|我们把)|(?:现在|目前|也|又|都|我们?|已经)$", "", head)
    value = clean_value(match["v"])
    if value is None or is_opinion(value) or re.match(r"[他她你您谁这那它]|什么", head):
        return None
    who, noun = _owner(head, turn)
    if not 2 <= len(noun) <= 10 or _acts(noun) or is_abstract(noun) or "的" in noun:
        return None
    if re.search(r"^(?:一|不|很|更|这|那)|我|自己", value) and not any(map(str.isdigit, value)):
        return None
    if old is not None and who is None:
        thing = noun_subject(noun, turn)
        if thing is None or thing.person:
            return None
        return Raw(
            thing, "uses", value, "zh.swapped", Kind.FACT, text, update=True, replaces=old, single=True
        )
    subject = who if who is not None else Who("general", "", person=False)
    row = lookup(noun)
    return Raw(
        subject, canonical_attribute(noun), value, "zh.changed", row.kind if row else Kind.FACT, text,
        update=True, replaces=old, open=True, single=True,
    )  # fmt: skip


_PLUS = r"推迟|延后|延期|顺延|往后(?:推|挪|延)|后延|延长|推后|晚|拖后?|上涨|涨价?|上调|增加|增|追加|加|多|升|提高|贵|长|重|胖|高"
_MINUS = r"提前|早|往前(?:提|挪)|下调|降低|降价?|减少|减|砍掉?|少|掉|下跌|跌|瘦|轻|便宜|优惠|缩短|缩减|缩|下降|省|扣"
_BODY = {"胖": "weight", "瘦": "weight", "重": "weight", "轻": "weight", "高": "height"}
_DIFFERS = re.compile(
    rf"(?P<s>{ME}|[^，。]{{2,16}}?)(?:又|再|还|也|就|都|已经|直接|临时|被|要|得|会|将|统一|集体|给(?:我|我们)?|最近|今年|这个月|上个?月|这周|整体|再次|长)*(?P<verb>(?P<plus>{_PLUS})|(?P<minus>{_MINUS}))(?:掉)?(?:了)?(?:大概|差不多|将近|整整|足足|有)?"
    rf"(?P<n>半个?(?:小时|钟头|天|月|年)|{ZH_NUMBER}(?:个半)?(?:分钟|刻钟|个?小时|个?钟头|天|个?星期|个?礼拜|周|个?月|年|%|％|[^\d，。了]{{0,3}}?))(?:钱)?(?:左右|进行|举行|开始|召开)?{_DONE}"
)


def _differs(text: str, turn: Turn) -> Raw | None:
    """婚礼推迟一周, 房租涨了两百, 我又瘦了3斤: by how much a known value changed."""
    match = _DIFFERS.fullmatch(text)
    if (
        match is None
        or re.search(r"每|比|最|[去前]年|跟|和(?!解)", match["s"])
        or re.search(r"[点岁次遍个]$|个(?!月|小时|钟头|星期|礼拜|半)", match["n"])
    ):
        return None
    head, verb = match["s"], match["verb"]
    delta = ("+" if match["plus"] else "-") + match["n"]
    said = re.sub(r"[了的]+$", "", f"{verb}{match['n']}")
    who, noun = _owner(head, turn)
    noun = re.sub(rf"(?<=..){_PER}$", "", noun)
    if re.fullmatch(r"(?:自己|体重)?", noun):
        attribute = "weight" if noun == "体重" else _BODY.get(verb)
        who = who or turn.subject or Who(turn.speaker, "我")
        if attribute is None or not (noun or leading_subject(head, turn)):
            return None
        return Raw(who, attribute, said, "zh.differs", Kind.FACT, _whole(text, who), update=True, delta=delta)
    split = split_head(head, turn, loose=True, value="1")
    if split is not None:
        subject, noun = split
    else:
        named = noun_subject(head, turn) if "的" in head else None
        subject = who or named or Who("general", "", person=False)
        if "的" in noun:
            noun = noun.rsplit("的", 1)[1]
    if len(noun) < 2 or _acts(noun):
        return None
    return Raw(
        subject, canonical_attribute(noun), said, "zh.differs", Kind.FACT, _whole(text, subject), update=True, delta=delta,
        open=True, single=True,
    )  # fmt: skip


def _whole(text: str, who: Who) -> str:
    """The clause with its subject before it where it is left out."""
    if not who.surface or who.surface in text or re.match(ME, text) or who.surface == "我":
        return text
    return f"{who.surface}{text}"
