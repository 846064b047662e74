"""Amounts that an English clause states of something, wherever they stand in it: "... the water level, which has sunk to 3 m".

Grammar, not phrases: an amount is found first, then what stands before and after it says of what it is the value, whether
that holds (a finite or perfect verb, a possessive) and what it was before ("from 65%").
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from memories.core.extraction.en import nouns as en_nouns
from memories.core.extraction.en.amount_nouns import apposed, before_noun
from memories.core.extraction.en.amount_verbs import does, of_stuff
from memories.core.extraction.en.counts import counted
from memories.core.extraction.en.noun_words import MEASURES
from memories.core.extraction.en.nouns import NounPhrase
from memories.core.extraction.en.plurals import singular
from memories.core.extraction.en.spots import (
    ADV,
    ADVERB,
    AMOUNT,
    DIGITS,
    HEDGE,
    NO,
    SO_MUCH,
    Spot,
    finite,
    mention,
    of_phrase,
    opens,
    raw_of,
    slot_of,
    spots,
    unreal,
)
from memories.core.extraction.en.verbs import is_past, lemma
from memories.core.extraction.raw import Raw, Turn
from memories.core.values.sorts import same_unit

_PARTICLE = r"(?:(?:up|down|back|forward|out|over|all the way)\s+)*"
_FROM = rf"(?:from\s+(?P<old>{AMOUNT})(?:\s+[a-z]+){{0,2}}?\s+)?"
_CHANGED = re.compile(rf"\s(?P<aux>(?:(?:has|have|had|is|was|are|were|been|got|gets|will be|{ADV})\s+)*)(?P<verb>[a-z]+)\s+{_PARTICLE}{_FROM}(?:to|at)\s+{HEDGE}$", re.IGNORECASE)  # fmt: skip
_STANDS = re.compile(
    rf"(?:\s(?P<aux>(?:(?:has|have|is|are|{ADV})\s+)*)(?P<verb>reached|hit|totals|totalled|totaled|equals|averages|averaged|became|costs|is|are|'s|[a-z]+(?=\s+(?:{ADVERB})(?:in\s+|out\s+)?at\s))\s+{ADVERB}(?:(?:in\s+|out\s+)?at\s+|up to\s+|down to\s+|back to\s+)?{HEDGE}|,?\s+(?:now|currently)\s+(?:at\s+)?{HEDGE})$",
    re.IGNORECASE,
)
_TRANSITIVE = re.compile(rf"\s{_PARTICLE}{_FROM}(?:to|at)\s+{HEDGE}$", re.IGNORECASE)
_REL = re.compile(r",?\s*(?:which|that|and it|and)$", re.IGNORECASE)
_FUTURE = re.compile(r"\b(?:starting|effective|beginning|from|as of|since|next|on|in|by)\b", re.IGNORECASE)


def read(work: str, turn: Turn, *, held: bool, whole: str = "") -> list[Raw]:
    """The facts of amounts in a clause with its contractions written out; with `held` False only what it presupposes.

    `whole` is the clause as said, where it may be kept whole.
    """
    found: list[Raw] = []
    for spot in spots(work, turn, held=held, whole=whole):
        for frame in _FRAMES:
            raw = frame(spot)
            if raw is not None:
                found.append(raw)
                break
    return found


def _changed(spot: Spot) -> Raw | None:
    """ "<NP> (which has) rose/was raised/improved (from U) to V", with any verb in a past form."""
    match = _CHANGED.search(spot.left)
    if not spot.held or match is None:
        return None
    aux = match["aux"].lower()
    if re.search(r"\b(?:is|are)\s+$", aux) and match["verb"].lower().endswith("ing"):
        return (
            _about(spot, match.start(), "en.amount_changed", old=match["old"], update=True)
            if match["verb"].lower() == "going" or _FUTURE.search(spot.work[spot.end :])
            else None
        )
    if not is_past(match["verb"]):
        return None
    if "will be" in aux and not _FUTURE.search(spot.work[spot.end :]):
        return None
    return _about(spot, match.start(), "en.amount_changed", old=match["old"], update=True)


def _stands(spot: Spot) -> Raw | None:
    """ "<NP> is (now) at V", "<NP> has reached V"; "I've reached V" of what the turn has just spoken about."""
    match = _STANDS.search(spot.left)
    if not spot.held or match is None:
        return None
    verb = (match["verb"] or "").lower()
    mentioned = spot.turn.slot
    me_reached = re.search(r"\b(?:I|we)$", spot.left[: match.start()])
    if (
        me_reached
        and verb in {"reached", "hit", "is", "are"}
        and mentioned
        and same_unit(mentioned[2], spot.value)
    ):
        return raw_of(
            spot,
            mentioned[0],
            mentioned[1],
            "en.amount_reached",
            spot.left.rfind(" ", 0, match.start()) + 1,
            update=True,
        )
    changing = (
        verb in {"reached", "hit", "became"}
        or re.search(r"\bnow\b|\b(?:up|down|back)\s+to\b", match[0], re.IGNORECASE) is not None
    )
    return _about(spot, match.start(), "en.amount_is", update=changing)


def _set(spot: Spot) -> Raw | None:
    """ "I/we/Ana (have) raised <NP> (from U) to V"."""
    match = _TRANSITIVE.search(spot.left)
    if not spot.held or match is None:
        return None
    phrase = en_nouns.before(spot.left, match.start())
    if phrase is None:
        return None
    verb = re.search(
        r"(?P<before>\S+)?\s+(?P<verb>[a-z]+)\s+(?:up\s+|down\s+|back\s+)?$", " " + spot.left[: phrase.start]
    )
    if verb is None or not is_past(verb["verb"]) or lemma(verb["verb"]) in {"get", "have"}:
        return None
    if not finite(verb["before"] or ""):
        return None
    if (
        spot.bare
        and singular(phrase.heads[-1]) not in MEASURES
        and re.match(r"\s+[a-z]+s\b", spot.work[spot.end :])
    ):
        return None  # "I brought my dog to 5 shows"
    return of_phrase(spot, phrase, "en.amount_set", old=match["old"], update=True)


def _about(spot: Spot, end: int, rule: str, *, old: str | None = None, update: bool = False) -> Raw | None:
    """The value of the noun phrase that ends there, or of what the turn spoke about where a pronoun stands."""
    left = spot.left
    relative = _REL.search(left[:end])
    if relative:
        end = relative.start()
    if re.search(r"(?:^|\s|,)(?:it|that|this)$", left[:end], re.IGNORECASE):
        mentioned = spot.turn.slot
        if mentioned is None or not same_unit(mentioned[2], spot.value):
            return None
        return raw_of(
            spot,
            mentioned[0],
            mentioned[1],
            rule,
            spot.start - len(left) + max(0, left.rfind(" ", 0, end) + 1),
            old=old,
            update=update,
            pronoun=True,
        )
    phrase = en_nouns.before(left, end)
    if phrase is None or NO.search(left[: phrase.start] + " "):
        return None
    if singular(phrase.heads[-1]) not in MEASURES and (counted := _counted_noun(spot)):
        heads = (*phrase.heads, counted, "count")
        thing = replace(phrase, heads=heads)
        slot = slot_of(spot, thing)
        number = re.match(DIGITS, spot.value, re.IGNORECASE)
        if slot is None or number is None or not phrase.definite:
            return None
        start = spot.start - len(left) + phrase.start
        return raw_of(spot, slot[0], slot[1], rule, start, value=number[0], old=old, update=update)
    if (
        rule == "en.amount_is"
        and singular(phrase.heads[-1]) not in MEASURES
        and not _equals(spot, left[:end], phrase)
    ):
        return None
    if not phrase.determiner and not phrase.owner and not opens(left, phrase.start):
        return None
    if not phrase.definite and unreal(spot, phrase.start):
        mention(spot, phrase)
        return None
    return of_phrase(spot, phrase, rule, old=old, update=update)


def _equals(spot: Spot, left: str, phrase: NounPhrase) -> bool:
    """Whether the clause says no more than that the thing is so much, of a unit: what it is, is an amount then."""
    united = not spot.bare
    return (
        united
        and (phrase.definite or not left[: phrase.start].strip())
        and SO_MUCH.fullmatch(spot.work, spot.end) is not None
        and re.fullmatch(r"\s(?:is|are)\s.*|\s.*\bat\s.*", spot.left[len(left) :]) is not None
    )


_FRAMES: tuple[Callable[[Spot], Raw | None], ...] = (
    _set,
    _changed,
    _stands,
    apposed,
    before_noun,
    does,
    of_stuff,
    counted,
)


def _counted_noun(spot: Spot) -> str | None:
    """The singular of the things that a bare number counts ("60 chapters", "75 rowers")."""
    inside = re.fullmatch(rf"(?:{DIGITS})\s+(words|pages|points)", spot.value)
    if inside:
        return singular(inside[1])
    if not spot.bare:
        return None
    after = re.match(r"\s+([a-z]{3,}s|people)\b", spot.work[spot.end :])
    return singular(after[1]) if after else None
