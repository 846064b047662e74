"""Tells dropping a topic of the conversation ("forget it, let's get pizza", 算了，忘了吧) from asking to forget a memory."""

from __future__ import annotations

import re
from collections.abc import Sequence

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


def is_dropped(clause: str, before: str, following: str, passed: Sequence[str]) -> bool:
    """Whether a clause that names nothing of its own only drops what was talked of, by the clauses around it."""
    bare = clause.strip(EDGE)
    if _DISMISSED.fullmatch(bare) is None or is_attribute(bare):
        return False
    named = [one for one in passed if _NEVER_MIND.fullmatch(one) is None]
    return _ONTO.match(following) is not None or (_NEVER_MIND.fullmatch(before) is not None and not named)
