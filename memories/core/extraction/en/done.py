"""What somebody has or has never done: "I have never painted X", "I've painted X twice".

The attribute is the kind of act (`done_read`), the value what it was done to, so that yes and no to the same stand against
each other. Only what was done to something definite counts: a name, a title, or a noun with words that tell which.
"""

from __future__ import annotations

import re

from memories.core.extraction.en.noun_words import MEASURES
from memories.core.extraction.en.plurals import singular
from memories.core.extraction.en.rules import REL
from memories.core.extraction.en.subjects import subject
from memories.core.extraction.en.verbs import is_clear_past, is_gerund, is_past, lemma
from memories.core.extraction.raw import Raw, Turn, Who
from memories.core.kinds import Kind
from memories.core.text.stopwords import (
    ARTICLES,
    DEMONSTRATIVES,
    POSSESSIVES,
    PREPOSITIONS,
    PRONOUNS,
    word_set,
)
from memories.core.times.english import DAY_NAMES, MONTHS

_ADVERB = r"(?:(?:ever|even|just|already|also|now|once|still|yet|before|[a-z]+ly)\s+)*"
"""Adverbs; none that ends in -ly is listed, for what can be read in two ways is tried in all of them."""
_NEVER = re.compile(
    rf"(?:(?:have|has|had)\s+)?{_ADVERB}never\s+{_ADVERB}(?P<rest>.+)|(?:have|has|had)\s+(?:not|yet to)\s+{_ADVERB}(?P<rest2>.+)|did\s+not\s+ever\s+(?P<rest3>.+)",
    re.IGNORECASE | re.DOTALL,
)
_DONE = re.compile(rf"(?:have|has)\s+{_ADVERB}(?P<rest>(?!not\b|never\b|been\s+(?:to\s+)?(?:\w+ing\b|\w+ed\b)).+)", re.IGNORECASE | re.DOTALL)  # fmt: skip
_DOING = re.compile(
    rf"(?:have|has)\s+{_ADVERB}been\s+{_ADVERB}(?P<rest>[a-z]+ing\b.+)", re.IGNORECASE | re.DOTALL
)
_PAST = re.compile(rf"{_ADVERB}(?P<rest>[a-z]+\s.+)", re.IGNORECASE | re.DOTALL)
_MORE_VERBS = re.compile(r",?\s+(?:or|nor)\s+(?:ever\s+)?(?=[a-z]+(?:ed|en|t|wn|n)\b|been\b|met\b|had\b|made\b|done\b)", re.IGNORECASE)  # fmt: skip
_WORDS = re.compile(r"[A-Za-zÀ-ÿ0-9](?:[\w'’./&+-]|:(?=\w))*")
_NAME = re.compile(
    r"(?:[A-Z](?:[\w'’+-]|:(?=[A-Z]))*|[A-Z]+\d*)(?:\s+(?:of\s+|the\s+|de\s+)?[A-Z][\w'’+-]*)*"
)
_TITLE = re.compile(r"[\"“'‘](?P<t>[^\"“”]{2,60})[\"”'’]")
_SAME_ACT = {"visit": "go", "travel": "go", "watch": "see"}
"""To be, go, travel or pay a visit somewhere is one act, and so is to see or watch a film."""
_THIN = word_set(
    """have get be think hear feel want say tell know seem decide agree notice realize realise understand believe hope need become keep let imagine dream expect regret
    forget doubt guess care worry note wonder consider spend like love hate enjoy mean suppose happen end continue manage help bother"""
)
"""Verbs whose object tells little, whether they are denied or not: "I've never felt better"."""
_COMMON = word_set(
    "make come go grow start begin find live take lose look turn talk speak mention plan experience encounter struggle deal do tie leave"
)
"""Verbs that tell little of what was done, though it tells something that it never was."""
_POINTING = (
    PRONOUNS
    | DEMONSTRATIVES
    | word_set(
        """afterward afterwards together not only just every yet before ever already again too either now then today things thing stuff lot much many more what how
    hard harder fast faster far farther further late later early earlier long longer well better enough less alone"""
    )
)
_LIGHT = ARTICLES | POSSESSIVES | DEMONSTRATIVES | word_set("any some such same other another few first own new old single actual different back out up off on in at to from with for into down over away around along through apart aside")  # fmt: skip
_STOPS = (
    (PREPOSITIONS - word_set("up down off out as"))
    | DEMONSTRATIVES
    | word_set("or and related involving whether versus")
)
_COMPANION = re.compile(r"(?:anything|something|things|stuff)\s+with\s", re.IGNORECASE)
_WITH_KIN = re.compile(
    rf"\w+\s+with\s+(?:(?:my|our|a|an|his|her|the|some)\s+)(?:\w+\s+)?(?:{REL})\b", re.IGNORECASE
)
_MAKES = word_set("do try use build make write create work develop deploy implement ship run design")
"""Verbs for which "with …" is what it is done with: "I've never built anything with GraphQL"."""
_TOLD_WHEN = re.compile(
    r"\b(?:for (?:[a-z]+ |\d+ )?(?:days|weeks|months|years|seasons|decades|ages)|ago|yesterday|last\s+(?!one)\w+|as an? (?:kid|child|teenager|teen|student|boy|girl)|when (?:I|he|she|they|we) (?:was|were)|once|twice|(?:\d+|two|three|four|five|several|many) times|"
    rf"(?:in|since|until|during|on) (?:(?:early |late |the )?(?:[A-Z][a-z]+day|{'|'.join(name.capitalize() for name in MONTHS)}|spring|summer|autumn|fall|winter|(?:19|20)\d\d)))\b"
)
"""Words that make a simple past an act of a known time."""
_POINTED_AT = re.compile(
    r"(?:(?:in|to|at|on|with|for|about|of)\s+)?(?:this|that|these|those)\b", re.IGNORECASE
)
_PURPOSE = re.compile(
    r"(?<=\w)\s+(?:to\s+(?!(?:the|my|our|his|her|their|an?|this|that)\b)(?=[a-z])|that\b|whether\b)"
)
"""What follows tells what the thing is for, or what is thought of it."""
_UNITS = word_set("day days week weeks month months year years hour hours minute minutes time times")
_END = re.compile(r"\b(?:(?:early|late)?\s*last|yesterday|today|tonight|next|every|each|(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|several|\d+|many|few|couple of)\s+(?:day|week|month|year|decade|hour|minute)s?\s+ago|back in|(?:in|since|during|around) (?:19|20)\d\d|in (?:the\s+)?(?:spring|summer|autumn|fall|winter)|as an? (?:kid|child|teenager|teen|student|boy|girl|baby)|for (?:\d+|an?|two|three|four|five|many|some|years|months|ages)\b|once|twice|(?:two|three|four|five|\d+|many|several|a few) times|so|because|since|but|which|who|while|when|after|before|until|although|though|if|and (?:i|we|he|she|it|they|now|my|the|that)|as|especially|considering|where|due|by (?:\d|the end|[a-z]+ing))\b|[,;.!?(]|:(?!\w)|—| - ", re.IGNORECASE)  # fmt: skip


def read(text: str, work: str, turn: Turn) -> list[Raw]:
    """What the clause says that its subject has done or never did; [] when it is not that or not definite."""
    found = subject(work, turn)
    if found is None:
        return []
    who, rest = found
    if who.key == turn.listener:
        return []
    never = _NEVER.fullmatch(rest)
    if never:
        said = next(group for group in (never["rest"], never["rest2"], never["rest3"]) if group)
        raws = [
            raw
            for part in _verbs(said)
            if (raw := _act(part, who, text, negated=True, sure=True)) is not None
        ]
    else:
        done = _DONE.fullmatch(rest) or _DOING.fullmatch(rest)
        past = _PAST.fullmatch(rest) if done is None else None
        match = done or past
        if past is not None and not (is_clear_past(past["rest"].split()[0]) or _TOLD_WHEN.search(rest)):
            return []
        sure = done is not None or _TOLD_WHEN.search(rest) is not None
        act = _act(match["rest"], who, text, negated=False, sure=sure, then=done is None) if match else None
        raws = [act] if act is not None else []
    if raws:
        turn.mention(who)
    return raws


def _verbs(said: str) -> list[str]:
    """ "rowed at dawn or sailed to Oban": each verb with its object."""
    return [part for part in _MORE_VERBS.split(said) if part][:3]


def _act(said: str, who: Who, text: str, *, negated: bool, sure: bool, then: bool = False) -> Raw | None:
    """The act of "paint any walls in X"; `sure` False for a simple past, which must be about something named.

    `then` says that it was done at one time, which an event is.
    """
    verb = re.match(r"[A-Za-z]+", said)
    if verb is None:
        return None
    word = verb[0].lower()
    if not (is_past(word) or is_gerund(word) or word == "been"):
        return None
    inner = re.match(
        r"(?:tried|attempted|started|begun|trying|starting)\s+(?=[a-z]+ing\s)", said, re.IGNORECASE
    )
    if inner:  # "tried using X" is about using it
        return _act(said[inner.end() :], who, text, negated=negated, sure=sure, then=then)
    if re.match(r"\w+\s+to\s+[a-z]", said) and lemma(word) in {"try", "attempt"}:
        return None  # what was only tried was not done
    base = lemma(word)
    to_place = re.match(r"(?:been|went|gone|go|going)\s+to\s+(?:the\s+)?[A-Z]", said) is not None
    if not to_place and (
        (base in _THIN and not (negated and word == "been")) or (base in _COMMON and not negated)
    ):
        return None
    end = _END.search(said, verb.end())
    thing = said[verb.end() : end.start() if end else len(said)].strip()
    thing = _PURPOSE.split(thing, maxsplit=1)[0]
    if word == "been" and not re.match(r"(?:to|in|at|on|inside|near)\b", thing, re.IGNORECASE):
        return None
    if word == "used" and re.match(r"to\b", thing, re.IGNORECASE):
        return None
    if _COMPANION.match(thing) and (base not in _MAKES or _WITH_KIN.match(thing)):
        return None  # with whom, and not what
    thing = re.sub(r"^(?:anything|something|things|stuff)\s+(?=(?:to|with|for|on|in|from|at)\s)", "", thing)
    words = [match.group() for match in _WORDS.finditer(thing)]
    if (
        not words
        or words[0].lower() in {"and", "or"}
        or [word.lower() for word in words[:2]] == ["a", "lot"]
        or words[0].lower() in _POINTING
        or len(thing) > 140
    ):
        return None
    value, named = _object(thing, words)
    if value is None or (not sure and not named):
        return None
    if not named and (
        _POINTED_AT.match(thing) or re.search(r"\b(?:of|with|from)\s+(?:it|them|him|her)\b", thing)
    ):
        return None  # "we never rowed on that lake" tells of which one only where it was said
    if not negated and not named and " " not in value and not _says_which(thing, then=then):
        return None  # "I've fixed the bug" tells of which one only where it was said
    base = "go" if base == "be" else _SAME_ACT.get(base, base)
    attribute = "uses" if base == "use" else f"done_{base}"
    rule = "en.never" if negated else "en.done"
    when = "point" if then else ""
    return Raw(who, attribute, value, rule, Kind.FACT, text, negated=negated, when=when)


def _says_which(thing: str, *, then: bool) -> bool:
    """Whether a single common noun tells what it was done to: "oysters", "my arm"; "a camel" where it is told when."""
    words = thing.lower().split()
    while len(words) > 1 and (words[0] in _STOPS or words[0] in {"up", "out", "off"}):
        words.pop(0)
    if words[0] in {"my", "our"} or (len(words) == 1 and words[0][-1:].isalnum()):
        return True
    return words[0] in {"a", "an"} or (then and words[0] not in {"the", "these", "those"})


def _object(thing: str, words: list[str]) -> tuple[str | None, bool]:
    """What the act was done to, in a form that does not depend on the phrasing, and whether it is something named.

    The object itself where there is one, else what follows its preposition ("worked with Michael"); of a work, who made it.
    """
    author = re.search(rf"\bby\s+(?P<n>{_NAME.pattern})", thing) or re.match(
        rf"(?:(?:any|some|all|one)\s+(?:of\s+)?)?(?P<n>{_NAME.pattern})['’]s?\s", thing
    )
    if author and not _no_name(author["n"]):
        return re.sub(r"['’]s?$", "", author["n"]).split()[-1].lower(), True
    title = _TITLE.search(thing)
    if title:
        return title["t"].lower(), True
    content: list[str] = []
    for match in _WORDS.finditer(thing):
        word = match.group()
        low = word.lower().replace("’", "'")
        if low in _LIGHT and not content:
            continue
        if content and (
            low in _STOPS
            or low in {"i", "we", "he", "she", "they", "you"}
            or re.search(r"(?:ed|ade|ound|ought)$", low)
        ):
            break
        if (
            low in MEASURES
            or not low[0].isalpha()
            or low in _LIGHT
            or low in _STOPS
            or low in _POINTING
            or low.endswith("ly")
            or _no_name(word)
        ):
            continue
        content.append(word)
    if not content:
        return None, False
    if all(word[0].isupper() for word in content):
        return _plain(" ".join(content)), True
    if content[-1][0].isupper():  # "my child Michael"
        names = [word for word in content if word[0].isupper()]
        return _plain(" ".join(names)), True
    last = singular(content[-1].lower())
    return " ".join([*(word.lower() for word in content[-2:-1]), last]), any(
        word[0].isupper() for word in content
    )


def _plain(name: str) -> str:
    return name.replace("’", "'").removesuffix("'s").lower()


def _no_name(word: str) -> bool:
    """Whether a capitalised word is a month, a weekday or the speaker."""
    return word.lower().rstrip(".") in DAY_NAMES or word in {"I", "I'm", "I've"}
