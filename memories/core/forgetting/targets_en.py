"""What the phrase of an English request means, and the topic of a clause before it."""

from __future__ import annotations

import re
from dataclasses import replace

from memories.core.extraction.attributes import EN_WORDS, lookup
from memories.core.extraction.relations import BY_WORD as RELATIONS
from memories.core.extraction.relations import EN_RELATIONS
from memories.core.forgetting import forms
from memories.core.forgetting.probes import EDGE, about_whole, anothers, probed, stated_in
from memories.core.forgetting.target import Scope, Target

_TELLS_EN = re.compile(
    r"(?P<topic>(?:the|my|our|his|her|their|that|this|[A-Z][\w-]+(?: [A-Z][\w-]+)*['’]s)\s.+?)\s+"
    r"(?:(?:is|are|was|were|isn['’]t|aren['’]t|wasn['’]t|has|have|had|hasn['’]t|haven['’]t|will|won['’]t|does|doesn['’]t|did|didn['’]t|got|no longer)\s+(?P<what>[^A-Z\d]+)|(?:\w+ly\s+)?[a-z]+ed)"
)


def topic_en(clause: str) -> str:
    tells = _TELLS_EN.fullmatch(clause)
    return tells["topic"] if tells is not None else clause


def read_en(phrase: str, base: Target) -> Target:
    about = forms.ABOUT_EN.fullmatch(phrase)
    if about is not None:
        who = about["who"].strip(EDGE)
        return _en_attribute(who, base) or about_whole(who, base)
    phrase = re.sub(r"^(?:about|all about|all)\s+", "", phrase, flags=re.IGNORECASE)
    that = re.match(r"(?:the fact )?that\s+(?P<rest>.+\s.+)", phrase, re.IGNORECASE)
    if that is not None:
        return stated_in(that["rest"], base) or about_whole(that["rest"], base)
    return _en_attribute(phrase, base) or stated_in(phrase, base) or about_whole(phrase, base)


def _en_attribute(phrase: str, base: Target) -> Target | None:
    asks = forms.WH_EN.fullmatch(phrase)
    if asks is not None:
        wh, rest, noun = asks["wh"].lower(), asks["rest"], asks["noun"].strip()
        fills = forms.FILL_EN[wh]
        probes = [f"{rest} {fill}" for fill in fills]
        if noun:
            probes.append(
                f"{re.sub(r'^(i|we)$', 'my', rest.split()[0], flags=re.IGNORECASE)} {noun} is {fills[-1]}"
            )
        probes += [f"{re.sub(r' (?:is|are|was)$', '', rest)} is {fill}" for fill in fills]
        return probed([probe[:1].upper() + probe[1:] for probe in probes], base)
    known = lookup(phrase)
    if known is not None and phrase.casefold() not in RELATIONS:
        return replace(base, scope=Scope.ATTRIBUTE, attributes=frozenset({known.name}))
    if re.fullmatch(
        rf"(?:my|our)\s+(?:[\w-]+\s+)?(?:{'|'.join(map(re.escape, EN_RELATIONS))})(?:\s+[A-Z]\w+)?",
        phrase,
        re.IGNORECASE,
    ) and (phrase.split()[-1].casefold() in RELATIONS or phrase.split()[-1][:1].isupper()):
        return None
    if re.fullmatch(
        r"(?:my|our)\s+(?:[a-z-]+\s+){1,2}(?:[A-Z][a-z]+\s?)+|(?:my|our) ex(?:[- ][a-z]+)?", phrase
    ):
        return None  # "My ex Dora": somebody by a name.
    its = re.fullmatch(r"(?P<its>its|their|his|her)\s+(?P<what>.+)", phrase, re.IGNORECASE)
    if its is not None:
        return anothers(its["what"], base)
    owned = re.match(r"(?:my|our)\s|.+['’]s?\s|(?:the\s)?[\w -]+\s(?:of|for)\s", phrase, re.IGNORECASE)
    named = any(phrase.casefold().endswith(f" {word}") for word in EN_WORDS)
    if not owned and not named:
        return None
    return probed([f"{phrase} is {forms.PROBE}", f"the {phrase} is {forms.PROBE}"], base)
