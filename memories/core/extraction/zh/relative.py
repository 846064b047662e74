"""What the speaker's own things of a kind are: "我在上海常住的酒店是X", "我平时去的健身房换成Y了"."""

from __future__ import annotations

import re

from memories.core.extraction.raw import Raw, Turn, Who
from memories.core.extraction.zh.rules import CHANGED, clean_value
from memories.core.extraction.zh.values import is_abstract, is_opinion
from memories.core.kinds import Kind
from memories.core.text.words import tagged

_NOW = r"(?:现在|目前|如今|已经|最近|还|一直|都|就|仍然|仍)*"
_MINE = re.compile(
    rf"(?:我们|咱们|[我咱](?!们))(?P<doing>[^，。的]{{1,16}})的(?P<noun>[\u4e00-\u9fffA-Za-z]{{1,8}}?)(?P<now>{_NOW})(?P<cop>是|叫|{CHANGED})(?P<v>[^，。]{{1,30}})"
)
_LASTING = re.compile(
    r"常|一般|平时|周末|[早晚]上|中午|睡前|[下放]班后|放学后|通常|平常|习惯|固定|每[天周月年次个逢]|总是?|一直|主要|在(?=[用读看学玩追吃喝写住租开骑穿])|长期"
)
"""What says that it is so time and again: one thing that was seen yesterday is no attribute of anybody."""
_BY_VERB = re.compile(r"(?:现在|目前|如今|家里)?[用坐住开穿背骑戴订报租上追养喝点抽练跑挂走办](?:着)?")
"""我用的浏览器: the verb alone tells what one does time and again."""
_ONCE = re.compile(
    r"[了过]$|昨天|前天|刚才|刚刚|上次|上[个周月]|那[次天时]|当时|以前|曾经|小时候|[想说觉希担认]"
)

_SINCE = re.compile(r"^(?:现在|目前|如今|一直|还|也|都)+")
"""我现在骑的车 is the slot of 我一直骑的车: only the value tells which it is."""


def own_things(text: str, turn: Turn) -> list[Raw]:
    """The thing that the speaker lastingly does something with; the words before the noun tell it from others of its kind."""
    match = _MINE.fullmatch(text)
    if (
        match is None
        or not (_LASTING.search(match["doing"]) or _BY_VERB.fullmatch(match["doing"]))
        or _ONCE.search(match["doing"])
    ):
        return []
    value = clean_value(match["v"])
    noun = match["noun"]
    if value is None or is_opinion(value) or is_abstract(noun) or re.fullmatch(r"[人事话]", noun):
        return []
    if all(tag[0] in "vdpcry" for _, tag in tagged(noun)):
        return []
    who = Who(turn.speaker, turn.speaker_surface or "我")
    attribute = f"{_SINCE.sub('', match['doing'])}的{noun}"
    changed = match["cop"] not in {"是", "叫"} or "现在" in match["now"] or "如今" in match["now"]
    return [Raw(who, attribute, value, "zh.own_thing", Kind.FACT, text, update=changed)]
