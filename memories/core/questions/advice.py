"""Requests for advice: what they should be answered by is how the person likes things, however little its words are like theirs (R21)."""

from __future__ import annotations

import re
from typing import Final

_SEEKS: Final = re.compile(
    r"\b(?:can|could|would|will) you (?!tell|remind|recall|remember|say|share|provide|list|name|give me (?:the|a list))"
    r"|\b(?:what|which|how|where|when) (?:[\w-]+ ){0,6}(?:should|could) (?:i|we)\b"
    r"|\b(?:what|which|how|where|when) (?:[\w-]+ ){0,5}(?:would|do|can) you (?:suggest|recommend|advise|think|propose)\b"
    r"|\byou (?:suggest|recommend|advise)\b|\b(?:help me|any (?:ideas|tips|advice|suggestions|recommendations))\b"
    r"|推荐|建议|有(?:什么|啥|哪些|没有)(?:好|合适|适合)|怎么办"
    r"|(?:应该|该|要)(?:怎么|怎样|如何|选|去哪|吃什么|买什么|做什么)|(?:怎么|怎样|如何)(?:安排|选|挑)(?![^。！？]{0,12}的)",
    re.IGNORECASE,
)
_LIKES: Final = re.compile(
    r"\bi(?:'d|’d| would| really| always| usually)? (?:\w+ly )?(?:prefer|like to|love|hate|dislike|enjoy|avoid|can't stand|can’t stand|favou?r)\b"
    r"|\bmy (?:preference|favou?rite|taste)\b|\bi(?:'d|’d| would) rather\b"
    r"|\b(?:always|never) (?:use|give|include|provide|show|keep|ask|write|answer|send|add|format|mention|suggest|recommend)\b"
    r"|喜欢|偏好|更愿意|宁愿|宁可|习惯|讨厌|受不了|最爱|不爱|爱吃|不吃|不想要|过敏",
    re.IGNORECASE,
)


def seeks_advice(question: str) -> bool:
    """True for "what would you suggest?", "can you help me plan …?", "推荐几本书", "周末该怎么安排?"; see past.asks_back for advice that was given."""
    return _SEEKS.search(question) is not None


def tells_liking(text: str) -> bool:
    """Whether the text says how somebody likes things, or wants them always or never done."""
    return _LIKES.search(text) is not None
