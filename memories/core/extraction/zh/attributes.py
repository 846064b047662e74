"""What a Chinese clause says of an attribute: "<subject>的<attribute>是<value>" and its relatives."""

from __future__ import annotations

import re
from itertools import accumulate

from memories.core.extraction import schedule
from memories.core.extraction.attributes import ZH_WORDS, canonical_attribute, lookup
from memories.core.extraction.raw import Pending, Raw, Turn, Who
from memories.core.extraction.relations import BY_WORD as RELATIONS
from memories.core.extraction.zh.changes import from_old
from memories.core.extraction.zh.rules import CHANGED, COPULA, clean_value
from memories.core.extraction.zh.subjects import (
    ME,
    has_family_name,
    leading_subject,
    looks_called,
    noun_subject,
    person_name,
)
from memories.core.extraction.zh.values import is_abstract, is_amount, is_exact, is_opinion
from memories.core.kinds import Kind
from memories.core.text.words import tagged

_HEAD = 40
"""Characters that what stands before a copula may have at most."""
_LOOSE_COPULA = frozenset({"在", "有", "为", "叫", "叫做"})


_FAVOURITE = re.compile(
    rf"(?:{ME}|(?P<who>[^，。的我你您他她它]{{2,8}}?))?(?:最|更|特别|比较)?(?:喜欢|爱|钟爱|偏爱|讨厌|不喜欢)(?P<verb>[\u4e00-\u9fff]{{0,2}})的(?P<noun>[\u4e00-\u9fffA-Za-z]{{1,8}}?)(?=现在|如今|一直|还|都|也|就|是|叫|换成|改成|变成|[:：])"
)


_PLACED = frozenset(
    {
        "location", "time", "end_time", "deadline", "origin", "home", "workplace", "employer", "school", "birthday",
    }
)  # fmt: skip
"""Attributes that 在 may give a value to."""


def favourite(text: str, turn: Turn) -> list[Raw]:
    """我最爱的颜色是蓝色, 最讨厌的菜是苦瓜."""
    now = re.match(r"(?:现在|目前|如今|最近)(?=最|更|特别|我)", text)
    whole, text = text, text[now.end() :] if now else text
    match = _FAVOURITE.match(text)
    if not match:
        return []
    copula = COPULA.match(text, match.end())
    value = clean_value(text[copula.end() :]) if copula and copula["cop"][0] in "是叫：:换改变" else None
    if value is None:
        return []
    bad = "讨厌" in match[0] or "不喜欢" in match[0]
    who = (
        noun_subject(match["who"], turn) if match["who"] else Who(turn.speaker, turn.speaker_surface or "我")
    )
    if who is None or not (
        who.key == turn.speaker or who.person or re.fullmatch("[\u4e00-\u9fff]{2,4}", who.key)
    ):
        return []
    turn.mention(who)
    attribute = ("least_favorite_" if bad else "favorite_") + canonical_attribute(match["noun"])
    changed = now is not None or "现在" in copula["adv"] if copula else False
    return [
        Raw(who, attribute, value, "zh.favorite", Kind.PREFERENCE, stated(whole, who, whole), update=changed)
    ]


def read_attribute(text: str, turn: Turn) -> list[Raw]:
    """<subject>(的)<attribute> 是/为/改成/在 <value>."""
    for copula in COPULA.finditer(text):
        if copula.start() > _HEAD:
            break
        head, value = text[: _begin(text, copula)], clean_value(text[copula.end() :])
        if not head or len(head) > _HEAD:
            continue
        if (
            copula["adv"][:1] == "会"
            and value
            and schedule.starts_with_time(value)
            and not lookup_suffix(head)
        ):
            return []  # 同步会改到周二: the 会 is a meeting, read by its time
        old = None
        if re.match(CHANGED, copula["cop"]):
            head, old = from_old(head)
        taken_back = re.fullmatch(r"(?P<new>.{1,24}?)(?:，|,)?(?:而|并)?不是(?P<old>.{1,24})", value or "")
        if taken_back and copula["cop"] != "不是":
            value, old = clean_value(taken_back["new"]), clean_value(taken_back["old"])
        past = _BEFORE.search(head)
        head = head[: past.start()] if past else head
        moved = _moved(head, copula["cop"], turn, value)
        if moved is not None and moved[1].endswith("location") and value is not None:
            value = moved_to(value)
        split = moved or split_head(head, turn, loose=copula["cop"] in _LOOSE_COPULA, value=value)
        if split is None:
            continue
        who, word = split
        if word.endswith("_location"):
            turn.mention(who)
            return [Raw(who, word, value or "", "zh.moved_to", Kind.FACT, text, update=True)]
        if word in RELATIONS and not (value and (person_name(value) == value or looks_called(value))):
            continue  # 我的上司是... says what the boss is, not who
        if copula["cop"] in ":：=＝" and lookup(word) is None:
            continue
        newer = f"新{word}" in head
        if who.person and word in {"号码", "号"}:
            word = "电话"
        if word == "手机" and value is not None and not re.search(r"\d{5}|\d[- ]?\d{4}", value):
            word = "手机型号"  # 手机换成iPhone了 tells no number
        attribute = canonical_attribute(word)
        row = lookup(word)
        kind = row.kind if row else None
        if copula["cop"] == "不是":
            turn.mention(who)
            both = re.fullmatch(r"(?P<a>.{1,30}?)(?:，|,|\s)*而?是(?P<b>.{1,40})", text[copula.end() :])
            if both and (right := clean_value(both["b"])):
                whole = f"{who.surface}的{word}是{right}"
                return [
                    Raw(
                        who,
                        attribute,
                        right,
                        "zh.not_but",
                        kind,
                        whole,
                        correction=True,
                        update=True,
                        replaces=clean_value(both["a"]),
                    )
                ]
            turn.pending = Pending(who, attribute, kind, old=value)
            return []
        if value is None or (attribute == "name" and value == who.surface):
            continue  # 葛岚名叫葛岚
        if copula["cop"] == "不再是":
            turn.mention(who)
            turn.pending = Pending(who, attribute, kind, how="changed", old=value)
            return [Raw(who, attribute, value, "zh.attribute", kind, stated(text, who, text), ended=True)]
        turn.mention(who)
        if copula["cop"] == "在" and attribute not in _PLACED:
            continue
        if (
            row is not None
            and row.dated
            and (copula["cop"] in {"在", "有"} or len(value) > 8)
            and not schedule.starts_with_time(value)
            and not (copula["cop"] not in {"在", "有"} and re.search(r"\d|[年月日号周点]", value))
        ):
            continue
        if copula["cop"] == "在" and attribute in {"employer", "school"}:
            attribute = f"{attribute}_location"
        changed = (
            copula["cop"][0] not in "是为叫定在有设选:：=＝"
            or "现在" in copula["adv"]
            or newer
            or head.startswith(("如今", "眼下"))
        )
        return [
            Raw(
                who,
                attribute,
                value,
                "zh.attribute",
                kind,
                stated(text, who, text),
                update=changed,
                correction=taken_back is not None,
                replaces=old,
                when="past" if past else "",
                open=changed and who.key == "general" and row is None,
            )
        ]
    return []


_PLACE = re.compile(
    r".*(?:[省市区县镇村路街巷弄号楼层馆厅室店院场园寺庙湖山岛港站校府城里边]|中心|广场|酒店|宾馆|会所|基地|公寓|小区|大厦|教室|会议室|线上|线下|工位|车库|车位|柜|架|抽屉|桌上|床下)$"
)


def _moved(head: str, verb: str, turn: Turn, value: str | None) -> tuple[Who, str] | None:
    """读书会|改到图书馆, 我们公司|搬到滨江, 团队|扩充到15人: the verb and the value tell which attribute of the thing it is."""
    if value is None or "的" in head or not re.match(CHANGED, verb):
        return None
    if re.match(r"\d+\s?[人名位]|[一二两三四五六七八九十百千万]+[人名位]", value):
        attribute = "scale"
    elif (
        verb[0] in "搬迁挪移转改换"
        and verb.rstrip("了")[-1] in "到至回在"
        and (_PLACE.fullmatch(moved_to(value)) or tagged(moved_to(value))[-1][1] == "ns")
    ):
        attribute = "location"
    else:
        return None
    row = next((found for word in ZH_WORDS if head.endswith(word) and (found := lookup(word))), None)
    if row is not None and (row.name in _PLACED - {"employer", "school"} or attribute == "scale"):
        return None
    own = re.fullmatch(r"(?:我们?|咱们?)?(?:公司|单位|学校)", head) is not None
    if own and row is not None and row.name in {"employer", "school"} and attribute == "location":
        return Who(turn.speaker, head), f"{row.name}_location"
    who = noun_subject(head, turn)
    return None if who is None or who.person or who.key in {turn.speaker, turn.listener} else (who, attribute)


def moved_to(value: str) -> str:
    """虹桥 of "虹桥那边去"."""
    return re.sub(r"(?<=..)(?:[那这]边|[那这]里|[那这]儿)?(?:去|来|上班|办公|住)?$", "", value)


def _begin(text: str, copula: re.Match[str]) -> int:
    return begin_of(text, copula.start(), copula.end())


def begin_of(text: str, start: int, end: int) -> int:
    """Where the words between attribute and value begin: 血压|降到 and 首都|是, where a pattern would cut inside a word."""
    if text[start] in "改换变更":
        return start
    first = max(0, end - _HEAD - 8)
    bounds = set(accumulate((len(word) for word, _ in tagged(text[first:end])), initial=first))
    if start in bounds or start + 1 not in bounds:
        return start
    rest = text[start + 1 : end]
    return start + 1 if re.fullmatch(COPULA.pattern, rest) else start


_LATELY = re.compile(
    r"(?<=..)(?:现在|目前|如今|眼下|最新|已经|这次|最近|一共|总共|大约|暂定|刚刚?|刚才|后来|[昨前今]天|今早|[上这本]个?(?:周|月|星期|礼拜)|[去今]年)被?$"
)
_BEFORE = re.compile(r"(?<=..)(?:以前|之前|原来|原先|从前|过去|当时|早先)$")
"""Said of an attribute's value between the attribute and its copula: "押金以前是300元"."""


def split_head(head: str, turn: Turn, *, loose: bool, value: str | None = None) -> tuple[Who, str] | None:
    """Subject and attribute word of what stands before the copula.

    A word of the table may follow its subject directly (项目预算, 我手机号) or stand alone; any other noun needs 的 before it
    and a copula that is no preposition. `value` is what it is said to be: an opinion or a definition is no value of an open noun.
    """
    head = head.strip(" 、,，")
    head = _LATELY.sub("", head)
    head = re.sub(r"^(?:(?:最?新|目前|现在|正确|真正|准确|实际)的|最新|目前|现在|如今|眼下)(?=.)", "", head)
    if head[:1] == "新" and lookup(head[1:]) is not None:
        head = head[1:]
    head = re.sub(r"(?<=[点地名字号址])儿$", "", head)
    for word in ZH_WORDS:
        if not head.endswith(word):
            continue
        before = re.sub(r"(?<=[^最])(?:最?新|旧|现)$", "", head[: -len(word)]).rstrip("的")
        if len(word) == 1 and not before:
            return None
        who = noun_subject(before, turn) if before else default_subject(word, turn)
        if (
            who is None
            and value is not None
            and is_exact(value)
            and re.fullmatch("[\u4e00-\u9fff]{2,4}", before)
            and before[0] not in "这那哪每各某"
            and all(tag[:1] in "nvj" for _, tag in tagged(before))
        ):
            # 快递单号, 装修预算: what it is for goes before the word, nobody has it
            return turn.subject or Who("general", "", person=False), head
        # 活动开始时间: the longest word of the table wins, but 下班时间 is no "time" of 下班
        if who is not None:
            return None if value is not None and is_opinion(value) else (who, word)
        return None
    if loose:
        return None
    if "的" not in head:
        coded = value is not None and re.fullmatch(r"[A-Za-z0-9@._-]*\d[A-Za-z0-9@._-]*", value) is not None
        return _compound(head, turn) if value is not None and (coded or is_amount(value)) else None
    before, word = head.rsplit("的", 1)
    word = re.sub(r"^(?:最?新|现|旧)(?=..)", "", word)
    if all(tag == "ns" for _, tag in tagged(before)) and not has_family_name(before):
        return None  # what a city or a country has, everybody can look up
    if not 1 <= len(word) <= 10 or re.search(
        r"[，。我你他她它这那]|时候|^(?:[男女老好坏病]|年轻|中国|外国|家)?人$|话$|事情?$|^[一某几][个位名些]|表示|觉得|认为|希望|打算|准备",
        word,
    ):
        return None
    if value is not None and (is_opinion(value) or is_abstract(word)):
        return None
    words = tagged(word)
    if (
        len(words) == 1
        and words[0][1] in {"v", "d", "p", "c", "r", "y"}
        and len(value or "") > 8
        and not is_exact(value or "")
    ):
        return None
    who = noun_subject(before, turn)
    return (who, word) if who is not None else None


def lookup_suffix(head: str) -> bool:
    """Whether the words end in an attribute of the table (生产日期|会改到...)."""
    return any(head.endswith(word) for word in ZH_WORDS if len(word) > 1)


def _compound(head: str, turn: Turn) -> tuple[Who, str] | None:
    """鱼缸|水温: a noun of at least two characters after another noun."""
    owner = leading_subject(re.sub(r"^我们?家的?(?=[A-Za-z\u4e00-\u9fff]{2})", "我", head), turn)
    if (
        owner is not None
        and owner[0].key != turn.listener
        and re.fullmatch("[\u4e00-\u9fffA-Za-z]{2,8}", owner[1])
    ):
        odd = any(tag[0] not in "nljva" for word, tag in tagged(owner[1]) if not word.isascii())
        return None if odd or re.search(r"觉得|认为|以为|[说想讲问]", owner[1]) else owner
    words = tagged(head)
    if len(words) < 2 or any(tag[0] not in "nlj" for _, tag in words) or len(words[-1][0]) < 2:
        return None
    before = head[: -len(words[-1][0])]
    who = noun_subject(before, turn) if len(before) > 1 else None
    return (who, words[-1][0]) if who is not None else None


def default_subject(word: str, turn: Turn) -> Who | None:
    """Whose "电话" or "截止日期" it is when nobody is named: the last subject of the turn, else the speaker's or the matter's."""
    row = lookup(word)
    same = turn.subject is not None and row is not None and lookup(turn.subject.key) is row
    if (
        turn.subject is not None
        and not same
        and not (word in {"房租", "租金"} and turn.subject.key.endswith(":landlord"))
    ):
        return turn.subject
    if row is not None and row.personal:
        return Who(turn.speaker, turn.speaker_surface or "我")
    return Who("general", "", person=False)


def stated(text: str, who: Who, rest: str) -> str:
    """The clause with its subject named: pronouns replaced, an elided subject put in front."""
    if who.surface and who.surface in text:
        return text
    if who.name and who.name in text:
        # Called by the bare name, after "我同事王芳".
        front = text.startswith(who.name) and who.surface.endswith(who.name)
        return who.surface + text[len(who.name) :] if front else text
    pronoun = re.match(r"(?:他|她|它|TA|ta|那个人|这个人)(?!们)", text)
    if pronoun:
        return who.surface + text[pronoun.end() :]
    if re.match(r"其(?![实他中余它次])", text):
        return f"{who.surface}的{text[1:]}"
    if re.match(ME, text) or not who.surface:
        return text
    link = (
        "的"
        if any(text.startswith(word) for word in ZH_WORDS if len(word) > 1) and who.surface != "我"
        else ""
    )
    return f"{who.surface}{link}{text}"
