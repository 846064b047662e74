"""Amounts that an English noun phrase gives: "my budget of $90", "a $90 budget", "reaches 84% precision"."""

from __future__ import annotations

import re
from dataclasses import replace

from memories.core.extraction.en import nouns as en_nouns
from memories.core.extraction.en.noun_words import MEASURES
from memories.core.extraction.en.nouns import NounPhrase
from memories.core.extraction.en.plurals import singular
from memories.core.extraction.en.spots import (
    ADVERB,
    HEDGE,
    STATES,
    Spot,
    mention,
    of_phrase,
    presupposed,
    unreal,
)
from memories.core.extraction.raw import Raw

_OF = re.compile(rf"\s(?:of|:|=)\s+{HEDGE}$", re.IGNORECASE)
_BEFORE_NOUN = re.compile(r"(?P<det>\b(?:my|our|his|her|its|their|the|an?)|\b[A-Z]\w+'s?)\s+(?:(?P<state>[a-z]+)\s+)?$", re.IGNORECASE)  # fmt: skip
_NOT_OF = frozenset(["out", "total", "because", "instead", "kind", "sort", "number", "couple", "lot", "bit", "one", "some", "all", "most", "none", "any", "each", "half", "part", "piece", "group", "set", "list", "pair", "team", "top", "version", "copy"])  # fmt: skip
_REACHES = re.compile(rf"\s{ADVERB}(?:has|have|reaches|hits|achieves|gets|shows|runs\s+at|is\s+at|sits\s+at|reached|hit|achieved)\s+{ADVERB}{HEDGE}$", re.IGNORECASE)  # fmt: skip
_HAS_A = re.compile(r"\s(?:has|have|got)\s+$", re.IGNORECASE)


def apposed(spot: Spot) -> Raw | None:
    """ "my (increased) budget of V", "a quota of V": presupposed with a possessive, else stated."""
    match = _OF.search(spot.left)
    if match is None:
        return None
    phrase = en_nouns.before(spot.left, match.start())
    if phrase is None or singular(phrase.heads[-1]) not in MEASURES or phrase.heads[-1] in _NOT_OF:
        return None
    state = any(word in STATES for word in phrase.heads)
    holder = _HAS_A.search(spot.left[: phrase.start]) if phrase.determiner in {"a", "an"} else None
    owner = en_nouns.before(spot.left, holder.start()) if holder else None
    if holder and owner is not None and spot.held and owner.definite and not unreal(spot, owner.start):
        phrase = replace(phrase, determiner="the", about=" ".join(owner.heads), preposition="of")
        return of_phrase(spot, phrase, "en.amount_has", update=state)
    if not presupposed(phrase, state) and (not spot.held or unreal(spot, phrase.start)):
        mention(spot, phrase)
        return None
    return of_phrase(spot, phrase, "en.amount_of", update=state)


def before_noun(spot: Spot) -> Raw | None:
    """ "my V annual budget", "a V joint budget for groceries"."""
    match = _BEFORE_NOUN.search(spot.left)
    phrase = en_nouns.after(spot.work, spot.end + 1) if spot.work[spot.end : spot.end + 1] == " " else None
    if phrase is None or singular(phrase.heads[-1]) not in MEASURES or spot.bare:
        return None
    reaches = _REACHES.search(spot.left) if match is None else None
    holder = en_nouns.before(spot.left, reaches.start()) if reaches else None
    if reaches and holder is not None and holder.definite and spot.held and not unreal(spot, holder.start):
        named = replace(phrase, determiner="the", about=" ".join(holder.heads), preposition="of")
        update = re.search(r"\bnow\b", reaches[0] + spot.work[spot.end :], re.IGNORECASE) is not None
        start = spot.start - len(spot.left) + holder.start
        return of_phrase(spot, replace(named, start=spot.end), "en.amount_noun", update=update, at=start)
    determiner = match["det"].lower() if match else ""
    state = bool(match and (match["state"] or "").lower() in STATES)
    if match and match["state"] and not state:
        return None
    owner = determiner if determiner.endswith(("'s", "'")) else ""
    start = len(spot.work[: spot.start]) - (len(spot.left) - match.start()) if match else spot.start
    phrase = NounPhrase(
        phrase.text, start, "" if owner else determiner, match["det"].rstrip("s").rstrip("'") if match and owner else "",
        phrase.heads, phrase.about, phrase.preposition,
    )  # fmt: skip
    presupposed = (
        determiner in {"my", "our", "his", "her", "their"} or bool(owner) or (state and determiner == "the")
    )
    if not presupposed and (not spot.held or match is None or unreal(spot, start)):
        mention(spot, phrase)
        return None
    return of_phrase(spot, phrase, "en.amount_noun", update=state, at=start)
