"""Requests for advice: what they should be answered by is how the person likes things, however little its words are like theirs (R21)."""

from __future__ import annotations

import re
from typing import Final

_LOOK_UP: Final = r"(?:find|look|check|remember|recall|locate|get|see|tell|remind|confirm|verify|know|search|identify|retrieve|track)\b"
_MAKE: Final = (
    r"(?:plan|suggest|recommend|advise|propose|pick|choose|decide|design|create|write|rewrite|draft|compose|prepare|organi[sz]e|arrange|outline|build"
    r"|develop|implement|improve|optimi[sz]e|fix|brainstorm|come up|think of|put together|set up|make|generate|explain|describe|compare|guide|teach"
    r"|walk (?:me|us) through|show (?:me|us) (?:how|some|ways?)\b|give (?:me|us) (?:an? |some |any |a few )?(?:[\w-]+ ){0,3}(?:ideas?|tips?|advice|suggestions?"
    r"|recommendations?|pointers|examples?|guidance|plan|feedback)\b)"
)
"""What somebody is asked to do who is to think of something; to find or to give what is known is another request."""
_SEEKS: Final = re.compile(
    rf"\b(?:can|could|would|will) you (?:(?:please|maybe|perhaps|also|just|kindly) )*{_MAKE}"
    rf"|\bhelp (?:me|us) (?!(?:to )?{_LOOK_UP})"
    r"|\b(?:what(?! time\b)|which|how(?! (?:much|many|long|often|early|late)\b)|where) (?:[\w-]+ ){0,6}(?:should|could) (?:i|we)\b"
    r"|\b(?:what|which|how|where|when) (?:[\w-]+ ){0,5}(?:would|do|can) you (?:suggest|recommend|advise|think|propose)\b"
    r"|\byou (?:suggest|recommend|advise)\b|\bany (?:[\w-]+ )?(?:ideas|tips|advice|suggestions|recommendations)\b"
    r"|(?<![的了过])(?:推荐|建议)(?![的了过是被])"
    r"|(?:有(?:什么|啥|哪些|没有)?|[点些]|几[个条种])[^，。？！?!了过]{0,10}(?:推荐|建议)的?(?:[吗么呢吧？?。！!]|$)"
    r"|有(?:什么|啥|哪些|没有)(?:好|合适|适合)|怎么办"
    r"|(?:应该|该|要)(?:怎么|怎样|如何|选|去哪|吃什么|买什么|做什么)|(?:怎么|怎样|如何)(?:安排|选|挑)(?![^。！？]{0,12}的)",
    re.IGNORECASE,
)
_GIVEN: Final = re.compile(r"(?:给|提)[^，。？！?!]{0,6}[了过][^，。？！?!]{0,6}(?:推荐|建议)")
"""Advice that somebody was given is known, and looked up."""
_LIKES: Final = re.compile(
    r"\bi(?:'d|’d| would| really| always| usually)? (?:\w+ly )?(?:prefer|like to|love|hate|dislike|enjoy|avoid|can't stand|can’t stand|favou?r)\b"
    r"|\bmy (?:preference|favou?rite|taste)\b|\bi(?:'d|’d| would) rather\b"
    r"|\b(?:always|never) (?:use|give|include|provide|show|keep|ask|write|answer|send|add|format|mention|suggest|recommend)\b"
    r"|喜欢|偏好|更愿意|宁愿|宁可|习惯|讨厌|受不了|最爱|不爱|爱吃|不吃|不想要|过敏",
    re.IGNORECASE,
)


def seeks_advice(question: str) -> bool:
    """True for "what would you suggest?", "can you help me plan …?", "推荐几本书", "周末该怎么安排?"; see past.asks_back for advice that was given."""
    return _SEEKS.search(question) is not None and _GIVEN.search(question) is None


def tells_liking(text: str) -> bool:
    """Whether the text says how somebody likes things, or wants them always or never done."""
    return _LIKES.search(text) is not None
