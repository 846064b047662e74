"""What is liked best, said from its other end: 湖人队是我最喜欢的球队, 我最爱吃的就是烤鸭."""

from __future__ import annotations

import re

from memories.core.extraction.attributes import canonical_attribute
from memories.core.extraction.raw import Raw, Turn, Who
from memories.core.extraction.zh.rules import clean_value
from memories.core.extraction.zh.subjects import ME
from memories.core.extraction.zh.values import listed
from memories.core.kinds import Kind
from memories.core.text.words import tagged

_VALUE_FIRST = re.compile(
    rf"(?P<v>(?![这那它他她其]|什么|谁|哪)[^，。的]{{2,16}}?)(?:一直|就|也|还|才|现在)*(?<![不没])是{ME}(?P<best>最|特别|比较)?(?:喜欢|爱)(?:吃|喝|看|听|玩|用|去|逛|穿)?的(?P<noun>(?!一)[\u4e00-\u9fffA-Za-z]{{2,8}}?)(?:之一)?[了啦呀啊]*"
)
_ACT_BEHIND = re.compile(
    rf"(?P<v>(?![这那它他她其]|什么|谁|哪)[^，。的]{{2,16}}?)(?:一直|就|也|还|才|现在)*(?<![不没])是{ME}(?:最|特别|比较)?(?:喜欢|爱)(?P<act>吃|喝|看|听|玩|用|去|逛|穿|读)的[了啦呀啊]*"
)
_LIKED_IS = re.compile(
    rf"{ME}(?:平时|一直|从小|现在)?(?:最|特别|比较)?(?:喜欢|爱)(?P<act>[\u4e00-\u9fff]{{0,2}})的(?:就|都|还|也|当然|一直)*是(?P<v>[^，。]{{1,24}})"
)


def _is_when(value: str) -> bool:
    """今天, 那天: a moment, which is liked for what is in it."""
    return tagged(value)[-1][1][:1] in {"t", "r"}


def liked(text: str, turn: Turn) -> list[Raw]:
    """The favourite that the clause names before what it is one of, or behind an act (喜欢吃的是…); [] when it does neither."""
    who = Who(turn.speaker, turn.speaker_surface or "我")
    first = _VALUE_FIRST.fullmatch(text)
    if first is not None and (value := clean_value(first["v"])) is not None and not _is_when(value):
        attribute = f"favorite_{canonical_attribute(first['noun'])}"
        turn.mention(who)
        return [Raw(who, attribute, value, "zh.favorite", Kind.PREFERENCE, text)]
    acted = _ACT_BEHIND.fullmatch(text)
    if acted is not None and (value := clean_value(acted["v"])) is not None:
        turn.mention(who)
        return [Raw(who, "likes", f"{acted['act']}{value}", "zh.like", Kind.PREFERENCE, text)]
    behind = _LIKED_IS.fullmatch(text)
    value = clean_value(behind["v"]) if behind else None
    if behind is None or value is None or re.search(r"[我你他她它这那]", value):
        return []
    turn.mention(who)
    return [
        Raw(who, "likes", f"{behind['act']}{item}", "zh.like", Kind.PREFERENCE, text.replace(value, item, 1))
        for item in (listed(value) or [value])
    ]
