"""Where an amount stands in an English clause, and what around it governs it: a wish, an order, a denial, an owner."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from memories.core.extraction.en.measures import owned
from memories.core.extraction.en.nouns import NounPhrase
from memories.core.extraction.raw import Raw, Turn, Who
from memories.core.times.english import MONTH
from memories.core.values.numerals import EN_WORD_NUMBER

DIGITS = rf"\d{{1,3}}(?:,\d{{3}})+(?:\.\d+)?|\d+(?:\.\d+)?|\b(?!(?:zero|one)\b){EN_WORD_NUMBER}\b"
"""A number in digits or in words; "one" is a pronoun as often."""
_UNIT = (
    r"%|percent\b|percentage points\b|k\b|million\b|billion\b|thousand\b|hundred\b|dollars?\b|bucks\b|euros?\b|pounds?\b|yuan\b|cents?\b|ms\b|milliseconds?\b|"
    r"seconds?\b|secs?\b|minutes?\b|mins?\b|hours?\b|hrs?\b|days?\b|weeks?\b|months?\b|years?\b|km\b|kilometers?\b|kilometres?\b|kg\b|kilos?\b|grams?\b|miles?\b|"
    r"meters?\b|metres?\b|cm\b|mm\b|feet\b|ft\b|inches\b|lbs?\b|(?:giga|mega|kilo|tera)bytes?\b|GB\b|MB\b|KB\b|TB\b|Mbps\b|rpm\b|degrees\b|°[CF]?|points?\b|mg\b|ml\b|liters?\b|litres?\b|calories\b|words\b|pages\b"
)
AMOUNT = rf"(?:(?:[$€£¥₹]\s?(?:{DIGITS})(?:\s?(?:k|m|bn|million|billion|thousand)\b)?)|(?:{DIGITS})(?:\s?(?:{_UNIT}))?)"
FOUND = re.compile(
    rf"(?<![\w$€£¥₹./:#-]){AMOUNT}(?![\w]|[-/:.]\d|-[A-Za-z]|(?:st|nd|rd|th)\b|\s*(?:[ap]\.?m\b|o'clock))",
    re.IGNORECASE,
)
_DATED = re.compile(rf"\b{MONTH}\s+$|\b(?:version|chapter|page|room|step|level|day|week|part|no\.?|number|#)\s*$", re.IGNORECASE)  # fmt: skip
HEDGE = r"(?:(?:about|around|approximately|roughly|nearly|almost|just|over|under|exactly|only|a total of|a whopping|at least|up to|more than|less than|an? (?:record|solid|new|steady|impressive)|a)\s+){0,2}"
ADV = r"now|just|already|also|since|then|still|today|[a-z]+ly"
ADVERB = rf"(?:(?:{ADV})\s+)*"
_PARTICLE = r"(?:(?:up|down|back|forward|out|over|all the way)\s+)*"
_UNREAL = re.compile(
    r"\b(?:want|wants|wanted|hope|hoping|aim|aiming|try|trying|goal|target|need|needs|wish|plan|planning|consider|considering|think of|thinking|expect|expecting|would|could|should|might|may|will|"
    r"if|whether|let's|suppose|imagine|example|e\.g|achieve|reach|suggest|suggests|suggested|recommend|recommends|recommended|prefer|ask|asking|asked|calculate|assume|assuming|given|between|or|like|want(?:ing)? to|looking|find)\b",
    re.IGNORECASE,
)
_CONDITIONED = re.compile(r"^[^.;!?]{0,60}\b(?:I|we|you|he|she|they|it|one)(?:['’]d|\s+(?:could|would|might|can))\b", re.IGNORECASE)  # fmt: skip
"""After "with a salary of $60,000": what could then be."""
_ORDERED = re.compile(r"(?:^|[:;,.!]\s*|\b(?:and|then|to|please|just)\s+)(?:set|make|use|take|get|add|create|pick|choose|start|put|keep|give|try|follow|allocate|aim|stick|define|assign|plan)\s+(?:up\s+|with\s+|yourself\s+)*$", re.IGNORECASE)  # fmt: skip
"""An order right before it ("set a budget of $500")."""
NO = re.compile(r"\b(?:not|n't|never|no|without|cannot|isn't|wasn't|hasn't|haven't|didn't|doesn't|don't)\s+(?:\w+\s+){0,2}$", re.IGNORECASE)  # fmt: skip

SO_MUCH = re.compile(
    r"(?:\s*/\s?[a-z]+|\s+(?:per|an?|each|every)\s+[a-z]+)?(?:\s+(?:now|currently|today|these days|nowadays|at the moment|right now|instead|on average|in total|per request|or so|as of .{2,20}|since .{2,30}|(?:on|in|for|from|with|under|after)\s+[^,;]{2,40})){0,3}[\s.!]*(?:[,;].*)?",
    re.IGNORECASE | re.DOTALL,
)
STATES = frozenset(["new", "increased", "reduced", "raised", "lowered", "updated", "revised", "improved", "adjusted", "extended", "decreased", "bumped", "higher", "lower"])  # fmt: skip


@dataclass(frozen=True, slots=True)
class Spot:
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

    @property
    def bare(self) -> bool:
        """Whether it is a number alone, without a unit or a currency."""
        return re.fullmatch(DIGITS, self.value, re.IGNORECASE) is not None


def spots(work: str, turn: Turn, *, held: bool, whole: str = "") -> Iterator[Spot]:
    """The amounts of a clause, in order; not the numbers of dates, versions and rooms."""
    for match in FOUND.finditer(work):
        if not _DATED.search(work, max(0, match.start() - 12), match.start()):
            yield Spot(work, match.start(), match.end(), turn, held, whole)


def slot_of(spot: Spot, phrase: NounPhrase) -> tuple[Who, str] | None:
    """Whose and which attribute the phrase names, in the turn of the amount."""
    return owned(phrase, spot.turn)


def mention(spot: Spot, phrase: NounPhrase) -> None:
    """A goal names what is spoken about, though it is no fact: "I want 90% coverage, and I've reached 65%"."""
    slot = slot_of(spot, phrase)
    if slot is not None:
        spot.turn.slot = (slot[0], slot[1], spot.value)


def raw_of(
    spot: Spot, who: Who, attribute: str, rule: str, start: int, *, value: str | None = None, old: str | None = None,
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


def unreal(spot: Spot, start: int) -> bool:
    """Whether a wish, a plan, an order or an example governs what begins at left[start]."""
    if _CONDITIONED.search(spot.work[spot.end :]) or _ORDERED.search(spot.left[:start]):
        return True
    return _UNREAL.search(spot.left[:start]) is not None or NO.search(spot.left[:start] + " ") is not None


def opens(left: str, start: int) -> bool:
    """A noun phrase without determiner stands only where nothing could have been swallowed: first, or after a stop."""
    before = left[:start].rstrip()
    return not before or before[-1] in ",;:(" or re.search(r"\b(?:that|and|but|of|for|with|on|in|since|because|now|far)$", before, re.IGNORECASE) is not None  # fmt: skip


def finite(before: str) -> bool:
    """Whether the word before a past form leaves it a statement: a subject or "have", not "to", a modal or "be"."""
    low = before.lower().strip(",;")
    return low not in {"", "to", "be", "being", "would", "could", "should", "might", "may", "will", "not", "never", "get", "if", "is", "was", "are", "were"} and not low.endswith("n't")  # fmt: skip


def presupposed(phrase: NounPhrase, state: bool) -> bool:
    return phrase.mine or bool(phrase.owner) or phrase.determiner in {"his", "her", "their", "its"} or (state and phrase.determiner == "the")  # fmt: skip


def of_phrase(
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
    update = update or any(word in STATES for word in phrase.heads)
    return raw_of(spot, slot[0], slot[1], rule, start, old=old, update=update, end=end)
