"""The time that a Chinese clause is said of: taken out for reading, and whether what it says is over."""

from __future__ import annotations

import re
from dataclasses import replace

from memories.core.extraction.raw import Raw, Turn
from memories.core.extraction.zh.heads import stated
from memories.core.extraction.zh.subjects import ME, leading_subject
from memories.core.kinds import Kind
from memories.core.text.words import tagged
from memories.core.values.keyvalues import key_values

_TIME = r"(?:(?:19|20)?\d\d年(?:\d{1,2}月(?:份)?)?|大?[去前]年|今年|明年|后年|[上下]{1,2}个?(?:月|周|星期|礼拜|学期)|这(?:个月|周|学期|个?星期|个?礼拜)|[昨前今](?:天|晚|儿)|今早|前(?:几|两)天|这(?:几|两)天|本月|(?:\d{1,2}|十?[一二三四五六七八九]|十)月(?:份)?(?!\d|[一二三四五六七八九十])|小时候|大学时|[今明]年[春夏秋冬]天)(?:初|底|中|末|年初|年底)?"
_WHEN = re.compile(
    rf"(?:(?P<span>(?:从|自)?{_TIME}(?:到|至|-|—|~|～)(?P<end>{_TIME}|现在|目前|今天))(?:期间|之间|的时候)?|(?P<since>(?:从|自从?)?{_TIME})(?:起|开始|以来|之?后|以后)|(?P<point>{_TIME})(?:的时候|那时候?|那会儿?|那阵子|期间)?"
    r"|(?P<past>以前|之前|曾经?|原来|原先|从前|过去|早年|当年|当时|那时候?|早先|(?P<ago>(?![我他她你您以之目当])[\u4e00-\u9fff](?![以之目日当])[\u4e00-\u9fff])(?:之|以)?前(?=是|在|当|做|住|干|教|开)))(?:一直|都|就|又|，|是(?=[在从住用跟和]))*"
)
_STAYS = frozenset(
    {
        "likes",
        "hobby",
        "allergy",
        "origin",
        "birthday",
        "name",
        "surname",
        "nickname",
        "language",
        "speaks",
        "skill",
        "family",
        "relation",
    }
)
"""What does not end with the time that it is said of."""


_EACH_TIME = frozenset("用穿戴骑坐开吃喝带看听")
"""What is chosen anew each time."""


def _is_day(value: str) -> bool:
    found = key_values(value)
    return bool(found) and {one.kind for one in found} <= {"date", "time"} and "年" not in value


def _happens(word: str) -> bool:
    """退休, 结婚: what somebody does once, before which other things were so."""
    words = tagged(word)
    return len(words) == 1 and words[0][1] in {"v", "vn"}


def without_when(text: str, turn: Turn) -> tuple[str, str]:
    """The clause without the time that it is said of, at its start or after its subject; and whether that time is over.

    "2021年到2023年我住在绍兴" is past, "我以前住在绍兴" too, "下个月开始住在绍兴" is "since", "2024年搬到泉州" a "point".
    """
    for match in _WHEN.finditer(text):
        before = text[: match.start()]
        if before and not (
            re.fullmatch(rf"{ME}|他|她|它|其|我们|咱们", before)
            or ((found := leading_subject(text, turn)) and found[1] == text[match.start() :])
        ):
            continue
        if match["ago"] and not _happens(match["ago"]):
            continue
        rest = text[match.end() :]
        if match["past"] and re.search("现在|如今|目前|改|换", rest):
            return before + rest, ""  # 原来三点的会现在四点开
        if not rest or (not before and rest[0] in "的是，、"):
            continue
        if match["past"] or re.match(r"小时候|大学时", match["point"] or ""):
            how = "past"
        elif re.match(r"[昨前今这]", match["point"] or "") and not re.match(r"[去前今]年", match["point"]):
            how = "near"
        elif match["span"]:
            how = "since" if match["end"] in {"现在", "目前", "今天"} else "span"
        else:
            how = "since" if match["since"] else "point"
        return before + rest, how
    return text, ""


def as_said(raw: Raw, text: str, plain: str, when: str) -> Raw:
    """The fact with the clause as it was said, and whether it is over."""
    if text != plain:
        raw = replace(raw, stated=stated(text, raw.who, text))
    lasts = raw.update or raw.ended or raw.attribute in _STAYS
    if when == "near" and raw.rule == "zh.home" and raw.value:
        return replace(raw, attribute="status", value=f"住在{raw.value}", kind=Kind.FACT, update=False)
    if when == "near" and raw.rule == "zh.chosen" and raw.attribute and raw.attribute[0] in _EACH_TIME:
        return replace(raw, when="past", update=False)  # 我昨天用的是
    if when == "near" and raw.rule == "zh.timed" and re.search("[今昨前][天晚早]", text) and not raw.update:
        return replace(raw, when="past")  # 今天10点才下班
    if when == "point" and raw.update and raw.value and re.search("[去前]年", text) and _is_day(raw.value):
        return replace(raw, when="past", update=False)  # 去年开学改到9月5日
    if when in {"", "near"} or (when == "point" and lasts):
        return raw
    return replace(raw, when=when, update=raw.update and when == "since")
