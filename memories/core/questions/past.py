"""Whether a question is about how things were: then what was replaced is wanted, marked as such (R18)."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Final, Literal

from memories.core.extraction.attributes import EN_WORDS
from memories.core.extraction.relations import EN_RELATIONS

_ZH: Final = re.compile(
    r"以前|从前|过去(?:的|几|曾|住|是|在|用|叫|都)|曾经?(?!孙)|原来|原先|原本|本来|先前|早先|当初|最初|最开始|一开始|起初|那时候?|当时|旧的?(?!金山)|老(?:地址|号码|电话|家电话|单位|东家)"
    r"|前一[个任份版家次]|上一[个任份版家](?!月|星期|周|季)|前任|之前(?!要|得|必须|需要|应该|能|会|可以|交|完成)"
    r"|[改换变搬调更](?:过|了)(?:几|多少|哪|什么|吗|没)|怎么(?:改|换|变)(?:的|过|了)|(?:变化|变更|变动|修改|改动)的?(?:历史|记录|过程)|历史(?:上|记录|版本)"
    r"|还没[^，。？?]{0,6}(?:改|换|搬|变)的?时候?|(?:改|换|搬|变)[^，。？?]{0,6}之?前"
)
_HAD: Final = "|".join(
    re.escape(word)
    for word in (*EN_WORDS, *EN_RELATIONS, "plan", "value", "version", "flat", "figure", "one")
    if word not in {"time", "date", "name", "full name", "real name", "class", "number", "id"}
)
"""What somebody has one of after the other; "the last time" and "the last name" are other things."""
_EN: Final = re.compile(
    r"\b(?:used to|previously|formerly|originally|initially|back then|at that time|in the past|at first|in the beginning)\b"
    rf"|\b(?:previous|former|prior|(?<!how )old|earlier|last|ex)[ -](?:\w+ ){{0,2}}(?:{_HAD})s?\b"
    r"|\b(?:previous|former|old|ex)[ -](?:\w+ )?(?:number|name|date|time)\b"
    r"|\bhistory of\b|\bhow (?:has|have|did) .{1,60}\bchange[ds]?\b|\b(?:has|have|had|did) .{1,60}\b(?:ever )?change[ds]?\b"
    r"|\bbefore (?:that|this|now|then|the (?:change|move|update|switch)|(?:i|we|he|she|they|it) (?:\w+ed|moved|got|went|left|began|became|quit|bought|met)"
    r"|moving|changing|switching|updating|joining|leaving)\b|\bbefore\s*[?？.!]*\s*$",
    re.IGNORECASE,
)
_YEAR: Final = re.compile(r"(?<!\d)((?:19|20)\d\d)(?!\d|[-/]\d)")
_LAST_YEAR: Final = re.compile(r"[去前]年|\blast year\b|\byears? ago\b|年前", re.IGNORECASE)


def asks_about_past(question: str, now: datetime) -> bool:
    """True for "以前", "used to", "the previous one", "how did it change", and for a year that is over.

    A deadline ("before Friday", "周五之前要交什么") is none. Where it is wrong, old statements come along, but marked.
    """
    if _ZH.search(question) or _EN.search(question) or _LAST_YEAR.search(question):
        return True
    return any(int(year) < now.year for year in _YEAR.findall(question))


_AHEAD: Final = re.compile(
    r"以后|今后|将来|未来|接下来|即将|明[天年晚早]|后[天年]|下(?:下)?(?:个)?(?:周|星期|月|季度|学期|次)|打算|计划|会(?:是|变|改|换|在|有)|将(?:会|要|在|是)"
    r"|\b(?:will|going to|next|upcoming|soon|from (?:january|february|march|april|may|june|july|august|september|october|november|december)|later|in the future|planned?|tomorrow|from now on)\b",
    re.IGNORECASE,
)


def looks_ahead(question: str) -> bool:
    """True for a question about what is to come: then a plan is an answer."""
    return _AHEAD.search(question) is not None


Holding = Literal["", "superseded", "ended", "upcoming"]


def holding(
    superseded: bool, valid_from: datetime | None, valid_to: datetime | None, now: datetime
) -> Holding:
    """Why a statement does not hold at `now`: it was replaced, it is over, it is yet to come; "" when it holds.

    Validity is half-open: valid_from <= t < valid_to.
    """
    if superseded:
        return "superseded"
    if valid_to is not None and valid_to <= now:
        return "ended"
    return "upcoming" if valid_from is not None and valid_from > now else ""


_SELF: Final = re.compile(r"我|咱|俺|\b(?:i|me|my|mine|myself|we|us|our|ours)\b", re.IGNORECASE)
_SAYING: Final = (
    r"(?:say|said|tell|told|suggest|recommend|mention|give|given|explain|advise|provide|list|writ(?:e|ten)|wrote|describe|propose|outline|show|help"
    r"|answer|repl(?:y|ied)|respond|call|name|quote|cite|estimate|calculate|translate|summari[sz]e|share|teach|taught|warn|point out|come up with"
    r"|draft|compose|pick|choose|chosen|plan)(?:ed|d|ned)?\b"
)
"""What an assistant does in words; to move a meeting or to meet somebody is none of it."""
_YOU_SAID: Final = re.compile(
    rf"\b(?:did|had|have) you (?:\w+ly |just |once |already |ever |all )?{_SAYING}"
    r"|\byou(?:'ve|’ve| have| had)? (?:\w+ly |just |once |already |ever )?(?:said|told|suggested|recommended|mentioned|gave|given|explained|advised|provided|listed|wrote|written|described|proposed|outlined|showed|shown|helped|answered)\b"
    r"|\b(?:your|(?:the )?assistant's) (?:\w+ ){0,2}(?:answer|advice|suggestions?|recommendations?|list|explanation)\b"
    r"|(?<![跟给对向和与])你(?:之前|上次|刚才|以前|曾经?|当时|那次)|(?<![跟给对向和与诉])你[^，。！？你]{0,8}(?:说|讲|告诉|建议|推荐|提到|提议|解释|列|写|给|分享|介绍|教)(?:过|了|的)",
    re.IGNORECASE,
)


def asks_about_self(question: str) -> bool:
    """True where somebody asks about themselves, and not about what the assistant said: their own words count more then."""
    return _SELF.search(question) is not None and not asks_back(question)


def asks_back(question: str) -> bool:
    """True when the question asks for what the assistant said ("what did you recommend?"): then its words count in full."""
    return _YOU_SAID.search(question) is not None
