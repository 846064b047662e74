"""What a Chinese clause says of an attribute: "<subject>的<attribute>是<value>" and its relatives."""

from __future__ import annotations

import re

from memories.core.extraction import schedule
from memories.core.extraction.attributes import canonical_attribute, lookup
from memories.core.extraction.raw import Pending, Raw, Turn, Who
from memories.core.extraction.relations import BY_WORD as RELATIONS
from memories.core.extraction.zh.adverbs import bare_head
from memories.core.extraction.zh.changes import from_old
from memories.core.extraction.zh.favourites import liked
from memories.core.extraction.zh.heads import HEAD, begin_of, lookup_suffix, split_head, stated
from memories.core.extraction.zh.moves import PLACED, moved_attribute, moved_to
from memories.core.extraction.zh.names import looks_called, person_name
from memories.core.extraction.zh.rules import CHANGED, COPULA, clean_value
from memories.core.extraction.zh.subjects import ME, noun_subject
from memories.core.kinds import Kind
from memories.core.text.words import tagged

_LOOSE_COPULA = frozenset({"在", "有", "为", "叫", "叫做"})


_FAVOURITE = re.compile(
    rf"(?:{ME}|(?P<who>[^，。的我你您他她它]{{2,8}}?))?(?:最|更|特别|比较)?(?:喜欢|爱|钟爱|偏爱|讨厌|不喜欢)(?P<verb>[\u4e00-\u9fff]{{0,2}})的(?P<noun>(?![都就也还]|当然|一直)[\u4e00-\u9fffA-Za-z]{{1,8}}?)(?=现在|如今|一直|还|都|也|就|已经|早就|是|不是|不再是|不叫|叫|换成|改成|变成|[:：])"
)


_BEFORE = re.compile(r"(?<=..)(?:以前|之前|原来|原先|从前|过去|当时|早先)$")
"""Said of an attribute's value between the attribute and its copula: "押金以前是300元"."""
_OVER = re.compile(r"[了啦]$")
"""Closes a clause that says what is no longer so: 不是蓝色了."""


def favourite(text: str, turn: Turn) -> list[Raw]:
    """我最爱的颜色是蓝色, 最讨厌的菜是苦瓜."""
    now = re.match(r"(?:现在|目前|如今|最近)(?=最|更|特别|我)", text)
    whole, text = text, text[now.end() :] if now else text
    match = _FAVOURITE.match(text)
    if not match:
        return liked(text, turn)
    copula = COPULA.match(text, match.end())
    value = clean_value(text[copula.end() :]) if copula and copula["cop"][0] in "是叫：:换改变不" else None
    if copula is None or value is None:
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
    if copula["cop"][0] == "不":
        over = copula["cop"] == "不再是" or _OVER.search(text) is not None
        turn.pending = Pending(
            who,
            attribute,
            Kind.PREFERENCE,
            how="changed" if over else "denied",
            old=value,
            by=copula["cop"][1:],
        )
        denied = Raw(
            who, attribute, value, "zh.favorite", Kind.PREFERENCE, stated(whole, who, whole), ended=True
        )
        return [denied] if over else []
    changed = now is not None or "现在" in copula["adv"]
    return [
        Raw(who, attribute, value, "zh.favorite", Kind.PREFERENCE, stated(whole, who, whole), update=changed)
    ]


def read_attribute(text: str, turn: Turn) -> list[Raw]:
    """<subject>(的)<attribute> 是/为/改成/在 <value>."""
    for copula in COPULA.finditer(text):
        if copula.start() > HEAD:
            break
        head, value = text[: _begin(text, copula)], clean_value(text[copula.end() :])
        if not head or len(head) > HEAD:
            continue
        if copula["cop"] in "到至":
            head = re.sub(r"(?<=..)(?<!改)[签订定排]$", "", head)  # 租约签到
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
        if taken_back and copula["cop"][0] != "不":
            value, old = clean_value(taken_back["new"]), clean_value(taken_back["old"])
        past = _BEFORE.search(head)
        head = head[: past.start()] if past else head
        moved = moved_attribute(bare_head(head), copula["cop"], turn, value)
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
        known = lookup(word)
        lasts = known is None or known.dated or known.name == "duration"
        if copula["cop"] in "到至" and (not lasts or tagged(word)[-1][1] == "v"):
            return []  # 工作到十点: until when, not as what
        newer = f"新{word}" in head
        if who.person and word in {"号码", "号"}:
            word = "电话"
        if word == "手机" and value is not None and not re.search(r"\d{5}|\d[- ]?\d{4}", value):
            word = "手机型号"  # 手机换成iPhone了 tells no number
        attribute = canonical_attribute(word)
        row = lookup(word)
        kind = row.kind if row else None
        over = copula["cop"] == "不再是" or (
            copula["cop"] in {"不是", "不叫"} and _OVER.search(text) is not None
        )
        if copula["cop"] in {"不是", "不在", "不叫"} and not over:
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
            turn.pending = Pending(who, attribute, kind, old=value, by=copula["cop"][1:])
            return []
        if value is None or (attribute == "name" and value == who.surface):
            continue  # 葛岚名叫葛岚
        if over:
            turn.mention(who)
            turn.pending = Pending(who, attribute, kind, how="changed", old=value)
            return [Raw(who, attribute, value, "zh.attribute", kind, stated(text, who, text), ended=True)]
        turn.mention(who)
        if copula["cop"] == "在" and attribute not in PLACED:
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
            or head.startswith(("如今", "眼下", "现在", "目前"))
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
                open=changed
                and row is None
                and (
                    who.key == "general"
                    or (
                        who is turn.subject
                        and re.fullmatch(f"(?:现在|目前|如今|新的?)*{re.escape(word)}", head) is not None
                    )
                ),
            )
        ]
    return []


def _begin(text: str, copula: re.Match[str]) -> int:
    return begin_of(text, copula.start(), copula.end())
