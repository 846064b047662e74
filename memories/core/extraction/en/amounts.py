"""Amounts that an English clause states of something, wherever they stand in it: "... the water level, which has sunk to 3 m".

Grammar, not phrases: an amount is found first, then what stands before and after it says of what it is the value, whether
that holds (a finite or perfect verb, a possessive) and what it was before ("from 65%").
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from memories.core.extraction.en import nouns as en_nouns
from memories.core.extraction.en.counts import counted
from memories.core.extraction.en.measures import owned
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
    Spot,
    finite,
    mention,
    opens,
    presupposed,
    raw_of,
    slot_of,
    spots,
    unreal,
)
from memories.core.extraction.en.subjects import me
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
_OF = re.compile(rf"\s(?:of|:|=)\s+{HEDGE}$", re.IGNORECASE)
_BEFORE_NOUN = re.compile(r"(?P<det>\b(?:my|our|his|her|its|their|the|an?)|\b[A-Z]\w+'s?)\s+(?:(?P<state>[a-z]+)\s+)?$", re.IGNORECASE)  # fmt: skip
_REL = re.compile(r",?\s*(?:which|that|and it|and)$", re.IGNORECASE)
_FUTURE = re.compile(r"\b(?:starting|effective|beginning|from|as of|since|next|on|in|by)\b", re.IGNORECASE)
_NOT_OF = frozenset(["out", "total", "because", "instead", "kind", "sort", "number", "couple", "lot", "bit", "one", "some", "all", "most", "none", "any", "each", "half", "part", "piece", "group", "set", "list", "pair", "team", "top", "version", "copy"])  # fmt: skip
_SO_MUCH = re.compile(
    r"(?:\s*/\s?[a-z]+|\s+(?:per|an?|each|every)\s+[a-z]+)?(?:\s+(?:now|currently|today|these days|nowadays|at the moment|right now|instead|on average|in total|per request|or so|as of .{2,20}|since .{2,30}|(?:on|in|for|from|with|under|after)\s+[^,;]{2,40})){0,3}[\s.!]*(?:[,;].*)?",
    re.IGNORECASE | re.DOTALL,
)
_REACHES = re.compile(rf"\s{ADVERB}(?:has|have|reaches|hits|achieves|gets|shows|runs\s+at|is\s+at|sits\s+at|reached|hit|achieved)\s+{ADVERB}{HEDGE}$", re.IGNORECASE)  # fmt: skip
_HAS = re.compile(rf"\s{ADVERB}(?:has|have|holds|uses|needs|comes\s+with)\s+{ADVERB}{HEDGE}$", re.IGNORECASE)  # fmt: skip
_STUFF = re.compile(
    r"\s+of\s+(?P<n>[A-Za-z]+)(?=\s+(?:now|currently|instead|left|in|on|for|per)\b|[\s.!]*$|[,;])"
)
_HAS_A = re.compile(r"\s(?:has|have|got)\s+$", re.IGNORECASE)
_I_DO = re.compile(rf"(?:^|[,;]\s*|\b(?:days|now|lately|usually|that|and)\s+)(?P<who>I|we)\s+{ADVERB}(?:usually\s+|normally\s+)?(?P<verb>[a-z]{{2,}})\s+(?:for\s+)?{ADVERB}{HEDGE}$", re.IGNORECASE)  # fmt: skip
_A_PERIOD = re.compile(r"\s+(?:an?|per|each|every)\s+(?P<period>day|night|week|month|year|morning|evening|weekend)\b", re.IGNORECASE)  # fmt: skip
_DOES = re.compile(
    rf"\s{ADVERB}(?P<verb>[a-z]{{2,}}s)\s+(?:(?:up|in|out)\s+)?{ADVERB}{HEDGE}$", re.IGNORECASE
)
_OF_A_KIND = frozenset(["average", "typical", "usual", "normal", "standard", "common", "adult"])
_NO_AMOUNT = frozenset(["is", "was", "has", "does", "says", "wants", "needs", "gets", "goes", "thinks", "offers", "asks", "owes", "gives", "makes", "wins", "loses", "sends", "earns"])  # fmt: skip
"""Verbs whose amount is no measure of their subject."""
_NOUN_OF = {"weigh": "weight", "cost": "price", "last": "duration", "take": "duration", "measure": "size", "average": "average"}  # fmt: skip
_STATES = frozenset(["new", "increased", "reduced", "raised", "lowered", "updated", "revised", "improved", "adjusted", "extended", "decreased", "bumped", "higher", "lower"])  # fmt: skip


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
        re.fullmatch(DIGITS, spot.value)
        and singular(phrase.heads[-1]) not in MEASURES
        and re.match(r"\s+[a-z]+s\b", spot.work[spot.end :])
    ):
        return None  # "I brought my dog to 5 shows"
    return _of_phrase(spot, phrase, "en.amount_set", old=match["old"], update=True)


def _apposed(spot: Spot) -> Raw | None:
    """ "my (increased) budget of V", "a quota of V": presupposed with a possessive, else stated."""
    match = _OF.search(spot.left)
    if match is None:
        return None
    phrase = en_nouns.before(spot.left, match.start())
    if phrase is None or singular(phrase.heads[-1]) not in MEASURES or phrase.heads[-1] in _NOT_OF:
        return None
    state = any(word in _STATES for word in phrase.heads)
    holder = _HAS_A.search(spot.left[: phrase.start]) if phrase.determiner in {"a", "an"} else None
    owner = en_nouns.before(spot.left, holder.start()) if holder else None
    if holder and owner is not None and spot.held and owner.definite and not unreal(spot, owner.start):
        phrase = replace(phrase, determiner="the", about=" ".join(owner.heads), preposition="of")
        return _of_phrase(spot, phrase, "en.amount_has", update=state)
    if not presupposed(phrase, state) and (not spot.held or unreal(spot, phrase.start)):
        mention(spot, phrase)
        return None
    return _of_phrase(spot, phrase, "en.amount_of", update=state)


def _before_noun(spot: Spot) -> Raw | None:
    """ "my V annual budget", "a V joint budget for groceries"."""
    match = _BEFORE_NOUN.search(spot.left)
    phrase = en_nouns.after(spot.work, spot.end + 1) if spot.work[spot.end : spot.end + 1] == " " else None
    if (
        phrase is None
        or singular(phrase.heads[-1]) not in MEASURES
        or not re.search(r"[$€£¥₹%]|[a-z]", spot.value)
    ):
        return None
    reaches = _REACHES.search(spot.left) if match is None else None
    holder = en_nouns.before(spot.left, reaches.start()) if reaches else None
    if reaches and holder is not None and holder.definite and spot.held and not unreal(spot, holder.start):
        named = replace(phrase, determiner="the", about=" ".join(holder.heads), preposition="of")
        update = re.search(r"\bnow\b", reaches[0] + spot.work[spot.end :], re.IGNORECASE) is not None
        start = spot.start - len(spot.left) + holder.start
        return _of_phrase(spot, replace(named, start=spot.end), "en.amount_noun", update=update, at=start)
    determiner = match["det"].lower() if match else ""
    state = bool(match and (match["state"] or "").lower() in _STATES)
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
    return _of_phrase(spot, phrase, "en.amount_noun", update=state, at=start)


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
        number = re.match(DIGITS, spot.value)
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
    return _of_phrase(spot, phrase, rule, old=old, update=update)


def _equals(spot: Spot, left: str, phrase: NounPhrase) -> bool:
    """Whether the clause says no more than that the thing is so much, of a unit: what it is, is an amount then."""
    united = re.fullmatch(rf"(?:{DIGITS})", spot.value) is None
    return (
        united
        and (phrase.definite or not left[: phrase.start].strip())
        and _SO_MUCH.fullmatch(spot.work, spot.end) is not None
        and re.fullmatch(r"\s(?:is|are)\s.*|\s.*\bat\s.*", spot.left[len(left) :]) is not None
    )


def _does(spot: Spot) -> Raw | None:
    """ "The image weighs 2 GB", "the endpoint averages 300ms": how much, by the verb."""
    habit = _I_DO.search(spot.left)
    often = _A_PERIOD.match(spot.work, spot.end) if habit else None
    if spot.held and habit and often and not re.fullmatch(DIGITS, spot.value):
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
    if not spot.held or match is None or re.fullmatch(rf"(?:{DIGITS})", spot.value):
        return None
    verb = match["verb"].lower()
    phrase = en_nouns.before(spot.left, match.start())
    if verb in _NO_AMOUNT or phrase is None or phrase.preposition or unreal(spot, phrase.start):
        return None
    if not phrase.definite and (phrase.start or not _is_named(phrase)):
        return None
    if phrase.heads[0] in _OF_A_KIND and not (phrase.mine or phrase.owner):
        return None  # "the average cat sleeps 15 hours a day"
    if NO.search(spot.left[: phrase.start] + " ") or _SO_MUCH.fullmatch(spot.work, spot.end) is None:
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


def _of_stuff(spot: Spot) -> Raw | None:
    """ "The server has 8 GB of RAM": how much of something a thing has."""
    match = _STUFF.match(spot.work, spot.end)
    has = _HAS.search(spot.left) if match else None
    holder = en_nouns.before(spot.left, has.start()) if has else None
    if match is None or has is None or holder is None or not holder.definite or not spot.held:
        return None
    if re.fullmatch(DIGITS, spot.value) or unreal(spot, holder.start):
        return None
    phrase = replace(holder, determiner="the", heads=(match["n"].lower(),), about=" ".join(holder.heads), preposition="of")  # fmt: skip
    update = re.search(r"\bnow\b", has[0] + spot.work[spot.end :], re.IGNORECASE) is not None
    slot = slot_of(spot, phrase)
    start = spot.start - len(spot.left) + holder.start
    return raw_of(spot, *slot, "en.amount_has", start, update=update, end=match.end()) if slot else None


_FRAMES: tuple[Callable[[Spot], Raw | None], ...] = (
    _set,
    _changed,
    _stands,
    _apposed,
    _before_noun,
    _does,
    _of_stuff,
    counted,
)


def _counted_noun(spot: Spot) -> str | None:
    """The singular of the things that a bare number counts ("60 chapters", "75 rowers")."""
    inside = re.fullmatch(rf"(?:{DIGITS})\s+(words|pages|points)", spot.value)
    if inside:
        return singular(inside[1])
    if not re.fullmatch(DIGITS, spot.value):
        return None
    after = re.match(r"\s+([a-z]{3,}s|people)\b", spot.work[spot.end :])
    return singular(after[1]) if after else None


def _of_phrase(
    spot: Spot,
    phrase: NounPhrase,
    rule: str,
    *,
    old: str | None = None,
    update: bool = False,
    at: int | None = None,
) -> Raw | None:
    slot = slot_of(spot, phrase)
    if slot is None:
        return None
    start = spot.start - len(spot.left) + phrase.start if at is None else at
    end = phrase.start + len(phrase.text) if rule == "en.amount_noun" else spot.end
    if rule == "en.amount_noun":
        end = max(spot.end, spot.work.find(phrase.text, spot.end) + len(phrase.text))
    update = update or any(word in _STATES for word in phrase.heads)
    return raw_of(spot, slot[0], slot[1], rule, start, old=old, update=update, end=end)
