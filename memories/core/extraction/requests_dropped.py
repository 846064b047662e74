"""Tells dropping a topic of the conversation ("forget it, let's get pizza", 算了，忘了吧) from asking to forget a memory."""

from __future__ import annotations

import re
from collections.abc import Sequence

from memories.core.extraction.attributes import lookup
from memories.core.extraction.request_objects import EDGE
from memories.core.extraction.requests_en import is_attribute

_DISMISSED = re.compile(
    r"(?:ok(?:ay)?|just|actually|oh|so|then)?\s*forget\s+(?:about\s+)?(?:it|that|this|the\s+\w+)"
    r"|(?:那|那就|就|还是|唉|哎|你|快|请)*(?:忘(?:了|掉|记)|别管|不管|当我没(?:说|问|提)过?)(?:它|这个?|那个?|这(?:件)?事|那(?:件)?事)?(?:了|吧|算了|好了|啦)*",
    re.I,
)
_ONTO = re.compile(
    r"\s*(?:so\s+|and\s+|then\s+)?(?:let'?s|(?:it|that|there)(?:'?s| is)\b|we\b|how about|what about|we'll|can we|could we|shall we)\b"
    r"|(?:那|那么|来|先|还是|就|我们?|咱们?|接着|继续|不如)*(?:(?:聊|说|谈|讲|看|讨论|问|换)(?:点|些|下|一下|聊|说|个)*(?:别的|其他|其它|另外|下一|正事|话题|新)|换(?:个|一个)?(?:话题|问题)|(?:不|别)(?:说|聊|提|谈|讲)(?:这个?|那个?|它|这些)|继续(?:聊|说|谈|讲|看|讨论)|言归正传|说回|回到|继续(?:吧|$))",
    re.I,
)
"""Going on to something else: what was dropped is a plan or a topic, no memory."""
_NEVER_MIND = re.compile(
    r"(?:oh|ah|well|no|nah|ok(?:ay)?)?[,\s]*(?:never ?mind|whatever|nah|it'?s nothing|it'?s fine|it doesn'?t matter|no matter|don't worry)"
    r"|(?:那|唉|哎|嗯|哦|不|啊)*(?:算了|没事儿?|没什么|不重要|无所谓|不说了|不提了|不问了|不用了)(?:吧|了|啦|啊)*",
    re.I,
)
"""Nothing is wanted any more."""


_STOPS = re.compile(
    r"(?:oh|no|wait|hold on|hang on|stop|actually|never ?mind|scratch that|on second thoughts?|sorry)(?:[,\s]+(?:no|wait|actually))*"
    r"|(?:哦|啊|呃|嗯)?(?:不对|不不?|等等|等一?下|慢着|且慢|算了|还是算了|说错了)(?:吧|啊|了)?",
    re.I,
)
_WRONG = re.compile(
    r"(?:(?:oh|wait|hold on)[,\s]+)*(?:no|nope|nah|not that|scratch that|never ?mind|on second thoughts?|correction)(?:[,\s]+(?:no|wait|sorry))*"
    r"|(?:哦|啊|呃|等等|等一?下)?[，,]?(?:不|不对|不是|错了|算了|还是算了|说错了)(?:吧|啊|了)?",
    re.I,
)
"""Says that what stands before was not meant."""
_RATHER = re.compile(
    r"(?:i\s+(?:mean|meant)|(?:it\s+is|it['’]?s)|rather|make\s+(?:it|that))\s+(?P<en>.+)|(?:我)?(?:说的|指的|要忘的|要删的)?(?:应该)?是(?P<zh>.+)",
    re.I,
)
_NOT_SO = re.compile(
    r"(?:please\s+)?(?:do not|don['’]?t)(?:\s+(?:forget|delete|erase|remove|do)(?:\s+(?:it|that|this|them|so))?)?|(?:just\s+)?(?:keep|leave)\s+(?:it|that|this|them)"
    r"|(?:还是|你|先|请)*(?:(?:别|不要|不用)(?:忘|删)(?:掉|了|除|记)?(?:它)?|(?:留着|留下|保留))(?:它)?(?:了|吧|啊)*",
    re.I,
)


def takes_back(clause: str, before: str) -> bool:
    """Whether a clause takes back the request before it: "no wait, don't", 不对，别忘. Without the first half it only insists."""
    bare = clause.strip(EDGE)
    if _STOPS.fullmatch(before.strip(EDGE)) is not None and _NOT_SO.fullmatch(bare) is not None:
        return True
    stop = _STOPS.match(bare)
    return stop is not None and _NOT_SO.fullmatch(bare[stop.end() :].strip(EDGE)) is not None


def is_wrong(clause: str) -> bool:
    """Whether a clause of nothing else says that what stands before was not meant (No. 不对)."""
    return _WRONG.fullmatch(clause.strip(EDGE)) is not None


def rather(clause: str) -> str:
    """What is meant in its place: 地址 of "是地址", "my address" of "I mean my address"; "" where the clause names no attribute."""
    match = _RATHER.fullmatch(clause.strip(EDGE))
    phrase = (match["en"] or match["zh"]).strip(EDGE) if match else ""
    bare = re.sub(r"^(?:我们?的?|my\s+|our\s+)", "", phrase, flags=re.I)
    return phrase if lookup(bare) is not None else ""


def is_dropped(clause: str, before: str, following: str, passed: Sequence[str]) -> bool:
    """Whether a clause that names nothing of its own only drops what was talked of, by the clauses around it."""
    bare = clause.strip(EDGE)
    if _DISMISSED.fullmatch(bare) is None or is_attribute(bare):
        return False
    named = [one for one in passed if _NEVER_MIND.fullmatch(one) is None]
    return _ONTO.match(following) is not None or (_NEVER_MIND.fullmatch(before) is not None and not named)
