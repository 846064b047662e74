"""Corrections that name two values and nothing else: "Actually it's $700, not $600", "不是600，是700".

What they correct is not said; it is found among what is known by the old value (core/placement/anchoring.py).
"""

from __future__ import annotations

import re

from memories.core.extraction.en.verbs import is_past
from memories.core.text.stopwords import word_set
from memories.core.values.keyvalues import key_values
from memories.core.values.sorts import is_hard, stands_for

UNSURE = "en.amends.unsure"
"""The rule of a correction whose words may as well be none ("hang on, 7:30")."""
_EN_LEAD = (
    r"(?:(?:no|nope|sorry|wait|oh|oops|hmm|well|so|actually|correction|hang on|hold on|my bad|my mistake|i misspoke|i was wrong|i meant|"
    r"i mean|scratch that|i got that wrong)\b[,:;.!\s—-]*)*"
)
_IT = r"(?:(?:it|that|this|they)(?:['’]s|['’]re|\s+(?:is|was|are|should\s+be|should\s+have\s+been))\s+)"
_EN_VALUE = r"(?:(?!\s(?:not|but)\s)[^,;!?]|[,](?=\d)){1,40}?"
_EN = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"{_EN_LEAD}{_IT}?(?:actually\s+|really\s+)?(?P<new>{_EN_VALUE}),?\s+(?:and\s+)?not\s+(?P<old>{_EN_VALUE})",
        rf"{_EN_LEAD}{_IT}?not\s+(?P<old>{_EN_VALUE})\s*[,;—-]\s*(?:but\s+|rather\s+|it(?:['’]s|\s+is)\s+|make\s+(?:it|that)\s+|i\s+meant\s+)(?:actually\s+)?(?P<new>{_EN_VALUE})",
        rf"{_EN_LEAD}{_IT}(?:actually\s+|really\s+)?(?P<new>{_EN_VALUE})\s+(?:instead\s+of|rather\s+than)\s+(?P<old>{_EN_VALUE})",
        rf"{_EN_LEAD}i\s+said\s+(?P<old>{_EN_VALUE})\s*,?\s+but\s+(?:i\s+meant|{_IT.strip()})\s*(?:actually\s+)?(?P<new>{_EN_VALUE})",
    )
)
_TRAIL = r"(?:,?\s+(?:instead|now|then|please|sorry|my\s+(?:mistake|bad|fault)|i\s+(?:mixed|got|mis[a-z]+|forgot)\b[^.!?]{0,30}))?"
_SAID_WRONG = r"(?:make\s+(?:that|it)|i\s+(?:meant|mean)(?:\s+to\s+say)?|correction|(?:scratch|strike|scrap)\s+that|i\s+misspoke|i\s+was\s+wrong|i\s+(?:gave|told|said|had|got|wrote|put)\s+(?:you\s+)?(?:[a-z]+\s+){0,3}wrong(?:\s+[a-z]+)?|let\s+me\s+correct\s+(?:that|myself)|(?:that|it)\s+should\s+(?:be|have\s+been))\b"
_SORRY = r"(?:no,?\s+wait|hang\s+on|hold\s+on|wait,?\s+no|sorry|w?hoops|oops|actually|typo|my\s+(?:bad|mistake|error))\b"
_WHILE = re.compile(
    r"(?:\d+|an?|one|two|five|ten)\s+(?:more\s+)?(?:secs?|seconds?|mins?|minutes?|hours?)\b", re.IGNORECASE
)
_ALONE = tuple(
    (
        re.compile(
            rf"(?:(?:{lead}|oh|hmm|no|so|and|wait)[,:;.!\s—-]*)*(?:{lead})[,:;.!\s—-]*(?:{_IT})?(?:(?:actually|on|at|in|for|the)\s+)*(?P<new>{_EN_VALUE}){_TRAIL}",
            re.IGNORECASE,
        ),
        sure,
    )
    for lead, sure in ((_SAID_WRONG, True), (_SORRY, False))
)
"""A new value alone behind words of correction; True where they are about what was said, not an excuse or an address."""
_ZH_LEAD = r"(?:(?:不对|错了|说错了?|我说错了?|记错了?|写错了?|更正(?:一下)?|纠正(?:一下)?|其实|等等|等下|哦|噢|啊|嗯|抱歉|不好意思|应该)[，,：:。!！\s]*)*"
_ZH_VALUE = r"[^，,。；;！!？?\s]{1,20}?"
_ZH = tuple(
    re.compile(pattern)
    for pattern in (
        rf"{_ZH_LEAD}(?:[他她它]|[这那]个?)?不是(?P<old>{_ZH_VALUE})[，,、\s]*(?:而是|应该是|应为|是)(?P<new>{_ZH_VALUE})(?:才对|哦|啊|的)?",
        rf"{_ZH_LEAD}(?:应该)?是(?P<new>{_ZH_VALUE})[，,、\s]*(?:而)?(?:不是|并非)(?P<old>{_ZH_VALUE})(?:哦|啊|的)?",
        rf"{_ZH_LEAD}(?P<old>{_ZH_VALUE})(?:写|说|记|搞|弄|打)错了[，,]\s*(?:应该)?是(?P<new>{_ZH_VALUE})",
    )
)
_EDGE = " \t.。!！,，~～…"
_POINTING = re.compile(
    r"(?:it|that|this|he|she|they|me|you|us|him|her|them|i|we|sure|really|true|right|wrong|enough|bad|yet|just|only|一个|我们?|你们?|[他她它]们?|这样?|那样?|这个|那个|真的|假的|吗|很.*|太.*)",
    re.IGNORECASE,
)


_WORDY = re.compile(r"\b(?:since|because|for|that|that's|when|if|is|are|was|were|has|have|do|does|i|we|you|my|your|just|only|all|about)\b|[\\(){}\[\]<>=]", re.IGNORECASE)  # fmt: skip
"""Words that no bare value has."""


_BESIDE = word_set("the a an on at in by for from until till around about only just roughly nearly")
_IN_NAMES = word_set("of the and de da di du la le van von der den el al y")


def corrected(sentence: str, *, chinese: bool) -> tuple[str, str] | None:
    """(new, old) of a sentence that is nothing but a correction of one value; both are numbers, dates, codes or names."""
    bare = sentence.strip(_EDGE)
    for pattern in _ZH if chinese else _EN:
        match = pattern.fullmatch(bare)
        if match is None:
            continue
        new, old = match["new"].strip(_EDGE), match["old"].strip(_EDGE)
        if not new or not old or new == old or not _alike(new, old, chinese=chinese):
            continue
        # "Call Ann, not Anna": an order, not a longer name.
        opens = not chinese and match.start("new") == 0 and len(new.split()) > len(old.split())
        if not (opens and not _hard(new)):
            return new, old
    return None


def alone(sentence: str) -> tuple[str, bool] | None:
    """The new value of an English sentence that is nothing but a correction to it ("make that Friday", "sorry, 7:30").

    With it, whether the words surely correct: "sorry" and "hang on" may as well be an excuse or an address.
    """
    bare = sentence.strip(_EDGE)
    for pattern, sure in _ALONE:
        match = pattern.fullmatch(bare)
        new = match["new"].strip(_EDGE) if match else ""
        if (
            not new
            or len(new.split()) > 4
            or _POINTING.fullmatch(new)
            or _WORDY.search(re.sub(r"\w+-\d+", "", new))
        ):
            continue
        if not sure and _WHILE.match(new):
            continue  # "hold on, 5 minutes"
        named = sure and re.fullmatch(r"[A-Za-z][\w'’-]*(?:\s[\w'’-]+){0,2}", new)
        if named or (_hard(new) and (sure or _is_bare(new, ""))):
            return new, sure
    return None


def _is_bare(value: str, other: str) -> bool:
    """Whether nothing stands beside the number, date or code but what belongs to it: "room 302", "55 kilos"; not "Ann weighs 55".

    A word of its own there is somebody or something that the value is of, or a verb.
    """
    spans = [(one.start, one.end) for one in key_values(value) if one.kind != "name"]
    words = list(re.finditer(r"\S+", value))
    exact = [
        any(map(str.isdigit, word[0])) or any(low <= word.start() < high for low, high in spans)
        for word in words
    ]
    known = set(other.casefold().split())
    for at, word in enumerate(words):
        text = word[0].strip(".,;:'\"").casefold()
        if exact[at] or text in known or text in _BESIDE or word[0][0].isupper():
            continue
        unit = at == len(words) - 1 and at > 0 and exact[at - 1]
        called = at == 0 and len(words) > 1 and exact[1] and not is_past(text) and not text.endswith("s")
        if not (unit or called):
            return False
    return any(exact)


def _hard(text: str) -> bool:
    return is_hard(text) or any(map(str.isdigit, text))


def _alike(new: str, old: str, *, chinese: bool) -> bool:
    """Whether both are values of one sort: both with a number or a date, or both names; pronouns and judgements are neither."""
    if _POINTING.fullmatch(new) or _POINTING.fullmatch(old) or _WORDY.search(f"{new} {old}"):
        return False
    hard = [_hard(one) for one in (new, old)]
    if all(hard):
        return chinese or (_is_bare(new, old) and _is_bare(old, new) and stands_for(old, new))
    if chinese:
        return not any(hard) and len(new) <= 8 and len(old) <= 8
    return _is_name(new) and _is_name(old)


def _is_name(text: str) -> bool:
    """Every word with a capital, but for those that stand inside names: "the Bank of Brno"; not "Call me Ann"."""
    first, *rest = re.sub(r"^(?:the|an?)\s+", "", text, flags=re.IGNORECASE).split() or [""]
    return (
        len(rest) < 5
        and re.fullmatch(r"[A-Z][\w.'’&-]*", first) is not None
        and all(re.match(r"[A-Z&\d]", word) or word in _IN_NAMES for word in rest)
    )
