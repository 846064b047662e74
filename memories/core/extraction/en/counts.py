"""How many of something an English clause says that somebody has or has done: "I've planted 40 tulips", "we've saved $900 for it"."""

from __future__ import annotations

import re

from memories.core.extraction.en import nouns as en_nouns
from memories.core.extraction.en.plurals import singular
from memories.core.extraction.en.rules import NAME
from memories.core.extraction.en.spots import ADVERB, DIGITS, HEDGE, NO, Spot, raw_of
from memories.core.extraction.en.subjects import me, owner_of
from memories.core.extraction.en.verbs import is_past, lemma
from memories.core.extraction.raw import Raw, Turn, Who

_HAVE_COUNT = (
    rf"\s+{ADVERB}(?:have|has)\s+(?P<adv>{ADVERB})(?P<verb>[a-z]+\s+)?(?P<adv2>(?:up to\s+)?){HEDGE}$"
)
_COUNTS_ME = re.compile(rf"(?P<who>\b(?:I|we|he|she|they|it)){_HAVE_COUNT}", re.IGNORECASE)
_COUNTS_JUST = re.compile(rf"(?P<who>\b(?:I|we|he|she|they))\s+(?P<adv>(?:just|recently|already|now|finally|so far)\s+)(?P<verb>[a-z]+\s+){HEDGE}$", re.IGNORECASE)  # fmt: skip
_COUNTS = re.compile(
    rf"(?P<who>(?:\b(?:my|our|the|his|her)\s+)?[\w'-]+(?:\s[\w'-]+){{0,2}}?)(?:{_HAVE_COUNT}|\s+(?:{ADVERB})(?:supports?|contains?|includes?|covers?|comprises?|spans?|holds?|features?|lists?)\s+{HEDGE}$)",
    re.IGNORECASE,
)
_OWNED_BY = re.compile(rf"(?P<who>\bI|\bwe|\b{NAME}|\b(?:my|our|the)\s+[\w'-]+(?:\s[\w'-]+){{0,2}})\s+(?P<adv>{ADVERB})(?:own|owns|manages?|runs?|employs?|holds?)\s+{HEDGE}$", re.IGNORECASE)  # fmt: skip
_MORE = re.compile(r"(?:more|another|additional|extra|new|other|further)\b", re.IGNORECASE)
_OF_ALL = re.compile(rf"\s+(?:out\s+)?of\s+(?:(?:the|my|our|all)\s+)*(?:{DIGITS})(?=\s+[a-z])", re.IGNORECASE)
"""Between how many were done and what they are: "12 of the 20 lessons"."""
_ALL_DONE = re.compile(
    rf"\s+(?:out\s+)?of\s+(?:(?:the|my|our|all)\s+)*(?:{DIGITS})\s+(?P<n>[a-z][a-z-]*(?:\s[a-z][a-z-]*)?s)\s+(?:(?:are|were|have\s+been|is|now|already|been)\s+)+(?P<verb>[a-z]+)(?![a-z])",
    re.IGNORECASE,
)
_THERE = re.compile(
    r"\bthere\s+(?:are|is)\s+(?:(?:now|currently|still|only|already|about|around)\s+)*$", re.IGNORECASE
)
_PLACE = re.compile(
    r"\s+(?P<n>[a-z][a-z-]*(?:\s[a-z][a-z-]*){0,2}s)\s+(?:left\s+|now\s+)?(?:in|on|at)\s+(?P<place>(?:my|our|the)\s+[a-z][\w-]*(?:\s[a-z][\w-]*){0,2}?)(?=\s+(?:now|right|at|so|and|but)\b|[\s.!]*$|[,;])",
    re.IGNORECASE,
)
_GROUP = re.compile(r"\b(?:I|we)\s+(?:are|have|am)\s+(?:now\s+)?(?:an?|my|our)\s+(?P<n>[a-z]+)\s+of\s+(?:just\s+|now\s+)?$", re.IGNORECASE)  # fmt: skip
_WE_ARE = re.compile(rf"\bwe\s+are\s+{ADVERB}{HEDGE}$", re.IGNORECASE)
_HAVE = re.compile(
    rf"(?:^|[,;]\s*|\b(?:and|that|now)\s+)(?:I|we)\s+{ADVERB}have\s+{ADVERB}(?:got\s+)?{HEDGE}$",
    re.IGNORECASE,
)
_SO_FAR = re.compile(r"\b(?:now|currently|already|so far|in total|altogether|to date|by now|at this point|total)\b", re.IGNORECASE)  # fmt: skip


def counted(spot: Spot) -> Raw | None:
    """ "I've (already) completed N <things>", "I now have N <things>", "my team has N <people>"."""
    readers = (_of_all_done, _group_of, _we_are, _there_are, _have_there)
    if spot.held and (raw := next(filter(None, (reader(spot) for reader in readers)), None)) is not None:
        return raw
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
    participle = "" if participle == "got" else participle  # to have got is to have
    who = _counter(match["who"], spot.turn)
    if who is None or (participle and not is_past(participle)) or NO.search(spot.left):
        return None
    money = re.match(r"[$€£¥₹]", spot.value) is not None
    of = _OF_ALL.match(spot.work, spot.end)
    at = of.end() if of else spot.end
    rest = spot.work[at:]
    if money:
        return _spent(spot, who, participle, rest) if participle else None
    if (
        not spot.bare
        and re.search(r"[%a-z]", spot.value.lower().replace("k", ""))
        and not re.search(
            r"(?:words|pages|points|miles|hours|days|weeks|months|years|km|kilometers)$", spot.value
        )
    ):
        return None
    noun = None if spot.bare else re.search(r"[a-z]+$", spot.value)
    phrase = en_nouns.after(spot.work, at + 1) if spot.work[at : at + 1] == " " else None
    if _MORE.match(rest.strip()):
        return None
    heads = (noun[0],) if noun else phrase.heads if phrase else ()
    if len(heads) > 1 and not participle and is_past(heads[-1]):
        heads, participle = heads[:-1], heads[-1]  # "have 8 pages written"
    if not heads or (
        not noun
        and not heads[-1].endswith(("s", "people", "children", "men", "women", "feet"))
        and not heads[-1][-1:].isalpha()
    ):
        return None
    if not participle and who.key == spot.turn.speaker and not _SO_FAR.search(match[0] + rest[:60]):
        return None
    if participle in {
        "had",
        "known",
        "lived",
        "worked",
        "waited",
        "spent",
        "learned",
        "heard",
        "seen",
        "got",
    } and not _SO_FAR.search(match[0]):
        return None
    things = [*heads[:-1], singular(heads[-1])]
    attribute = "_".join([*things, participle or "count"])
    value = re.match(rf"(?:{DIGITS})(?:\s?k\b)?", spot.value, re.IGNORECASE)
    if value is None:
        return None
    end = phrase.start + len(phrase.text) if phrase and not noun else spot.end
    return raw_of(
        spot,
        who,
        attribute,
        "en.count",
        match.start("who") + spot.start - len(spot.left),
        value=value[0],
        update=_SO_FAR.search(match[0] + rest[:60]) is not None,
        end=end,
    )


def _of_all_done(spot: Spot) -> Raw | None:
    """ "9 of the 15 bugs are fixed": as many as "I've fixed 9 bugs"."""
    match = _ALL_DONE.match(spot.work, spot.end)
    if match is None or NO.search(spot.left) or not is_past(match["verb"]) or spot.left.strip(" ,:;"):
        return None
    things = [*match["n"].lower().split()[:-1], singular(match["n"].lower().split()[-1])]
    attribute = "_".join([*things, match["verb"].lower()])
    return raw_of(spot, me(spot.turn), attribute, "en.count", spot.start, update=True, end=match.end())


def _there_are(spot: Spot) -> Raw | None:
    """ "There are 7 open bugs in our tracker": how many a definite place holds."""
    match = _PLACE.match(spot.work, spot.end) if _THERE.search(spot.left) else None
    if match is None or not spot.bare or re.search(r"\b[A-Z]", match["place"]):
        return None  # what "the US" has is in every book
    nouns = match["n"].lower().split()
    attribute = "_".join([*nouns[:-1], singular(nouns[-1]), "count"])
    place = re.sub(r"^(?:my|our|the)\s+", "", match["place"], flags=re.IGNORECASE)
    who = Who(place, place, person=False)
    update = re.search(r"\b(?:now|left|only)\b", spot.work, re.IGNORECASE) is not None
    return raw_of(
        spot, who, attribute, "en.count", spot.start - len(spot.left), update=update, end=match.end()
    )


def _group_of(spot: Spot) -> Raw | None:
    """ "We're a team of 6": the size of it."""
    match = _GROUP.search(spot.left)
    if match is None or not spot.bare:
        return None
    update = re.search(r"\bnow\b", match[0] + spot.work[spot.end :], re.IGNORECASE) is not None
    attribute = f"{match['n'].lower()}_size"
    return raw_of(
        spot, me(spot.turn), attribute, "en.count", spot.start - len(spot.left) + match.start(), update=update
    )


def _we_are(spot: Spot) -> Raw | None:
    """ "We are four developers (now)": how many of us there are."""
    match = _WE_ARE.search(spot.left)
    noun = re.match(
        r"\s+(?P<n>[a-z]+s|people)\b(?!\s+(?:old|late|behind|ahead|away|apart|in|into|from|out|short|over)\b)",
        spot.work[spot.end :],
    )
    if match is None or noun is None or not spot.bare or NO.search(spot.left):
        return None
    update = _SO_FAR.search(match[0] + spot.work[spot.end :][:60]) is not None
    start, end = spot.start - len(spot.left) + match.start(), spot.end + noun.end()
    return raw_of(
        spot, me(spot.turn, "We"), f"{singular(noun['n'])}_count", "en.count", start, update=update, end=end
    )


def _have_there(spot: Spot) -> Raw | None:
    """ "I have 12 students in my evening class": how many a place or a group of one's own holds."""
    match = _HAVE.search(spot.left)
    there = _PLACE.match(spot.work, spot.end) if match else None
    if match is None or there is None or not spot.bare or NO.search(spot.left):
        return None
    if not re.match(r"(?:my|our)\s", there["place"]) or _MORE.match(there["n"]):
        return None
    nouns = there["n"].lower().split()
    place = re.sub(r"^(?:my|our)\s+", "", there["place"])
    update = _SO_FAR.search(match[0] + there[0]) is not None
    start = spot.start - len(spot.left) + match.start()
    attribute = "_".join([*nouns[:-1], singular(nouns[-1]), "count"])
    return raw_of(
        spot, Who(place, place, person=False), attribute, "en.count", start, update=update, end=there.end()
    )


def _spent(spot: Spot, who: Who, participle: str, rest: str) -> Raw | None:
    """ "I've spent $575 on shoes", "we've saved $2,000 for the trip"."""
    target = re.match(
        r"\s+(?:on|for|towards?|in|into)\s+(?:my\s+|our\s+|the\s+|a\s+|an\s+)?(?P<t>[A-Za-z][\w'-]*(?:\s[\w'-]+)?)",
        rest,
    )
    if lemma(participle) in {"get", "have"} or not re.search(r"\b(?:have|has)\b", spot.left[-60:]):
        return None  # what was just spent is one sum, not what it comes to
    if target is None and _SO_FAR.search(spot.left[-40:] + rest[:40]):
        return raw_of(
            spot,
            who,
            f"amount_{participle}",
            "en.amount_spent",
            max(0, spot.start - len(spot.left)),
            update=True,
        )
    phrase = en_nouns.after(spot.work, spot.end + target.start("t")) if target else None
    if phrase is None or _MORE.match(rest.strip()):
        return None
    thing = " ".join([*phrase.heads[:-1], singular(phrase.heads[-1])])
    start = spot.start - len(spot.left) + max(spot.left.rfind(" I "), spot.left.rfind(" we ")) + 1
    return raw_of(
        spot,
        Who(thing, thing, person=False),
        f"amount_{participle}",
        "en.amount_spent",
        max(0, start),
        end=phrase.start + len(phrase.text),
    )


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
