"""Statements too general to answer any question: "several things", "各种玩意儿"."""

from __future__ import annotations

import re

from memories.core.extraction.candidate import Candidate
from memories.core.kinds import Kind

_SOME_ZH = r"(?:[一几两某这那]?(?:[门种个件样项些点]|方面)|某些|各种各样|各种|很多|许多|不少|好多|其他|别的|新的?|不同的?|有趣的?|有意思的?|好玩的?|特别的?|自己的?)"
_THING_ZH = r"(?:东西|事物|事儿?|事情|技能|手艺|本领|知识|活动|内容|地方|项目|方面|语言|课程|领域|物品|玩意儿?|消息|好消息|坏消息)"
_VERB_ZH = r"(?:做|干|看|听|吃|玩|学习?|收集|收藏|尝试|体验|了解|去|买|搞|弄|研究|参与|参加|分享)?"
_VAGUE_ZH = re.compile(rf"{_VERB_ZH}(?:{_SOME_ZH}+{_THING_ZH}|东西|事情|[好坏大新]?消息)")
"""Indefinite words and a noun that anything may be."""
_SOME_EN = (
    r"(?:some|an?|the|all|many|various|different|several|other|another|new|few|couple|lots?|kinds?|sorts?|types?|of|cool|fun|great|amazing|awesome|nice|interesting|good|big|"
    r"exciting|really|very|pretty|super|so|my|our)"
)
_THING_EN = r"(?:things?|stuff|places?|projects?|skills?|people|folks?|ideas?|tips?|ways?|activit(?:y|ies)|games?|something|anything|everything|kinds?|moments?|experiences?|news|times?|hobb(?:y|ies)|interests?)"
_VERB_EN = (
    r"(?:(?:doing|trying|learning|seeing|meeting|making|exploring|sharing|working\s+on|playing|taking)\s+)?"
)
_VAGUE_EN = re.compile(rf"{_VERB_EN}(?:{_SOME_EN}\s+)*{_THING_EN}|(?:to\s+)?help", re.IGNORECASE)
_ACT_EN = re.compile(
    rf"\b(?:I|we)(?:['’]ve|\s+have)?\s+(?:(?:also|just|recently|already|really|been)\s+)*[a-z]+\s+(?:on\s+|with\s+|in\s+|to\s+)?(?:{_SOME_EN}\s+)+{_THING_EN}"
    r"(?:\s+(?:lately|recently|so\s+far|before|too|already|together|along\s+the\s+way|now))*\s*(?:$|[-–—,.;!]|and\b|but\b)",
    re.IGNORECASE,
)
_TELLS = frozenset({"likes", "dislikes", "learning", "possession", "habit", "hobby"})
"""Attributes that hold whatever was said: a value that could be anything says nothing."""
_FAMILIES = ("owns:", "does:", "tried:")


def is_vague(candidate: Candidate) -> bool:
    """Whether the fact's value is no more than some thing, and nobody asked to remember it or set it right."""
    if candidate.explicit or candidate.correction or candidate.value is None or candidate.attribute is None:
        return False
    value = candidate.value.strip(" .!。！")
    if candidate.rule == "en.done" and candidate.kind is not Kind.EVENT:
        return _ACT_EN.search(candidate.content) is not None
    if candidate.attribute in _TELLS or candidate.attribute.startswith(_FAMILIES):
        return (_VAGUE_EN if value.isascii() else _VAGUE_ZH).fullmatch(value) is not None
    return False
