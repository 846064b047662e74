"""What somebody parts with ("I sold my Fiesta"), and what they take up in its place ("I bought a Golf")."""

from __future__ import annotations

import re

from memories.core.extraction.en.dates import TIME
from memories.core.extraction.en.rules import clean_value
from memories.core.extraction.en.subjects import subject
from memories.core.extraction.en.verbs import is_past, lemma
from memories.core.extraction.raw import Pending, Raw, Turn

ADVERB = r"(?:(?:have|has|had|just|now|also|all|both|since|[a-z]+ly)\s+)*"
TAKE = r"(?:bought|got|leased|ordered|rented|adopted|picked\s+up|signed\s+up\s+(?:for|with|to)|went\s+with|chose|took\s+up|joined|switched\s+(?:over\s+)?to|moved\s+(?:over\s+)?to|started\s+(?:using|learning|studying|playing|with|at|on)|installed)"
_PARTED = re.compile(
    rf"{ADVERB}(?P<part>[a-z]+(?:\s+(?:rid\s+of|up\s+on|up\s+with|out\s+of|off\s+of|off|out|away|in))?)\s+(?P<old>(?:(?:my|our|the|an?|his|her)\s+)?(?:old\s+)?[A-Z][\w.+&'-]*(?:\s(?:[A-Z]|\d)[\w.+&'-]*){{0,3}}).{{0,40}}"
)
_TAKEN = re.compile(
    rf"(?:(?:I|we|he|she|they)\s+)?(?:(?:have|has|just|then|and|so|now|instead)\s+)*(?P<take>{TAKE})\s+(?:myself\s+|ourselves\s+)?(?P<v>.{{2,40}})",
    re.IGNORECASE,
)
_PARTS = frozenset(["sell", "scrap", "return", "retire", "dump", "ditch", "drop", "cancel", "get", "trade", "leave", "quit", "rip", "throw", "give", "swap", "take", "remove", "delete", "uninstall", "abandon", "kill", "lose", "donate", "break", "crash", "toss", "fire", "part"])  # fmt: skip
"""Verbs by which one no longer has something."""
"""One thing goes and another of its kind comes."""
PROPER = re.compile(
    r"(?:(?:an?|the|my|our|his|her)\s+)?(?:old\s+|new\s+)?(?:[A-Z][\w.+&'-]*|\d\w*)(?:\s(?:[A-Z]|\d)[\w.+&'-]*){0,4}"
)
_WHEN = re.compile(
    rf"\s+(?:(?:on|in|at|since|from|by|around|about)\s+)?(?:{TIME}|(?:last|this|next)\s+\w+|yesterday|today|recently|(?:19|20)\d\d|(?:an?|two|three|\d+|a\s+few|some)\s+\w+\s+ago)$",
    re.IGNORECASE,
)


def parted_with(work: str, turn: Turn) -> None:
    """ "I sold my Fiesta": what the next clause says that was bought takes its place."""
    found = subject(work, turn)
    match = _PARTED.fullmatch(found[1]) if found else None
    if found is None or match is None or found[0].key == turn.listener or not parts_with(match["part"]):
        return
    turn.mention(found[0])
    turn.pending = Pending(found[0], "possession", None, "parted", without_article(match["old"]))


def taken_up(work: str, pending: Pending) -> Raw | None:
    """What somebody took up who had just parted with something, in its place."""
    match = _TAKEN.fullmatch(work)
    value = value_of(match["v"]) if match else None
    if match is None or value is None or not PROPER.fullmatch(value):
        return None
    if taken_as(match["take"]) == "possession" and not is_thing(match["take"], value):
        return None
    taken = re.sub(r"^(?:an?|the)\s+(?:new\s+)?", "", value)
    who = f"{pending.who.surface} {work}" if re.match(match["take"], work) else work
    return Raw(
        pending.who, taken_as(match["take"]), taken, "en.switched", None, who, update=True, replaces=pending.old
    )  # fmt: skip


def parts_with(verb: str) -> bool:
    """Whether it is a past of parting with something: "sold", "got rid of", "gave up on", "ripped out"; not "got"."""
    first, _, particle = verb.lower().partition(" ")
    base = lemma(first)
    if not is_past(first) or base not in _PARTS:
        return False
    return bool(particle) or base not in {
        "get",
        "give",
        "take",
        "throw",
        "swap",
        "trade",
        "break",
        "part",
        "rip",
    }


def taken_as(verb: str) -> str:
    """What somebody has who took it up so: a belonging, an employer or a club, a subject, else what is used."""
    low = verb.lower()
    for attribute, words in (
        ("possession", r"bought|got|leased|ordered|rented|adopted|picked"),
        ("employer", r"joined|started\s+at"),
        ("learning", r"learning|studying"),
    ):
        if re.search(words, low):
            return attribute
    return "uses"


def is_thing(verb: str, value: str) -> bool:
    """Whether what was taken up so is a thing: it was bought, or its article or a number says so; "got Ann" is somebody."""
    return re.match(r"(?:bought|leased|ordered|rented)\b", verb, re.IGNORECASE) is not None or (
        re.match(r"(?:an?|the)\s", value) is not None or re.search(r"\d", value) is not None
    )


def value_of(words: str) -> str | None:
    """The value without the time at which it changed."""
    value = clean_value(words)
    return (
        clean_value(_WHEN.sub("", value)) if value and not re.fullmatch(TIME, value, re.IGNORECASE) else value
    )


def without_article(value: str) -> str:
    return re.sub(r"^(?:an?|the|my|our)\s+", "", value, flags=re.IGNORECASE)
