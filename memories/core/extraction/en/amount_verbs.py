"""Amounts that an English verb gives its subject: "the image weighs 2 GB", "I sleep 8 hours a night", "has 8 GB of RAM"."""

from __future__ import annotations

import re
from dataclasses import replace

from memories.core.extraction.en import nouns as en_nouns
from memories.core.extraction.en.measures import owned
from memories.core.extraction.en.nouns import NounPhrase
from memories.core.extraction.en.spots import (
    ADVERB,
    HEDGE,
    NO,
    SO_MUCH,
    Spot,
    raw_of,
    slot_of,
    unreal,
)
from memories.core.extraction.en.subjects import me
from memories.core.extraction.en.verbs import lemma
from memories.core.extraction.raw import Raw

_HAS = re.compile(rf"\s{ADVERB}(?:has|have|holds|uses|needs|comes\s+with)\s+{ADVERB}{HEDGE}$", re.IGNORECASE)  # fmt: skip
_STUFF = re.compile(
    r"\s+of\s+(?P<n>[A-Za-z]+)(?=\s+(?:now|currently|instead|left|in|on|for|per)\b|[\s.!]*$|[,;])"
)
_I_DO = re.compile(rf"(?:^|[,;]\s*|\b(?:days|now|lately|usually|that|and)\s+)(?P<who>I|we)\s+{ADVERB}(?:usually\s+|normally\s+)?(?P<verb>[a-z]{{2,}})\s+(?:for\s+)?{ADVERB}{HEDGE}$", re.IGNORECASE)  # fmt: skip
_A_PERIOD = re.compile(r"\s+(?:an?|per|each|every)\s+(?P<period>day|night|week|month|year|morning|evening|weekend)\b", re.IGNORECASE)  # fmt: skip
_DOES = re.compile(
    rf"\s{ADVERB}(?P<verb>[a-z]{{2,}}s)\s+(?:(?:up|in|out)\s+)?{ADVERB}{HEDGE}$", re.IGNORECASE
)
_OF_A_KIND = frozenset(["average", "typical", "usual", "normal", "standard", "common", "adult"])
_NO_AMOUNT = frozenset(["is", "was", "has", "does", "says", "wants", "needs", "gets", "goes", "thinks", "offers", "asks", "owes", "gives", "makes", "wins", "loses", "sends", "earns"])  # fmt: skip
"""Verbs whose amount is no measure of their subject."""
_NOUN_OF = {"weigh": "weight", "cost": "price", "last": "duration", "take": "duration", "measure": "size", "average": "average"}  # fmt: skip


def does(spot: Spot) -> Raw | None:
    """ "The image weighs 2 GB", "the endpoint averages 300ms": how much, by the verb."""
    habit = _I_DO.search(spot.left)
    often = _A_PERIOD.match(spot.work, spot.end) if habit else None
    if spot.held and habit and often and not spot.bare:
        name = f"{habit['verb'].lower()}_a_{often['period'].lower()}"
        if lemma(habit["verb"]) in {
            "have",
            "pay",
            "spend",
            "earn",
            "make",
            "get",
            "need",
            "want",
        } or NO.search(spot.left):
            return None
        update = re.search(r"\b(?:now|lately|these days|nowadays)\b", spot.work, re.IGNORECASE) is not None
        start = spot.start - len(spot.left) + habit.start("who")
        return raw_of(spot, me(spot.turn), name, "en.amount_does", start, update=update)
    match = _DOES.search(spot.left)
    if not spot.held or match is None or spot.bare:
        return None
    verb = match["verb"].lower()
    phrase = en_nouns.before(spot.left, match.start())
    if verb in _NO_AMOUNT or phrase is None or phrase.preposition or unreal(spot, phrase.start):
        return None
    if not phrase.definite and (phrase.start or not _is_named(phrase)):
        return None
    if phrase.heads[0] in _OF_A_KIND and not (phrase.mine or phrase.owner):
        return None  # "the average cat sleeps 15 hours a day"
    if NO.search(spot.left[: phrase.start] + " ") or SO_MUCH.fullmatch(spot.work, spot.end) is None:
        return None
    base = verb[:-1]
    noun = _NOUN_OF.get(base, base)
    found = owned(replace(phrase, heads=(*phrase.heads, noun), text=f"{phrase.text} {noun}"), spot.turn)
    if found is None:
        return None
    update = re.search(r"\bnow\b", match[0] + spot.work[spot.end :], re.IGNORECASE) is not None
    return raw_of(spot, *found, "en.amount_does", spot.start - len(spot.left) + phrase.start, update=update)


def _is_named(phrase: NounPhrase) -> bool:
    """Whether a phrase that opens the clause with a capital is a name: no common noun by itself ("Light travels ...")."""
    words = phrase.text.split()
    if phrase.determiner or not words[0][:1].isupper():
        return False
    return any(word[:1].isupper() for word in words[1:]) or re.search(r"[A-Z\d]", words[0][1:]) is not None


def of_stuff(spot: Spot) -> Raw | None:
    """ "The server has 8 GB of RAM": how much of something a thing has."""
    match = _STUFF.match(spot.work, spot.end)
    has = _HAS.search(spot.left) if match else None
    holder = en_nouns.before(spot.left, has.start()) if has else None
    if match is None or has is None or holder is None or not holder.definite or not spot.held:
        return None
    if spot.bare or unreal(spot, holder.start):
        return None
    phrase = replace(holder, determiner="the", heads=(match["n"].lower(),), about=" ".join(holder.heads), preposition="of")  # fmt: skip
    update = re.search(r"\bnow\b", has[0] + spot.work[spot.end :], re.IGNORECASE) is not None
    slot = slot_of(spot, phrase)
    start = spot.start - len(spot.left) + holder.start
    return raw_of(spot, *slot, "en.amount_has", start, update=update, end=match.end()) if slot else None
