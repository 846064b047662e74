"""What stands before "is" in an English clause, as somebody's or something's attribute: "Ana's desk", "the wifi password"."""

from __future__ import annotations

import re

from memories.core.extraction.attributes import EN_WORDS, canonical_attribute, lookup
from memories.core.extraction.en import nouns as en_nouns
from memories.core.extraction.en.measures import measure_of
from memories.core.extraction.en.noun_words import MEASURES
from memories.core.extraction.en.plurals import singular
from memories.core.extraction.en.rules import NAME, REL
from memories.core.extraction.en.subjects import bare_name, me, owner_of
from memories.core.extraction.raw import Turn, Who

_POSSESSIVE = re.compile(
    rf"(?P<owner>(?:my|our)\s+(?:\w+\s+)?{REL}(?:\s+(?-i:{NAME}))?|(?-i:{NAME})|(?:the|our|my)\s+[\w-]+(?:\s+[\w-]+){{0,3}})['’]s?\s+(?P<attr>(?:[\w-]+\s+){{0,3}}?[\w-]+)",
    re.IGNORECASE,
)


_OWN = re.compile(r"(?P<owner>my|our|his|her|its|their)\s+(?P<attr>(?:[\w-]+\s+){0,3}?[\w-]+)", re.IGNORECASE)


_OF = re.compile(
    r"(?:the|our|my)\s+(?P<attr>(?:[\w-]+\s+){0,2}?[\w-]+)\s+(?:of|for)\s+(?P<owner>.{2,60})", re.IGNORECASE
)


_THING = re.compile(r"(?:the|this|our)\s+(?P<head>[\w'’&#-]+(?:\s+[\w'’&#-]+){0,5})", re.IGNORECASE)


def favourite(word: str) -> str | None:
    match = re.fullmatch(r"(?P<least>least\s+)?favou?rite\s+(?P<noun>[\w -]+)", word, re.IGNORECASE)
    if match is None:
        return None
    return ("least_favorite_" if match["least"] else "favorite_") + canonical_attribute(match["noun"])


def split_head(head: str, turn: Turn, *, coded: bool = False, named: bool = False) -> tuple[Who, str] | None:
    """Subject and attribute word of what stands before the copula, or None when it names no attribute of anything."""
    head = re.sub(r"\s+(?:now|currently|has|have)$", "", head)
    head = re.sub(
        r"(?<=\s)(?:brand[- ])?(?:new|current|latest|correct)\s+(?=\w)", "", head, flags=re.IGNORECASE
    )
    if re.match(r"(?:the|my|our)\s+(?:old|former|previous|ex)\s", head, re.IGNORECASE):
        return None  # what it was before is no value of now
    possessive = _POSSESSIVE.fullmatch(head)
    if possessive:
        owner = owner_of(possessive["owner"], turn)
        return (owner, possessive["attr"]) if owner and _is_noun(possessive["attr"]) else None
    own = _OWN.fullmatch(head)
    if own and _is_noun(own["attr"]):
        word = own["owner"].lower()
        if word in {"my", "our"}:
            if favourite(own["attr"]) or lookup(own["attr"]):
                return me(turn), own["attr"]
            if own["attr"].lower().endswith(" plan") and word == "my":
                return me(turn), own["attr"]
            if _known_suffix(own["attr"]):
                return _measured(head, turn) or _thing(own["attr"], turn, mine=True)
            if (
                re.search(r"\s(?:for|of|on|in)\s", own["attr"])
                and (about := _measured(head, turn)) is not None
            ):
                return about  # "our budget for the trip" as the amounts read it
            return (me(turn), own["attr"]) if word == "my" or named or coded else None
        pointed = turn.thing or turn.person if word == "its" else turn.person
        return (pointed, own["attr"]) if pointed else None
    of = _OF.fullmatch(head)
    if of and of["attr"].lower() in _WORLD and re.fullmatch(r"(?:the\s+)?[A-Z][\w.'’ -]*", of["owner"]):
        return None
    if of and re.match(r"(?:an?|any|every|each|most|some|all|people)\s", of["owner"]):
        return None  # of one of its kind: nobody's
    if of and _is_noun(of["attr"]):
        owner = owner_of(of["owner"], turn)
        return (owner, of["attr"]) if owner else None
    if re.match(r"the\s+(?:typical|usual|standard|normal)\s", head, re.IGNORECASE):
        return None
    thing = _THING.fullmatch(head)
    if thing:
        return _thing(thing["head"], turn, mine=False, coded=coded)
    bare = lookup(head)
    if bare is not None and not (head.endswith("s") and head not in {"status", "address"}):
        return (turn.subject or (me(turn) if bare.personal else Who("general", "", person=False))), head
    proper = (
        re.match(r"(?!The\s|A\s|An\s)[A-Z]", head)
        and len(head.split()) <= 5
        and not re.search(
            r"\b(?:I|i|you|we|they|[Mm]e|[Mm]y|[Oo]ur|[Yy]our|[Tt]heir|[Hh]is|[Hh]er|and|or|to|that|why|how)\b",
            head,
        )
    )
    return _thing(head, turn, mine=False) if proper and _known_suffix(head) else None


def _measured(head: str, turn: Turn) -> tuple[Who, str] | None:
    """ "my savings goal" as the amounts read it ("I raised my savings goal to ..."); None where it is no measure."""
    phrase = en_nouns.before(head, len(head))
    if phrase is None or phrase.start or phrase.owner or singular(phrase.heads[-1]) not in MEASURES:
        return None
    return measure_of(phrase, None, turn, me(turn))


def _known_suffix(phrase: str) -> str | None:
    low = phrase.lower()
    return next((word for word in EN_WORDS if low == word or low.endswith(" " + word)), None)


def _open_thing(phrase: str, turn: Turn) -> tuple[Who, str] | None:
    """ "wifi password" -> (wifi, password), whatever the words; a single word belongs to what was spoken about."""
    words = phrase.split()
    if re.search(r"\s(?:in|of|at|on|for|with|from|to|by)\s", phrase):
        return None
    if not _is_noun(phrase) or len(words) > 4 or any(not word[0].isalpha() for word in words):
        return None
    if len(words) == 1:
        return (
            (turn.subject, words[0])
            if turn.subject is not None and turn.subject.key != turn.speaker
            else None
        )
    before = " ".join(words[:-1])
    return Who(bare_name(before), before, person=False), words[-1]


_CALLED = frozenset({"work", "office", "home", "mobile", "cell", "landline", "emergency", "whatsapp", "contact", "new", "fax", "my", "our"})  # fmt: skip


def _thing(phrase: str, turn: Turn, *, mine: bool, coded: bool = False) -> tuple[Who, str] | None:
    """ "project budget" -> (project, budget); a phrase that is only an attribute belongs to the last subject, or the matter."""
    word = _known_suffix(phrase)
    if word is None:
        return _open_thing(phrase, turn) if coded else None
    before = phrase[: len(phrase) - len(word)].strip()
    if word == "number" and before and before.lower() not in _CALLED:
        word = "reference number"  # of an invoice or a locker; nobody is called under it
    if before:
        return Who(bare_name(before), before, person=False), word
    row = lookup(word)
    if mine or (row is not None and row.name in _REACHED and turn.subject is None):
        return me(turn), word
    about = turn.subject
    if about is None or (about.person and word in _OF_MATTERS):
        return Who("general", "", person=False), word
    return about, word


_OF_MATTERS = frozenset({"goal", "aim", "purpose", "objective", "mission", "target", "idea"})
"""What "the goal is" tells of: what is being done, not somebody who was named before."""
_WORLD = frozenset(
    {
        "capital", "population", "currency", "president", "prime minister", "king", "queen", "author", "inventor", "founder", "director", "composer",
        "largest city", "highest mountain", "longest river", "chemical symbol", "official language", "flag", "area", "boiling point", "atomic number",
    }
)  # fmt: skip
"""What an encyclopaedia says of something with a name."""
_REACHED = frozenset({"name", "phone", "email", "home", "birthday", "nickname", "wechat"})
"""What one gives of oneself without a "my": "the number is ..." in an answer."""
_NOT_ATTRIBUTES = frozenset(
    {
        "thing", "things", "one", "ones", "way", "point", "reason", "question", "problem", "day", "lot", "bit",
        "time", "first", "only", "best", "worst", "people", "life", "plan", "idea", "hope", "goal", "guess",
        "opinion",
    }
)  # fmt: skip


def _is_noun(word: str) -> bool:
    low = word.lower()
    if lookup(low) or low.startswith(("favorite ", "favourite ", "least favorite", "least favourite")):
        return True
    if low.split()[-1] in _NOT_ATTRIBUTES and not re.search(r"\S\s+(?:goal|time|plan|day)$", low):
        return False
    return not re.search(
        r"\b(?:that|which|is|are|was|were|be|been|being|am|has|have|had|do|does|did|will|would|should|could|can|may|might|must|to|and|or|i|you|we|they|it|really|just|not|never|also|who|how|what)\b",
        low,
    )
