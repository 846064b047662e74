"""Amounts that an English clause states of something, wherever they stand in it: "... the water level, which has sunk to 3 m".

Grammar, not phrases: an amount is found first, then what stands before and after it says of what it is the value, whether
that holds (a finite or perfect verb, a possessive) and what it was before ("from 65%").
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from memories.core.extraction.en import nouns as en_nouns
from memories.core.extraction.en.nouns import MEASURES, NounPhrase, measure_of, singular
from memories.core.extraction.en.rules import NAME
from memories.core.extraction.en.subjects import me, owner_of
from memories.core.extraction.raw import Raw, Turn, Who

_DIGITS = r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?"
_UNIT = (
    r"%|percent\b|percentage points\b|k\b|million\b|billion\b|thousand\b|hundred\b|dollars?\b|bucks\b|euros?\b|pounds?\b|yuan\b|cents?\b|ms\b|milliseconds?\b|"
    r"seconds?\b|secs?\b|minutes?\b|mins?\b|hours?\b|hrs?\b|days?\b|weeks?\b|months?\b|years?\b|km\b|kilometers?\b|kilometres?\b|kg\b|kilos?\b|grams?\b|miles?\b|"
    r"meters?\b|metres?\b|cm\b|mm\b|feet\b|ft\b|inches\b|lbs?\b|GB\b|MB\b|KB\b|TB\b|Mbps\b|rpm\b|degrees\b|°[CF]?|points?\b|mg\b|ml\b|liters?\b|litres?\b|calories\b|words\b|pages\b"
)
AMOUNT = rf"(?:(?:[$€£¥₹]\s?(?:{_DIGITS})(?:\s?(?:k|m|bn|million|billion|thousand)\b)?)|(?:{_DIGITS})(?:\s?(?:{_UNIT}))?)"
_FOUND = re.compile(
    rf"(?<![\w$€£¥₹./:#-]){AMOUNT}(?![\w]|[-/:.]\d|-[A-Za-z]|(?:st|nd|rd|th)\b|\s*(?:[ap]\.?m\b|o'clock))",
    re.IGNORECASE,
)
_DATED = re.compile(r"\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\.?\s+$|\b(?:version|chapter|page|room|step|level|day|week|part|no\.?|number|#)\s*$", re.IGNORECASE)  # fmt: skip
_HEDGE = r"(?:(?:about|around|approximately|roughly|nearly|almost|just|over|under|exactly|only|a total of|a whopping|at least|up to|more than|less than|an? (?:record|solid|new|steady|impressive)|a)\s+){0,2}"
_ADV = r"now|just|recently|already|currently|finally|also|since|then|still|officially|today|[a-z]+ly"
_ADVERB = rf"(?:(?:{_ADV})\s+)*"
_PARTICLE = r"(?:(?:up|down|back|forward|out|over|all the way)\s+)*"
_FROM = rf"(?:from\s+(?P<old>{AMOUNT})(?:\s+[a-z]+){{0,2}}?\s+)?"
_IRREGULAR = frozenset(
    [
        "rose",
        "grew",
        "fell",
        "went",
        "came",
        "sank",
        "shrank",
        "shot",
        "stood",
        "stands",
        "sits",
        "sat",
        "hit",
        "put",
        "set",
        "cut",
        "brought",
        "got",
        "took",
        "gone",
        "grown",
        "risen",
        "fallen",
        "sunk",
        "shrunk",
        "come",
        "swelled",
        "leapt",
        "goes",
        "grows",
        "rises",
        "falls",
        "climbs",
        "drops",
        "remains",
        "stays",
        "stayed",
        "kept",
        "held",
        "won",
        "driven",
        "bumped",
        "read",
        "run",
        "done",
        "made",
        "sold",
        "paid",
        "taught",
        "built",
        "sent",
        "baked",
        "caught",
    ]
)
_CHANGED = re.compile(rf"\s(?P<aux>(?:(?:has|have|had|is|was|are|were|been|got|gets|will be|{_ADV})\s+)*)(?P<verb>[a-z]+)\s+{_PARTICLE}{_FROM}(?:to|at)\s+{_HEDGE}$", re.IGNORECASE)  # fmt: skip
_STANDS = re.compile(
    rf"(?:\s(?P<aux>(?:(?:has|have|is|are|{_ADV})\s+)*)(?P<verb>reached|hit|totals|totalled|totaled|equals|averages|averaged|became|costs|is|are|'s)\s+{_ADVERB}(?:at\s+|up to\s+|down to\s+)?{_HEDGE}|,?\s+(?:now|currently)\s+(?:at\s+)?{_HEDGE})$",
    re.IGNORECASE,
)
_TRANSITIVE = re.compile(rf"\s{_PARTICLE}{_FROM}(?:to|at)\s+{_HEDGE}$", re.IGNORECASE)
_OF = re.compile(rf"\s(?:of|:|=)\s+{_HEDGE}$", re.IGNORECASE)
_WITH = re.compile(rf"\bwith\s+(?:an?\s+)?{_HEDGE}$", re.IGNORECASE)
_BEFORE_NOUN = re.compile(r"(?P<det>\b(?:my|our|his|her|its|their|the|an?)|\b[A-Z]\w+'s?)\s+(?:(?P<state>[a-z]+)\s+)?$", re.IGNORECASE)  # fmt: skip
_HAVE_COUNT = (
    rf"\s+{_ADVERB}(?:have|has)\s+(?P<adv>{_ADVERB})(?P<verb>[a-z]+\s+)?(?P<adv2>(?:up to\s+)?){_HEDGE}$"
)
_COUNTS_ME = re.compile(rf"(?P<who>\b(?:I|we|he|she|they|it)){_HAVE_COUNT}", re.IGNORECASE)
_COUNTS_JUST = re.compile(rf"(?P<who>\b(?:I|we|he|she|they))\s+(?P<adv>(?:just|recently|already|now|finally|so far)\s+)(?P<verb>[a-z]+ed\s+){_HEDGE}$", re.IGNORECASE)  # fmt: skip
_COUNTS = re.compile(
    rf"(?P<who>(?:\b(?:my|our|the|his|her)\s+)?[\w'-]+(?:\s[\w'-]+){{0,2}}?){_HAVE_COUNT}", re.IGNORECASE
)
_OWNED_BY = re.compile(rf"(?P<who>\bI|\bwe|\b{NAME}|\b(?:my|our|the)\s+[\w'-]+(?:\s[\w'-]+){{0,2}})\s+(?P<adv>{_ADVERB})(?:own|owns|manages?|runs?|employs?|holds?)\s+{_HEDGE}$", re.IGNORECASE)  # fmt: skip
_MORE = re.compile(r"(?:more|another|additional|extra|new|other|further)\b", re.IGNORECASE)
_SO_FAR = re.compile(r"\b(?:now|currently|already|so far|in total|altogether|to date|by now|at this point|total)\b", re.IGNORECASE)  # fmt: skip
_REL = re.compile(r",?\s*(?:which|that|and it|and)$", re.IGNORECASE)
_UNREAL = re.compile(
    r"\b(?:want|wants|wanted|hope|hoping|aim|aiming|try|trying|goal|target|need|needs|wish|plan|planning|consider|considering|think of|thinking|expect|expecting|would|could|should|might|may|will|"
    r"if|whether|let's|suppose|imagine|example|e\.g|achieve|reach|suggest|suggests|suggested|recommend|recommends|recommended|prefer|ask|asking|asked|calculate|assume|assuming|given|between|or|like|want(?:ing)? to|looking|find)\b",
    re.IGNORECASE,
)
_CONDITIONED = re.compile(r"^[^.;!?]{0,60}\b(?:I|we|you|he|she|they|it|one)(?:['’]d|\s+(?:could|would|might|can))\b", re.IGNORECASE)  # fmt: skip
"""After "with a salary of $60,000": what could then be."""
_ORDERED = re.compile(r"(?:^|[:;,.!]\s*|\b(?:and|then|to|please|just)\s+)(?:set|make|use|take|get|add|create|pick|choose|start|put|keep|give|try|follow|allocate|aim|stick|define|assign|plan)\s+(?:up\s+|with\s+|yourself\s+)*$", re.IGNORECASE)  # fmt: skip
"""An order right before it ("set a budget of $500")."""
_NO = re.compile(r"\b(?:not|n't|never|no|without|cannot|isn't|wasn't|hasn't|haven't|didn't|doesn't|don't)\s+(?:\w+\s+){0,2}$", re.IGNORECASE)  # fmt: skip
_FUTURE = re.compile(r"\b(?:starting|effective|beginning|from|as of|since|next|on|in|by)\b", re.IGNORECASE)
_NOT_OF = frozenset(["out", "total", "because", "instead", "kind", "sort", "number", "couple", "lot", "bit", "one", "some", "all", "most", "none", "any", "each", "half", "part", "piece", "group", "set", "list", "pair", "team", "top", "version", "copy"])  # fmt: skip
_STATES = frozenset(["new", "increased", "reduced", "raised", "lowered", "updated", "revised", "improved", "adjusted", "extended", "decreased", "bumped", "higher", "lower"])  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Spot:
    """An amount in the clause and what is around it; `held` is False where the clause is a question or hearsay."""

    work: str
    start: int
    end: int
    turn: Turn
    held: bool
    whole: str = ""
    """The clause as said where it is short enough to be kept whole."""

    @property
    def left(self) -> str:
        return self.work[max(0, self.start - 140) : self.start]

    @property
    def value(self) -> str:
        return self.work[self.start : self.end].strip()


def read(work: str, turn: Turn, *, held: bool, whole: str = "") -> list[Raw]:
    """The facts of amounts in a clause with its contractions written out; with `held` False only what it presupposes.

    `whole` is the clause as said, where it may be kept whole.
    """
    found: list[Raw] = []
    for match in _FOUND.finditer(work):
        if _DATED.search(work, max(0, match.start() - 12), match.start()):
            continue
        spot = _Spot(work, match.start(), match.end(), turn, held, whole)
        for frame in _FRAMES:
            raw = frame(spot, found)
            if raw is not None:
                found.append(raw)
                break
    return found


def _changed(spot: _Spot, _: list[Raw]) -> Raw | None:
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
    if not _past(match["verb"]):
        return None
    if "will be" in aux and not _FUTURE.search(spot.work[spot.end :]):
        return None
    return _about(spot, match.start(), "en.amount_changed", old=match["old"], update=True)


def _stands(spot: _Spot, _: list[Raw]) -> Raw | None:
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
        and _same_unit(mentioned[2], spot.value)
    ):
        return _raw(
            spot,
            mentioned[0],
            mentioned[1],
            "en.amount_reached",
            spot.left.rfind(" ", 0, match.start()) + 1,
            update=True,
        )
    changing = (
        verb in {"reached", "hit", "became"} or re.search(r"\bnow\b", match[0], re.IGNORECASE) is not None
    )
    return _about(spot, match.start(), "en.amount_is", update=changing)


def _set(spot: _Spot, _: list[Raw]) -> Raw | None:
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
    if verb is None or not _past(verb["verb"]) or not _finite(verb["before"] or ""):
        return None
    return _of_phrase(spot, phrase, "en.amount_set", old=match["old"], update=True)


def _apposed(spot: _Spot, _: list[Raw]) -> Raw | None:
    """ "my (increased) budget of V", "a quota of V": presupposed with a possessive, else stated."""
    match = _OF.search(spot.left)
    if match is None:
        return None
    phrase = en_nouns.before(spot.left, match.start())
    if phrase is None or singular(phrase.heads[-1]) not in MEASURES or phrase.heads[-1] in _NOT_OF:
        return None
    state = any(word in _STATES for word in phrase.heads)
    if not _presupposed(phrase, state) and (not spot.held or _unreal(spot, phrase.start)):
        _mention(spot, phrase)
        return None
    return _of_phrase(spot, phrase, "en.amount_of", update=state)


def _before_noun(spot: _Spot, _: list[Raw]) -> Raw | None:
    """ "my V annual budget", "a V joint budget for groceries"."""
    match = _BEFORE_NOUN.search(spot.left)
    phrase = en_nouns.after(spot.work, spot.end + 1) if spot.work[spot.end : spot.end + 1] == " " else None
    if (
        phrase is None
        or singular(phrase.heads[-1]) not in MEASURES
        or not re.search(r"[$€£¥₹%]|[a-z]", spot.value)
    ):
        return None
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
    if not presupposed and (not spot.held or match is None or _unreal(spot, start)):
        _mention(spot, phrase)
        return None
    return _of_phrase(spot, phrase, "en.amount_noun", update=state, at=start)


def _counted(spot: _Spot, _: list[Raw]) -> Raw | None:
    """ "I've (already) completed N <things>", "I now have N <things>", "my team has N <people>"."""
    match = (
        _COUNTS_ME.search(spot.left)
        or _COUNTS_JUST.search(spot.left)
        or _COUNTS.search(spot.left)
        or _OWNED_BY.search(spot.left)
    )
    if not spot.held or match is None:
        return None
    groups = match.groupdict()
    participle = (groups.get("verb") or "").strip().lower()
    who = _counter(match["who"], spot.turn)
    if who is None or (participle and not _past(participle)) or _NO.search(spot.left):
        return None
    money = re.match(r"[$€£¥₹]", spot.value) is not None
    rest = spot.work[spot.end :]
    if money:
        return _spent(spot, who, participle, rest) if participle else None
    if re.search(r"[%a-z]", spot.value.lower().replace("k", "")) and not re.search(
        r"(?:words|pages|points|miles|hours|days|weeks|months|years|km|kilometers)$", spot.value
    ):
        return None
    noun = re.search(r"[a-z]+$", spot.value)
    phrase = en_nouns.after(spot.work, spot.end + 1) if spot.work[spot.end : spot.end + 1] == " " else None
    if _MORE.match(rest.strip()):
        return None
    heads = (noun[0],) if noun else phrase.heads if phrase else ()
    if not heads or (
        not noun
        and not heads[-1].endswith(("s", "people", "children", "men", "women", "feet"))
        and not heads[-1][-1:].isalpha()
    ):
        return None
    if not participle and who.key == spot.turn.speaker and not _SO_FAR.search(match[0] + rest[:60]):
        return None
    if participle in {
        "been",
        "had",
        "known",
        "lived",
        "worked",
        "waited",
        "learned",
        "heard",
        "seen",
        "got",
    } and not _SO_FAR.search(match[0]):
        return None
    things = [*heads[:-1], singular(heads[-1])]
    attribute = "_".join([*things, participle or "count"])
    value = re.match(rf"(?:{_DIGITS})(?:\s?k\b)?", spot.value)
    if value is None:
        return None
    end = phrase.start + len(phrase.text) if phrase and not noun else spot.end
    return _raw(
        spot,
        who,
        attribute,
        "en.count",
        match.start("who") + spot.start - len(spot.left),
        value=value[0],
        update=_SO_FAR.search(match[0]) is not None,
        end=end,
    )


def _spent(spot: _Spot, who: Who, participle: str, rest: str) -> Raw | None:
    """ "I've spent $575 on shoes", "we've saved $2,000 for the trip"."""
    target = re.match(
        r"\s+(?:on|for|towards?|in|into)\s+(?:my\s+|our\s+|the\s+|a\s+|an\s+)?(?P<t>[A-Za-z][\w'-]*(?:\s[\w'-]+)?)",
        rest,
    )
    phrase = en_nouns.after(spot.work, spot.end + target.start("t")) if target else None
    if phrase is None or _MORE.match(rest.strip()):
        return None
    thing = " ".join([*phrase.heads[:-1], singular(phrase.heads[-1])])
    start = spot.start - len(spot.left) + max(spot.left.rfind(" I "), spot.left.rfind(" we ")) + 1
    return _raw(
        spot,
        Who(thing, thing, person=False),
        f"amount_{participle}",
        "en.amount_spent",
        max(0, start),
        end=phrase.start + len(phrase.text),
    )


def _accompanying(spot: _Spot, found: list[Raw]) -> Raw | None:
    """ "... N parcels at a weight of 8 kg": an amount that goes with what the clause has stated before."""
    if not found or not _WITH.search(spot.left):
        return None
    phrase = en_nouns.after(spot.work, spot.end + 1)
    if phrase is None or singular(phrase.heads[-1]) not in MEASURES:
        return None
    counted = found[-1].attribute or ""
    thing = counted.rsplit("_", 1)[0].replace("_", " ") if found[-1].rule == "en.count" else found[-1].who.key
    who = Who(thing, thing, person=False)
    attribute = measure_of(phrase, who, spot.turn, me(spot.turn))
    if attribute is None:
        return None
    return replace(_raw(spot, who, attribute[1], "en.amount_with", spot.start), stated=found[-1].stated)


_FRAMES: tuple[Callable[[_Spot, list[Raw]], Raw | None], ...] = (_set, _changed, _stands, _apposed, _before_noun, _accompanying, _counted)  # fmt: skip


def _about(spot: _Spot, end: int, rule: str, *, old: str | None = None, update: bool = False) -> Raw | None:
    """The value of the noun phrase that ends there, or of what the turn spoke about where a pronoun stands."""
    left = spot.left
    relative = _REL.search(left[:end])
    if relative:
        end = relative.start()
    if re.search(r"(?:^|\s|,)(?:it|that|this)$", left[:end], re.IGNORECASE):
        mentioned = spot.turn.slot
        if mentioned is None or not _same_unit(mentioned[2], spot.value):
            return None
        return _raw(
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
    if phrase is None or _NO.search(left[: phrase.start] + " "):
        return None
    if singular(phrase.heads[-1]) not in MEASURES and (counted := _counted_noun(spot)):
        heads = (*phrase.heads, counted, "count")
        thing = replace(phrase, heads=heads)
        slot = _slot(spot, thing)
        number = re.match(_DIGITS, spot.value)
        if slot is None or number is None or not phrase.definite:
            return None
        start = spot.start - len(left) + phrase.start
        return _raw(spot, slot[0], slot[1], rule, start, value=number[0], old=old, update=update)
    if rule == "en.amount_is" and singular(phrase.heads[-1]) not in MEASURES:
        return None
    if not phrase.determiner and not phrase.owner and not _opens(left, phrase.start):
        return None
    if not phrase.definite and _unreal(spot, phrase.start):
        _mention(spot, phrase)
        return None
    return _of_phrase(spot, phrase, rule, old=old, update=update)


def _counted_noun(spot: _Spot) -> str | None:
    """The singular of the things that a bare number counts ("60 chapters", "75 rowers")."""
    inside = re.fullmatch(rf"(?:{_DIGITS})\s+(words|pages|points)", spot.value)
    if inside:
        return singular(inside[1])
    if not re.fullmatch(_DIGITS, spot.value):
        return None
    after = re.match(r"\s+([a-z]{3,}s|people)\b", spot.work[spot.end :])
    return singular(after[1]) if after else None


def _opens(left: str, start: int) -> bool:
    """A noun phrase without determiner stands only where nothing could have been swallowed: first, or after a stop."""
    before = left[:start].rstrip()
    return not before or before[-1] in ",;:(" or re.search(r"\b(?:that|and|but|of|for|with|on|in|since|because|now)$", before, re.IGNORECASE) is not None  # fmt: skip


def _of_phrase(
    spot: _Spot,
    phrase: NounPhrase,
    rule: str,
    *,
    old: str | None = None,
    update: bool = False,
    at: int | None = None,
) -> Raw | None:
    slot = _slot(spot, phrase)
    if slot is None:
        return None
    start = spot.start - len(spot.left) + phrase.start if at is None else at
    end = phrase.start + len(phrase.text) if rule == "en.amount_noun" else spot.end
    if rule == "en.amount_noun":
        end = max(spot.end, spot.work.find(phrase.text, spot.end) + len(phrase.text))
    update = update or any(word in _STATES for word in phrase.heads)
    return _raw(spot, slot[0], slot[1], rule, start, old=old, update=update, end=end)


def _slot(spot: _Spot, phrase: NounPhrase) -> tuple[Who, str] | None:
    owner: Who | None = None
    if phrase.owner:
        owner = owner_of(phrase.owner, spot.turn)
    elif phrase.determiner in {"his", "her"}:
        owner = spot.turn.person
        if owner is None:
            return None
    elif phrase.determiner in {"its", "their"}:
        owner = spot.turn.thing or spot.turn.person
        if owner is None:
            return None
    elif phrase.determiner in {"your", "these", "those", "each", "every"}:
        return None
    return measure_of(phrase, owner, spot.turn, me(spot.turn))


def _mention(spot: _Spot, phrase: NounPhrase) -> None:
    """A goal names what is spoken about, though it is no fact: "I want 90% coverage, and I've reached 65%"."""
    slot = _slot(spot, phrase)
    if slot is not None:
        spot.turn.slot = (slot[0], slot[1], spot.value)


def _raw(
    spot: _Spot, who: Who, attribute: str, rule: str, start: int, *, value: str | None = None, old: str | None = None,
    update: bool = False, end: int = 0, pronoun: bool = False,
) -> Raw:  # fmt: skip
    spot.turn.slot = (who, attribute, spot.value)
    if pronoun:
        owner = {"I": "my", "general": ""}.get(who.surface, f"{who.surface}'s" if who.person else who.surface)
        stated = (
            f"{owner} {attribute.replace('_', ' ')}: {_shown(spot.work, max(0, start), spot.end)}".strip()
        )
    else:
        stated = spot.whole or _shown(spot.work, max(0, start), max(end, spot.end))
    # An amount of nobody knows what may be another than the last one of its name.
    one = (
        False if who.key == "general" and rule in {"en.amount_of", "en.amount_noun"} and not update else None
    )
    changes = update or old is not None
    return Raw(
        who, attribute, value or spot.value, rule, None, stated, update=changes, replaces=old, single=one
    )


def _shown(work: str, start: int, end: int) -> str:
    """The words from `start` to the end of their phrase."""
    rest = re.match(r"(?:\s*(?:/\s?[a-z]+|per [a-z]+|an? [a-z]+|monthly|weekly|yearly|annually|daily|(?:(?:of|for|on|in|from|by|until|since|starting|after|with|this|last|next|at|to)\b[^,;.?!]{1,40}))){0,2}", work[end:])  # fmt: skip
    return work[start : end + (rest.end() if rest else 0)].strip(" ,;")


def _past(verb: str) -> bool:
    return verb.lower() in _IRREGULAR or (re.search(r"(?:[^e]ed|en|wn)$", verb) is not None and verb not in {"need", "indeed", "then", "when", "even", "own", "open", "often"})  # fmt: skip


def _finite(before: str) -> bool:
    """Whether the word before a past form leaves it a statement: a subject or "have", not "to", a modal or "be"."""
    low = before.lower().strip(",;")
    return low not in {"", "to", "be", "being", "would", "could", "should", "might", "may", "will", "not", "never", "get", "if", "is", "was", "are", "were"} and not low.endswith("n't")  # fmt: skip


def _presupposed(phrase: NounPhrase, state: bool) -> bool:
    return phrase.mine or bool(phrase.owner) or phrase.determiner in {"his", "her", "their", "its"} or (state and phrase.determiner == "the")  # fmt: skip


def _unreal(spot: _Spot, start: int) -> bool:
    """Whether a wish, a plan, an order or an example governs what begins at left[start]."""
    if _CONDITIONED.search(spot.work[spot.end :]) or _ORDERED.search(spot.left[:start]):
        return True
    return _UNREAL.search(spot.left[:start]) is not None or _NO.search(spot.left[:start] + " ") is not None


def _same_unit(one: str, other: str) -> bool:
    return _unit(one) == _unit(other)


def _unit(value: str) -> str:
    return re.sub(r"[\d,.\s]", "", value).lower().replace("percent", "%")


def _counter(phrase: str, turn: Turn) -> Who | None:
    low = phrase.lower()
    if low in {"i", "we"}:
        return me(turn)
    if low in {"he", "she"}:
        return turn.person
    if low in {"it", "they"}:
        return turn.thing or turn.person
    if re.match(r"(?:my|our|the|his|her)\b", low) or re.fullmatch(NAME, phrase):
        return owner_of(phrase, turn)
    return None
