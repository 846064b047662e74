"""What a Chinese clause stands in: who gave notice of it, who made the speaker do it, what happened before it.

"行政通知年会提前到21号", "教练让我转去了晚班" and "搬了楼层之后工位电话成了5521" tell the same as what is left without the frame.
"""

from __future__ import annotations

import re

from memories.core.extraction.raw import Turn
from memories.core.extraction.relations import ZH_RELATIONS
from memories.core.extraction.zh.changes import CHANGES
from memories.core.extraction.zh.names import person_name
from memories.core.extraction.zh.rules import CHANGED
from memories.core.extraction.zh.subjects import ME, PERSON_WORD
from memories.core.text.words import tagged

_LATELY = r"(?:刚|刚才|[昨前今]天|昨晚|今早|上周|已经|又|正式|统一|临时|那边|这边){0,3}+"
_SAID = r"(?:(?:发|打)(?:来|了)?(?:个|条)?(?:微信|短信|消息|邮件|公告|通知|话|电话)(?:来)?|来电)"
_REL = "|".join(ZH_RELATIONS)
_NOTICE = re.compile(
    rf"(?P<who>[\u4e00-\u9fffA-Za-z]{{1,8}}?){_LATELY}(?:{_SAID}?(?:通知|告知|告诉|宣布|公告|公布|发话|批准|答应|同意|规定|反馈|确认|拍板|交代|回复?(?=说)|说)|{_SAID})(?:了|过)?(?:我们?(?![的家]|{_REL})|大家|咱们?)?(?:说)?(?:是)?[:：]?(?P<rest>[^“\"「『：:].{{3,}})"
)
_HEARSAY = re.compile(
    r"(?:新闻|报道|公众号|媒体|报[纸上]|电视|广播|网上|网友|微博|抖音|朋友圈|短?视频|群里|论坛|文章|帖子|传言|小道消息|有人)[^，。]{0,4}?(?:说|讲|称|传|写|报道|提到|爆料?|曝)"
)
_HIMSELF = re.compile(r"^说(?:是)?(?=..)")
_FED_UP = re.compile(r"^(?:我)?(?:[\u4e00-\u9fff]{1,2}不了|实在[\u4e00-\u9fff]{1,2})了(?=[搬换改转])")
"""受不了了|搬到…: why, before what was done."""
_CAUSED = re.compile(
    rf"(?P<who>[\u4e00-\u9fffA-Za-z]{{1,8}}?){_LATELY}(?:让|叫|安排|把|给|带|要求|通知|派)(?P<me>我们?)(?P<rest>(?!的).{{2,}})"
)
_AFTER = re.compile(r"(?P<before>[^，。]{2,14}?)(?:之后|以后|过后|后来?)(?P<rest>(?!的)[^，。]{4,})")
_FROM_NOW = re.compile(
    r"以后|今后|往后|[下这本]个?[周月年](?:起|开始)|从.{1,8}(?:起|开始)|现在|新的?|(?:成|到|为|至)了?.*\d"
)
_NOT_AFTER = re.compile(r"[今此往然最午前背先落幕随饭课]$|^(?:以|今|往|然|最|午|我|从)")


def hearsay(text: str) -> bool:
    """Whether the clause only passes on what everybody may read or hear, of nobody that the speaker has to do with."""
    return _HEARSAY.match(text) is not None


def unframed(text: str) -> str:
    """The clause without who gave notice of it, or who made the speaker do it; only where it then tells a change."""
    said = _FED_UP.sub("", _HIMSELF.sub("", text))
    caused = _CAUSED.fullmatch(said)
    if caused is not None and _is_party(caused["who"]) and _tells_change(caused["rest"]):
        return f"{caused['me']}{caused['rest']}"
    notice = _NOTICE.fullmatch(said)
    if notice is not None and _is_party(notice["who"]) and _tells_change(notice["rest"]):
        return notice["rest"]
    return said if said != text and _tells_change(said) else text


def afterwards(text: str, turn: Turn) -> str | None:
    """What holds since something happened: "买了车之后我就开车上班了" without what comes before 之后."""
    match = _AFTER.fullmatch(text)
    if match is None or _NOT_AFTER.search(match["before"]):
        return None
    happened = any(
        tag[:1] == "v" or word[-1] in "了完好" or "完" in word for word, tag in tagged(match["before"])
    )
    return match["rest"] if happened else None


def _tells_change(rest: str) -> bool:
    return (
        CHANGES.search(rest) is not None
        or re.search(CHANGED, rest) is not None
        or _FROM_NOW.search(rest) is not None
    )


def _is_party(words: str) -> bool:
    """Somebody by what he is to the speaker (房东, 教练, 行政, IT), not by name, and no pronoun."""
    if re.match(rf"{ME}|[你您他她它这那谁某有]|大家|别人|人家", words):
        return False
    parts = tagged(words)
    if len(parts) > 1 and parts[-1][1][:1] in {"v", "d", "p", "c"} and not PERSON_WORD.search(parts[-1][0]):
        return False  # 医生没|让我减到
    if person_name(words) == words and not words.isascii():
        return PERSON_WORD.search(words) is not None
    return all(tag[:1] in {"n", "j", "l", "x", "s"} or tag in {"eng", "vn", "b"} for _, tag in parts) or bool(
        PERSON_WORD.search(words)
    )
