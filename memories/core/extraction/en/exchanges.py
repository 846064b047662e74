"""One thing in another's place, told of by who did it: "I switched from A to B", "we traded A for B", "she renamed the X to B"."""

from __future__ import annotations

import re

from memories.core.extraction.attributes import canonical_attribute, lookup
from memories.core.extraction.en.dates import TIME
from memories.core.extraction.en.measures import kind_named, slot_named
from memories.core.extraction.en.noun_words import MEASURES
from memories.core.extraction.en.parting import (
    ADVERB,
    PROPER,
    TAKE,
    is_thing,
    parts_with,
    taken_as,
    value_of,
    without_article,
)
from memories.core.extraction.en.rules import clean_value
from memories.core.extraction.en.spots import FOUND
from memories.core.extraction.en.subjects import subject
from memories.core.extraction.en.verbs import is_past, lemma
from memories.core.extraction.raw import UNSAID, Raw, Turn
from memories.core.text.stopwords import word_set

NAMED = re.compile(r"[A-Z0-9$€£¥\"“]|[a-z][\w.-]*\d|(?:an?|the)\s")
_SWITCHED = re.compile(rf"{ADVERB}(?:switched|moved over|migrated|converted|changed|swapped|upgraded|downgraded|transitioned|moved(?=\s+(?:everything|it\s+all|all|our|my|the)\b)|transferred|ported)\s+(?:over\s+|everything\s+|it\s+all\s+|(?:all\s+)?(?:my|our|the)\s+(?:\w+\s+){1,2})?(?:over\s+)?from\s+(?P<old>.{{2,40}}?)\s+to\s+(?P<v>.{{2,40}})", re.IGNORECASE)  # fmt: skip
_REPLACED = re.compile(rf"{ADVERB}(?P<verb>[a-z]+(?:\s+up)?)\s+(?:out\s+)?(?P<old>.{{2,40}}?)\s+(?:out\s+|in\s+|up\s+)?(?P<link>with|for|in favou?r of)\s+(?P<v>.{{2,40}})", re.IGNORECASE)  # fmt: skip
_SOLD = re.compile(
    rf"{ADVERB}(?P<part>[a-z]+(?:\s+(?:rid\s+of|up\s+on|up\s+with|out\s+of|off\s+of|off|out|away|in))?)\s+(?P<old>.{{2,40}}?)\s+(?:and|then|but)\s+(?:(?:then|have|has|just|now|instead|also|am|is)\s+)*"
    r"(?P<take>"
    + TAKE
    + r"|replaced\s+(?:it|them|him|her)\s+(?:with|by)|took|added|(?:am\s+)?(?:using|learning|seeing))\s+(?P<v>.{2,40})",
    re.IGNORECASE,
)
_WENT_WITH = re.compile(
    rf"{ADVERB}(?:(?:ended\s+up\s+)?(?:going|went|gone|go|settled|settling|chose|choosing|picked|picking|opted|opting|adopted|took|using))\s+(?:(?:with|for|on)\s+)?(?P<v>.{{2,40}}?)\s+(?:instead\s+of|over|rather\s+than|in\s+place\s+of)\s+(?P<old>.{{2,40}}?)(?:\s+(?:for|as|in|on)\s+(?:the|our|my)\s+.{{2,40}})?",
    re.IGNORECASE,
)
_OFF = re.compile(
    rf"{ADVERB}(?P<verb>moved|migrated|switched|transitioned|shifted)\s+(?P<all>everything\s+|it\s+all\s+|(?:the|our|my)\s+(?:\w+\s+){{1,2}})?(?P<off>off(?:\s+of)?|away\s+from)\s+(?P<old>.{{2,40}}?)\s+(?:(?:and\s+)?(?:on)?to|and\s+(?:now\s+)?(?:(?:everything|it\s+all|it|all\s+of\s+it|we|things)\s+)?(?:now\s+)?(?:(?:runs?|is|are|use|host|deploy)\s+(?:now\s+)?(?:on|with)?|lives?\s+on))\s+(?P<v>.{{2,40}})",
    re.IGNORECASE,
)
_NEW_ONE = re.compile(
    rf"{ADVERB}(?:(?:have|has|got|found|hired|picked|chose|seen|seeing|see)\s+)(?:myself\s+|a\s+)?(?:an?\s+)?(?:brand[- ])?new\s+(?P<a>(?!one\b)[a-z]+(?:\s[a-z]+){{0,2}}?)(?:\s*[,:–—-]\s*|\s+(?:called|named)\s+)(?:(?:it|he|she)\s+is\s+|called\s+|named\s+)?(?P<v>(?:(?:Mr|Mrs|Ms|Dr)\.?\s+)?[A-Z][\w'’.&-]*(?:\s[A-Z][\w'’.&-]*){{0,3}})",
)
_EXCHANGES = frozenset({"replace", "swap", "exchange", "substitute", "switch"})
_LEAVES = frozenset({"trade", "ditch", "drop", "dump", "abandon", "scrap", "retire", "leave"})
"""Verbs that give one thing up for another where both are named: "dropped the ball for lunch" is none."""
_SET = re.compile(
    rf"{ADVERB}(?P<verb>[a-z]+)\s+(?P<np>(?:my|our|the|his|her|their|its|[A-Z][\w-]*['’]s?)\s+.{{2,50}}?)\s+(?:(?:over|up|down|back)\s+)?(?:from\s+(?P<old>.{{1,40}}?)\s+)?to\s+(?P<v>.{{1,50}})",
)
_SET_BARE = re.compile(
    rf"{ADVERB}(?:changed|switched|swapped)\s+(?P<np>[a-z]+(?:\s[a-z]+){{0,2}})\s+(?:over\s+)?(?:from\s+(?P<old>.{{1,40}}?)\s+)?to\s+(?P<v>.{{1,50}})"
)
_SETS = word_set(
    "change switch update rename swap set upgrade move migrate reassign convert alter revise amend correct bump port pin downgrade transition"
)


def read(text: str, work: str, turn: Turn) -> Raw | None:
    """ "I switched from A to B", "we replaced A with B", "she renamed the X to B"."""
    found = subject(work, turn)
    if found is None or found[0].key == turn.listener:
        return None
    who, rest = found
    set_to = _SET.fullmatch(rest)
    bare = _SET_BARE.fullmatch(rest)
    if (
        bare
        and (slot := slot_named(f"my {bare['np']}", turn)) is not None
        and _known(slot[1])
        and (value := value_of(bare["v"])) is not None
    ):
        old = clean_value(bare["old"]) if bare["old"] else None
        return (
            Raw(*slot, value, "en.set", kind_named(slot[1]), text, update=True, replaces=old)
            if NAMED.match(value)
            else None
        )
    if set_to and is_past(set_to["verb"]):
        slot, value = slot_named(set_to["np"], turn), value_of(set_to["v"])
        if value and re.match(TIME, value, re.IGNORECASE) and (slot is None or not _measures(slot[1])):
            return None
        if slot and value and _sets(set_to["verb"], slot[1], value, named_old=set_to["old"] is not None):
            old = clean_value(set_to["old"]) if set_to["old"] else None
            return Raw(*slot, value, "en.set", kind_named(slot[1]), text, update=True, replaces=old)
        return None
    fresh = _NEW_ONE.fullmatch(rest)
    if fresh and (value := value_of(fresh["v"])) is not None:
        turn.mention(who)
        return Raw(
            who,
            canonical_attribute(fresh["a"]),
            value,
            "en.new_one",
            kind_named(canonical_attribute(fresh["a"])),
            text,
            update=True,
        )
    switched = _SWITCHED.fullmatch(rest) or _OFF.fullmatch(rest) or _WENT_WITH.fullmatch(rest)
    match = switched or _SOLD.fullmatch(rest) or _REPLACED.fullmatch(rest)
    if match is None:
        return None
    if match.re is _SOLD and not parts_with(match["part"]):
        return None
    old, value = clean_value(match["old"]), value_of(match["v"])
    if old is None or value is None or re.match(r"(?:it|them|that|this)\b", old, re.IGNORECASE):
        return None
    if switched is None and "link" not in match.groupdict():
        if not (PROPER.fullmatch(old) and PROPER.fullmatch(value)):
            return None
        taken = re.sub(r"^(?:an?|the)\s+(?:new\s+)?", "", value)
        attribute = taken_as(match["take"])
        if attribute == "possession" and not is_thing(match["take"], value):
            return None
        turn.mention(who)
        return Raw(
            who, attribute, taken, "en.switched", None, text, update=True, replaces=without_article(old)
        )
    elif (
        switched is not None
        and switched.re is not _SWITCHED
        and not (PROPER.fullmatch(old) and PROPER.fullmatch(value))
    ) or (switched is None and not _exchanges(match["verb"], old, match["link"].lower(), value)):
        return None
    turn.mention(who)
    if _says_not_what(match):
        return Raw(
            who, UNSAID, value, "en.left_for", None, text, update=True, replaces=without_article(old), open=True
        )  # fmt: skip
    return Raw(who, "uses", value, "en.switched", None, text, update=True, replaces=without_article(old))


def _says_not_what(match: re.Match[str]) -> bool:
    """Whether the verb does not tell a tool from a town, an employer or somebody: "left A for B", "moved away from A to B"."""
    groups = match.groupdict()
    if match.re is _OFF:
        return groups["verb"].lower() == "moved" and not groups["all"] and not groups["off"].startswith("off")
    return match.re is _REPLACED and lemma(groups["verb"]) == "leave"


def _known(attribute: str) -> bool:
    return lookup(attribute) is not None or any(
        lookup(part) is not None for part in attribute.split("_")[-1:]
    )


def _measures(attribute: str) -> bool:
    return lookup(attribute) is not None or attribute.rpartition("_")[2] in MEASURES


def _sets(verb: str, attribute: str, value: str, *, named_old: bool) -> bool:
    """Whether the verb gives the attribute a value: a verb of change, or any with "re-", or any past before a measure or a code."""
    base = lemma(verb)
    if base == "move" and re.match(r"(?:an?|the|my|our)\s", value) and not named_old:
        return False  # "moved my desk to the kitchen" tells where it is
    if base in _SETS or (base.startswith("re") and len(base) > 4 and re.search(r"\d", value)):
        return named_old or NAMED.match(value) is not None
    # What is an amount is read as one, with what stands around it.
    return (
        attribute.rpartition("_")[2] in MEASURES
        and re.match(r"\S*\d", value) is not None
        and FOUND.match(value) is None
    )


def _exchanges(verb: str, old: str, link: str, value: str) -> bool:
    """Whether "<verb> A for B" puts B in A's place: both are named, or the verb says so of anything."""
    up = verb.endswith(" up")
    verb = verb.split()[0]
    base = lemma(verb)
    if up != (base == "give") and not (up and base in _EXCHANGES):
        return False
    if (
        base not in _EXCHANGES | _LEAVES | {"give"}
        or (link == "with" and base not in _EXCHANGES)
        or not is_past(verb)
    ):
        return False
    if PROPER.fullmatch(old) and PROPER.fullmatch(value) and not re.match(TIME, value, re.IGNORECASE):
        return True
    plain = (
        not re.search(r"\s(?:with|from|for|to|in|on|at|by|about|and)\s", f" {old} {value} ")
        and len(old.split()) <= 4
    )
    if link == "with" and base != "replace" and PROPER.fullmatch(value):
        return False  # "swapped seats with Ann"
    return (
        base in _EXCHANGES
        and plain
        and not re.match(
            rf"{TIME}|(?:\w+\s)?(?:weekends?|while|moment|evening|night|hours?|days?|weeks?|months?|years?|lunch|dinner|now|good)\b",
            value,
            re.IGNORECASE,
        )
    )
