"""Changes that English tells in other words than "X is V": from A to B, replaced A with B, agreed on V for A, it's still V."""

from __future__ import annotations

import re

from memories.core.extraction.attributes import lookup
from memories.core.extraction.en import nouns as en_nouns
from memories.core.extraction.en.dates import TIME
from memories.core.extraction.en.measures import owned
from memories.core.extraction.en.noun_words import MEASURES
from memories.core.extraction.en.nouns import NounPhrase
from memories.core.extraction.en.rules import clean_value
from memories.core.extraction.en.spots import FOUND
from memories.core.extraction.en.subjects import possessive, subject
from memories.core.extraction.en.verbs import is_past, lemma
from memories.core.extraction.raw import Raw, Turn, Who
from memories.core.kinds import Kind
from memories.core.values.sorts import Sort, same_sort, sort_of

_ADVERB = r"(?:(?:have|has|had|just|now|recently|finally|also|officially|all|both|since|[a-z]+ly)\s+)*"
_SWITCHED = re.compile(rf"{_ADVERB}(?:switched|moved over|migrated|converted|changed|swapped|upgraded|downgraded|transitioned|moved(?=\s+(?:everything|it\s+all|all|our|my|the)\b)|transferred|ported)\s+(?:over\s+|everything\s+|it\s+all\s+|(?:all\s+)?(?:my|our|the)\s+(?:\w+\s+){1,2})?(?:over\s+)?from\s+(?P<old>.{{2,40}}?)\s+to\s+(?P<v>.{{2,40}})", re.IGNORECASE)  # fmt: skip
_REPLACED = re.compile(rf"{_ADVERB}(?P<verb>[a-z]+)\s+(?:out\s+)?(?P<old>.{{2,40}}?)\s+(?:out\s+|in\s+|up\s+)?(?P<link>with|for|in favou?r of)\s+(?P<v>.{{2,40}})", re.IGNORECASE)  # fmt: skip
_EXCHANGES = frozenset({"replace", "swap", "exchange", "substitute", "switch"})
_LEAVES = frozenset({"trade", "ditch", "drop", "dump", "abandon", "scrap", "retire", "give", "leave"})
"""Verbs that give one thing up for another where both are named: "dropped the ball for lunch" is none."""
_PROPER = re.compile(
    r"(?:(?:an?|the|my|our|his|her)\s+)?(?:old\s+|new\s+)?(?:[A-Z][\w.+&'-]*|\d\w*)(?:\s(?:[A-Z]|\d)[\w.+&'-]*){0,4}"
)
_WHEN = re.compile(
    rf"\s+(?:(?:on|in|at|since|from|by|around|about)\s+)?(?:{TIME}|(?:last|this|next)\s+\w+|yesterday|today|recently|(?:19|20)\d\d|(?:an?|two|three|\d+|a\s+few|some)\s+\w+\s+ago)$",
    re.IGNORECASE,
)
_SET = re.compile(
    rf"{_ADVERB}(?P<verb>[a-z]+)\s+(?P<np>(?:my|our|the|his|her|their|its|[A-Z][\w-]*['’]s?)\s+.{{2,50}}?)\s+(?:(?:over|up|down|back)\s+)?(?:from\s+(?P<old>.{{1,40}}?)\s+)?to\s+(?P<v>.{{1,50}})",
)
_SETS = frozenset({"change", "switch", "update", "rename", "swap", "set", "upgrade", "move", "migrate", "reassign", "convert", "alter", "revise", "amend", "correct"})  # fmt: skip
_FROM_TO = re.compile(r"(?P<np>.{3,60}?)\s+(?:(?:has|have|had|was|were|is|got|been|just|now|recently|finally|[a-z]+ly)\s+)*(?P<verb>[a-z]+)\s+(?:over\s+|back\s+)?from\s+(?P<old>.{1,40}?)\s+(?:to|into)\s+(?P<v>.{1,50})")  # fmt: skip
_BECAME = re.compile(
    r"(?P<np>.{3,60}?)\s+(?:(?:has|have|just|now|recently|officially|finally)\s+)*(?:became|become|turned into|turned to|reads|now reads|came to be)\s+(?:now\s+)?(?P<v>.{1,50})"
)
_AGREED = re.compile(
    rf"(?:we|i|they|everyone|the team)\s+{_ADVERB}(?:agreed|settled|decided|landed|compromised|gone|went)\s+(?:on|upon|with|for)\s+(?P<v>.{{1,40}}?)\s+(?:for|as)\s+(?P<np>(?:the|our|my|its|their)\s+.{{2,50}})",
    re.IGNORECASE,
)
_UNCHANGED = re.compile(r"(?P<np>.{3,60}?)\s+(?:(?:has|have)\s+(?:not|never)\s+(?:been\s+)?[a-z]+(?:ed|en|t|ng)\b(?:\s+(?:at all|yet|since|either))*|(?:is|are|stays|remains)\s+(?:still\s+)?(?:the same|unchanged)|(?:has|have|was|were|got)\s+(?:just\s+|now\s+)?(?:been\s+)?(?:changed|updated|corrected))(?:\s+.{0,20})?", re.IGNORECASE)  # fmt: skip
_IT_IS = re.compile(
    r"(?:(?:i|we)\s+(?:meant|mean|should have said)(?:\s+to\s+say)?[,:]?\s+)?(?:(?:it|that|this)\s+(?:is|was|should\s+(?:be|have\s+been)|stands\s+at|remains|stays)|make\s+(?:that|it)|i\s+meant(?:\s+to\s+say)?)\s+(?:still\s+|actually\s+|really\s+|now\s+|supposed\s+to\s+be\s+|at\s+|on\s+|in\s+)*(?P<v>.{1,50}?)(?:,?\s+not\s+(?P<old>.{1,40}))?",
    re.IGNORECASE,
)
_NAMED = re.compile(r"[A-Z0-9$€£¥\"“]|[a-z][\w.-]*\d|(?:an?|the)\s")


def read(text: str, work: str, turn: Turn) -> list[Raw]:
    """The change or restatement of the clause, or []; "X hasn't changed" alone says what "it" will mean."""
    raw = (
        _pronoun(text, work, turn)
        or _agreed(text, work, turn)
        or _by_subject(text, work, turn)
        or _of_thing(text, work, turn)
    )
    if raw is not None:
        return [raw]
    unchanged = _UNCHANGED.fullmatch(work)
    if unchanged and (slot := _slot(unchanged["np"], turn)):
        turn.slot = (*slot, "")
    return []


def _pronoun(text: str, work: str, turn: Turn) -> Raw | None:
    """ "It's V (, not W)" after an attribute was named: the same attribute's value."""
    match = _IT_IS.fullmatch(work)
    if match is None or turn.slot is None:
        return None
    who, attribute, before = turn.slot
    value = clean_value(match["v"])
    if value is None or sort_of(value) is Sort.WORDS or not _fits(value, before):
        return None
    old = clean_value(match["old"]) if match["old"] else None
    meant = re.search(r"\b(?:meant|mean|should)\b|^make\b", work, re.IGNORECASE) is not None
    still = re.search(r"\b(?:still|remains|stays)\b", work, re.IGNORECASE) is not None
    turn.slot = (who, attribute, value)
    stated = f"{possessive(who)} {attribute.replace('_', ' ')} is {value}".strip()
    changed = re.search(r"\bnow\b", work) is not None and not still
    return Raw(
        who,
        attribute,
        value,
        "en.it_is",
        _kind(attribute),
        stated,
        update=changed,
        correction=meant or old is not None,
        replaces=old or (before if meant and before else None),
    )


def _agreed(text: str, work: str, turn: Turn) -> Raw | None:
    match = _AGREED.fullmatch(work)
    if match is None:
        return None
    value, phrase = clean_value(match["v"]), _phrase(match["np"])
    if value is None or phrase is None or not (_NAMED.match(value) or re.match(TIME, value, re.IGNORECASE)):
        return None
    if re.match(TIME, value, re.IGNORECASE) and not any(lookup(word) for word in phrase.heads):
        name = " ".join(phrase.heads)
        return Raw(Who(name, name, person=False), "time", value, "en.agreed", None, text, update=True)
    slot = _slot(match["np"], turn)
    return Raw(*slot, value, "en.agreed", _kind(slot[1]), text, update=True) if slot else None


def _by_subject(text: str, work: str, turn: Turn) -> Raw | None:
    """ "I switched from A to B", "we replaced A with B", "she renamed the X to B"."""
    found = subject(work, turn)
    if found is None or found[0].key == turn.listener:
        return None
    who, rest = found
    set_to = _SET.fullmatch(rest)
    if set_to and is_past(set_to["verb"]):
        slot, value = _slot(set_to["np"], turn), _value(set_to["v"])
        if value and re.match(TIME, value, re.IGNORECASE) and (slot is None or not _measures(slot[1])):
            return None
        if slot and value and _sets(set_to["verb"], slot[1], value, named_old=set_to["old"] is not None):
            old = clean_value(set_to["old"]) if set_to["old"] else None
            return Raw(*slot, value, "en.set", _kind(slot[1]), text, update=True, replaces=old)
        return None
    switched = _SWITCHED.fullmatch(rest)
    match = switched or _REPLACED.fullmatch(rest)
    if match is None:
        return None
    old, value = clean_value(match["old"]), _value(match["v"])
    if old is None or value is None or re.match(r"(?:it|them|that|this)\b", old, re.IGNORECASE):
        return None
    if switched is None and not _exchanges(match["verb"], old, match["link"].lower(), value):
        return None
    turn.mention(who)
    return Raw(who, "uses", value, "en.switched", None, text, update=True, replaces=_bare(old))


def _value(words: str) -> str | None:
    """The value without the time at which it changed."""
    value = clean_value(words)
    return (
        clean_value(_WHEN.sub("", value)) if value and not re.fullmatch(TIME, value, re.IGNORECASE) else value
    )


def _measures(attribute: str) -> bool:
    return lookup(attribute) is not None or attribute.rpartition("_")[2] in MEASURES


def _sets(verb: str, attribute: str, value: str, *, named_old: bool) -> bool:
    """Whether the verb gives the attribute a value: a verb of change, or any with "re-", or any past before a measure or a code."""
    base = lemma(verb)
    if base == "move" and re.match(r"(?:an?|the|my|our)\s", value) and not named_old:
        return False  # "moved my desk to the kitchen" tells where it is
    if base in _SETS or (base.startswith("re") and len(base) > 4 and re.search(r"\d", value)):
        return named_old or _NAMED.match(value) is not None
    # What is an amount is read as one, with what stands around it.
    return (
        attribute.rpartition("_")[2] in MEASURES
        and re.match(r"\S*\d", value) is not None
        and FOUND.match(value) is None
    )


def _exchanges(verb: str, old: str, link: str, value: str) -> bool:
    """Whether "<verb> A for B" puts B in A's place: both are named, or the verb says so of anything."""
    base = lemma(verb)
    if base not in _EXCHANGES | _LEAVES or (link == "with" and base not in _EXCHANGES) or not is_past(verb):
        return False
    if _PROPER.fullmatch(old) and _PROPER.fullmatch(value) and not re.match(TIME, value, re.IGNORECASE):
        return True
    plain = not re.search(r"\s(?:with|from|to|in|on|at|by|about|and)\s", f" {old} ") and len(old.split()) <= 4
    return (
        base in _EXCHANGES
        and plain
        and not re.match(
            rf"{TIME}|(?:\w+\s)?(?:hours?|days?|weeks?|months?|years?|lunch|dinner|now|good)\b",
            value,
            re.IGNORECASE,
        )
    )


def _of_thing(text: str, work: str, turn: Turn) -> Raw | None:
    """ "X's A flipped from U to V", with any verb in a past form; "X's A became V"."""
    match = _FROM_TO.fullmatch(work) or _BECAME.fullmatch(work)
    if match is None:
        return None
    groups = match.groupdict()
    verb = groups.get("verb")
    if verb and not is_past(verb):
        return None
    slot, value = _slot(match["np"], turn), clean_value(match["v"])
    if (
        value is not None
        and re.match(TIME, value, re.IGNORECASE)
        and (slot is None or lookup(slot[1]) is None)
    ):
        return None  # a date of a thing, not a thing that is a date
    old = clean_value(groups["old"]) if groups.get("old") else None
    if slot is None or value is None or not _NAMED.match(value) or (verb and not _fits(value, old or "")):
        return None
    turn.mention(slot[0])
    return Raw(
        *slot, value, "en.from_to" if verb else "en.became", _kind(slot[1]), text, update=True, replaces=old
    )


def _phrase(words: str) -> NounPhrase | None:
    found = en_nouns.before(words, len(words))
    return found if found is not None and found.start == 0 else None


def _slot(words: str, turn: Turn) -> tuple[Who, str] | None:
    """Whose and which attribute the phrase names; None when it is none, or whose it is cannot be told."""
    phrase = _phrase(words.strip())
    if phrase is None or not (
        phrase.determiner or phrase.owner or phrase.heads[0][:1].isupper() or words[:1].isupper()
    ):
        return None
    if phrase.determiner in {"this", "that"}:
        return None
    return owned(phrase, turn)


def _kind(attribute: str) -> Kind | None:
    row = lookup(attribute)
    return row.kind if row else None


def _bare(value: str) -> str:
    return re.sub(r"^(?:an?|the|my|our)\s+", "", value, flags=re.IGNORECASE)


def _fits(value: str, before: str) -> bool:
    """Whether the value may stand in the place of the one before; anything does in the place of nothing."""
    return not before or same_sort(value, before)
