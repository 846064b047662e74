"""Makes a follow-up standalone from the window and the slots, by rules (R21): "那周末呢" after "杭州天气怎么样" asks about 杭州.

Only adds what was said; never drops a word of the question. None means that the question stands on its own, or that nothing
around it says what it leans on.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from memories.core.extraction.relations import ZH_RELATIONS
from memories.core.extraction.sentences import is_small_talk
from memories.core.text.language import HAN, cjk_share
from memories.core.text.words import tagged
from memories.core.topics import topics
from memories.core.values.keyvalues import key_values
from memories.core.values.normalise import canonical

_ZH_THING = re.compile(
    r"它(?!们的)|(?:这|那)(?:个|件|本|家|次|款|部|场|项)?(?=的|是|在|有|能|会|要|多|怎|什|呢|贵|好|$)|其(?=[\u4e00-\u9fff])(?![实他中余它次])"
)
_ZH_PERSON = re.compile(r"[他她](?!们)|TA")
_ZH_PLACE = re.compile(r"那里|那边|那儿|这里|这边|这儿")
_ZH_LEANS = re.compile(
    r"^(?:那么?|然后|还有|另外|再|所以|如果|要是)|呢[?？]?$|^(?:为什么|怎么|多少|几点|什么时候|在哪|哪里|谁)[^，。]{0,10}$"
)
_EN_THING = re.compile(
    r"\b(?:it|its|this|that|these|those|them)\b(?!\s+(?:is|was)\s+(?:true|ok|okay|fine|all|enough))",
    re.IGNORECASE,
)
_EN_PERSON = re.compile(r"\b(?:he|she|him|her|his|hers|they|their)\b", re.IGNORECASE)
_EN_PLACE = re.compile(r"\bthere\b(?!\s+(?:is|are|was|were|any|a\b|an\b|be\b))", re.IGNORECASE)
_EN_LEANS = re.compile(
    r"^(?:and|then|so|but|what about|how about|also|why|how come|when|where|who|how much|how many|how long|which one)\b[^?]{0,40}\??$|\b(?:then|too|as well|instead)\s*\?+$",
    re.IGNORECASE,
)
_LOOK_BACK = 6
_BARE_ZH, _BARE_EN = 8, 24
"""Characters of a follow-up that is too short to be about anything by itself."""
_SAID = 60
_BARE_NAME = re.compile(r"[A-Z][\w'.-]+(?:\s[A-Z][\w'.-]+){0,3}")
_Reader = Callable[[str], list[str]]


def standalone(question: str, recent_turns: Sequence[str], slots: Sequence[str]) -> str | None:
    """The question with what it leans on named, or None when it needs nothing or nothing fits.

    `recent_turns` are the texts before it, oldest first; `slots` the texts of live slots, most important first (they help
    when the session has just begun: "那我要不要带伞" in a new chat). A pronoun gets the last person, place or thing named; a bare
    follow-up gets the topic words of the last turn that has any, a short one else the beginning of the last turn itself.
    """
    question = question.strip()
    if not question or is_small_talk(question) or len(question) > 200:
        return None
    chinese = cjk_share(question) >= 0.4
    history = [turn for turn in recent_turns if not is_small_talk(turn)][-_LOOK_BACK:]
    person, place, thing, leans = (
        (_ZH_PERSON, _ZH_PLACE, _ZH_THING, _ZH_LEANS)
        if chinese
        else (_EN_PERSON, _EN_PLACE, _EN_THING, _EN_LEANS)
    )
    own = canonical(question)
    named = any(value.kind in {"name", "code", "title"} for value in key_values(question))
    wants: list[str] = []
    if person.search(question):
        wants += _last(history, slots, _people, own)[:1]
    if place.search(question):
        wants += _last(history, slots, _places, own)[:1]
    bare = bool(leans.search(question)) and not named
    if thing.search(question) or (not wants and bare):
        wants += (_last(history[-3:], slots, _named_things, own) or _last(history, slots, _things, own))[:3]
    if not wants and bare and len(question) <= (_BARE_ZH if chinese else _BARE_EN):
        wants += [text[:_SAID].strip() for text in [*slots[:1], *history] if canonical(text)][-1:]
    wants = list(dict.fromkeys(wants))
    if not wants:
        return None
    return ("、".join(wants) + "：" if chinese else ", ".join(wants) + ": ") + question


def _last(history: Sequence[str], slots: Sequence[str], read: _Reader, own: str) -> list[str]:
    """What the newest turn that names something names, apart from what the question says itself; else the slots'."""
    for text in reversed(history):
        found = [word for word in read(text) if canonical(word) and canonical(word) not in own]
        if found:
            return found
    found = [word for text in slots for word in read(text) if canonical(word) and canonical(word) not in own]
    if read is _places and not found:
        # A slot holds the bare name, without the words around it that tell a place.
        found = [text for text in slots if _BARE_NAME.fullmatch(text) and canonical(text) not in own]
    return found or [
        text for text in slots[:1] if canonical(text) not in own and len(text) <= 60 and read is _things
    ]


def _people(text: str) -> list[str]:
    names = [value.text for value in key_values(text) if value.kind == "name"]
    mine = re.findall(rf"我的?(?:{'|'.join(ZH_RELATIONS)})", text) if re.search(f"[{HAN}]", text) else []
    mine += re.findall(
        r"\bmy (?:boss|mom|mum|dad|wife|husband|son|daughter|brother|sister|friend|colleague|doctor|teacher)\b",
        text,
        re.IGNORECASE,
    )
    return list(reversed(names)) or list(reversed(mine))


def _places(text: str) -> list[str]:
    if re.search(f"[{HAN}]", text):
        return [word for word, tag in reversed(tagged(text[:400])) if tag == "ns" and len(word) > 1]
    return re.findall(r"\b(?:in|to|at|from|near)\s+([A-Z][a-z]+(?:\s[A-Z][a-z]+)*)", text)[::-1]


def _named_things(text: str) -> list[str]:
    """Names, titles and codes; of two that overlap, the longer."""
    found = [value.text for value in key_values(text) if value.kind in {"name", "title", "code"}]
    return list(dict.fromkeys(found))[:3]


def _things(text: str) -> list[str]:
    return topics(text) if len(text) > 8 else []
