"""Reads what a request to forget leaves out: "everything except my name", "…, but keep my name", 除了名字…, …名字留着."""

from __future__ import annotations

import re
from dataclasses import dataclass

from memories.core.extraction.request_objects import EDGE

ELSE = re.compile(
    r"(?:about\s+)?(?:(?:everything|anything|all(?: that)?(?: is)?|whatever(?: is)?|what(?:'s| is)|all of it|it all)(?: else)?|(?:all )?(?:the |of the )?(?:rest|others?|remainder)(?: of (?:it|that|them|the \w+))?"
    r"|(?:all |every |any )?(?:the )?other (?:things?|stuff|facts?|details?|data|info(?:rmation)?|memor(?:y|ies)|notes?))(?: (?:left|that is left|remaining))?"
    r"|(?:其他|其它|其余|别的|剩下|另外|余下)的?(?:东西|事情?|内容|信息|资料|记忆|记录|话|数据|一切|全部|所有)?的?|(?:的?(?:一切|全部|所有)(?:的?(?:东西|事情?|内容|信息|记忆|记录|话))?|什么|东西|事情?|内容|信息|记忆)",
    re.IGNORECASE,
)
"""All, or all that is not excepted."""
OTHERS = re.compile(
    r"\b(?:else|rest|remainder)\b|\bother (?:things?|stuff|facts?|details?|memor)|其他|其它|其余|别的|剩下|余下",
    re.I,
)
"""Words that say that something is excepted, wherever that is named."""

_EXCEPT_EN = r"(?:except(?:ing)?(?: for)?|excluding|apart from|aside from|other than|besides|save for|barring|minus|leaving out|with the exception of|but for|(?:but|just|only|though) not|and not)"
_OUT_EN = r"(?:forget|delete|erase|remove|wipe|drop|clear|touch|lose|discard)"
_STRONG_EN = rf"(?:keep|leave|retain|preserve|hold on to|(?:do not|don't|dont|never) {_OUT_EN}|you (?:can|may|should|must) keep|i(?:'d| would)? (?:want|like|need) (?:you )?to keep)"
_WEAK_EN = r"(?:remember|do remember|still remember)"
CUT_EN = rf"\s+(?=because\s|as\s+(?:it|the\s+new|i)\b|and\s+(?:use|note|save|replace)\s)|\s+(?={_EXCEPT_EN}\s)|\s+(?=but\s)|\s+(?=and\s+(?:please\s+|just\s+|only\s+)*(?:{_STRONG_EN}|{_OUT_EN})\s)"
"""Where an English clause is cut before what it excepts; nothing is taken away there."""
_LEAD_EN = r"(?P<lead>(?:(?:but|though|yet|however|only|just|and|still|please|then|also|simply|make sure (?:you|to))[\s,]+)*)"
_KEPT_EN = (
    re.compile(rf"(?:but\s+)?(?P<mark>{_EXCEPT_EN})\s+(?P<kept>.+)", re.I),
    re.compile(rf"{_LEAD_EN}(?P<verb>{_STRONG_EN}|{_WEAK_EN})\s+(?P<kept>.+)", re.I),
    re.compile(
        rf"{_LEAD_EN}(?P<kept>(?:my|our|his|her|their|the|that|what|where|[A-Z][\w-]*).*?)\s+(?P<stays>(?:(?:should|must|can|may|has to|have to|is to|needs? to) )?(?:stays?|remains?|be kept)|is fine|are fine|is not to be \w+)",
    ),
    re.compile(
        r"(?P<bare>but)\s+(?P<kept>(?:my|our|his|her|their|the|that|what|where|how|when|who)\b.*|[A-Z].*)"
    ),
)
_TAIL_EN = re.compile(
    r"[\s,]+(?:please|thanks|alone|as (?:it is|they are|is)|in place|there|untouched|out of (?:it|this)|out|though|of course|in (?:your )?(?:memory|mind|there))$",
    re.I,
)
_ALL_EN = re.compile(r"\b(?:all|everything|anything|any|every|whatever)\b", re.I)
_MORE_EN = re.compile(
    r"(?:and|or|nor|as well as|also|plus)\s+.+|(?:my|our|his|her|their|the|where|what|how|[A-Z][\w-]*['’]s)\s.+",
    re.I,
)

_LEAD_ZH = r"(?P<lead>(?:但是?|不过|可是|只是|然而|只|就|仅|单单?|唯独?|唯有|可)*)(?:请|麻烦|要|得|还是|帮我|给我|你|您)*"
_STRONG_ZH = r"(?:留着|留下来?|留(?=[我他她]|$)|保留|别[忘删动]掉?|不[要用能准许可必得]*[忘删动]掉?|勿[忘删])"
_WEAK_ZH = r"(?:记着|记住|记得|别忘记?了?|不要忘记?了?)"
_KEPT_ZH = (
    re.compile(r"(?:但是?|不过|可是|当然)?除(?:了|去|开|却)?(?P<kept>.+?)(?P<mark>以外|之外|外)?"),
    re.compile(
        rf"{_LEAD_ZH}(?:把|将)?(?P<kept>.+?)(?:要|得|请|就|还|可以|给我|帮我|替我|你|您|先|必须|都|也|仍然?|继续|应该|是)*(?P<verb>{_STRONG_ZH}|{_WEAK_ZH}|除外|不算在?内?|不包括在?内?|例外|不在此列)(?:着|吧|哦|啊|掉|了|下来|就好|就行|在内|的|，)*"
    ),
    re.compile(rf"{_LEAD_ZH}(?P<verb>{_STRONG_ZH}|{_WEAK_ZH})(?:着|了|下)?(?P<kept>.+)"),
)
_VERBS_ZH = (
    r"(?:忘掉|忘了|忘记|忘|删掉|删除|删去|删了|删|抹掉|抹去|清除|清掉|清空|去掉|移除|擦掉|擦除|销毁|把|将)"
)
_IN_ZH = (
    re.compile(
        r"(?P<first>.*?)除(?:了|去|开|却)?(?P<kept>[^除]+?)(?:以外|之外|外)(?=.)的?(?P<rest>(?![国人地面边号]).+)"
    ),
    re.compile(
        rf"(?P<first>.*?)除(?:了|去|开)(?P<kept>[^除]+?)(?<![我他她你们])(?P<rest>(?:都|全都?|全部|统统|一律|一概|其他|其它|其余|别的|剩下|{_VERBS_ZH}).*)"
    ),
    re.compile(r"(?P<first>.*?)(?P<rest>)除(?:了|去|开)(?P<kept>[^除]+)"),
    re.compile(rf"(?P<first>(?:.*?{_VERBS_ZH})?)(?P<kept>[^把将]+?)(?:以外|之外)的?(?P<rest>.+)"),
)
CUT_ZH = re.compile(r"(?<=.)(?=(?:但是|不过|可是|只是|但(?!愿)))")
_MORE_ZH = re.compile(r"(?:和|及|以及|还有|跟|与|加上).+|[^，]{1,12}的[^，]{1,8}|.{1,3}")


@dataclass(frozen=True, slots=True)
class Kept:
    """What a clause says is to stay. `firm` tells an exception from a plain "remember …", which may be something else."""

    phrase: str
    firm: bool


def kept_in(clause: str, before: str, *, chinese: bool) -> Kept | None:
    """What a whole clause leaves out of a request; `before` is the clause in front of it ("" for none)."""
    if chinese:
        for pattern in _KEPT_ZH:
            match = pattern.fullmatch(clause)
            if match is None:
                continue
            groups = match.groupdict()
            verb = groups.get("verb")
            weak = verb is not None and re.fullmatch(_WEAK_ZH, verb) is not None and not groups.get("lead")
            return _kept(match["kept"].removesuffix("的") or match["kept"], firm=not weak)
        return None
    bare = _TAIL_EN.sub("", clause)
    for pattern in _KEPT_EN:
        match = pattern.fullmatch(bare)
        if match is None:
            continue
        groups = match.groupdict()
        if groups.get("bare") and not _ALL_EN.search(before):
            continue
        verb = groups.get("verb")
        weak = verb is not None and re.fullmatch(_WEAK_EN, verb, re.I) is not None and not groups.get("lead")
        return _kept(match["kept"], firm=not weak)
    return None


def _kept(phrase: str, *, firm: bool) -> Kept | None:
    bare = _TAIL_EN.sub("", phrase.strip(EDGE)).strip(EDGE)
    return Kept(bare, firm) if bare else None


def split_zh(clause: str) -> tuple[str, str] | None:
    """(the clause without it, what it leaves out) of a Chinese clause that holds both; None for any other."""
    for pattern in _IN_ZH:
        match = pattern.fullmatch(clause)
        if match is not None and match["first"] + match["rest"]:
            rest = match["rest"]
            return f"{match['first']}{rest}", match["kept"].strip(EDGE).removesuffix("的")
    return None


def goes_on(clause: str, *, chinese: bool) -> bool:
    """Whether a clause behind an exception names more of what is left out."""
    return (_MORE_ZH if chinese else _MORE_EN).fullmatch(clause) is not None
