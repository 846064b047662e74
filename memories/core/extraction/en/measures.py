"""Whose and which attribute an English noun phrase names: "dashboard response time" is the response time of the dashboard."""

from __future__ import annotations

import re

from memories.core.extraction.attributes import canonical_attribute, lookup
from memories.core.extraction.en import nouns as en_nouns
from memories.core.extraction.en.noun_words import (
    DETERMINERS,
    DROPPED,
    GENERIC,
    GENERIC_ALONE,
    MEASURES,
    PERIODS,
)
from memories.core.extraction.en.nouns import NounPhrase
from memories.core.extraction.en.plurals import singular
from memories.core.extraction.en.subjects import me, owner_of
from memories.core.extraction.raw import Turn, Who
from memories.core.kinds import Kind


def owned(phrase: NounPhrase, turn: Turn) -> tuple[Who, str] | None:
    """Whose and which attribute the phrase names; None when whose it is cannot be told."""
    owner: Who | None = None
    if phrase.owner:
        owner = owner_of(phrase.owner, turn)
    elif phrase.determiner in {"his", "her"}:
        owner = turn.person
        if owner is None:
            return None
    elif phrase.determiner in {"its", "their"}:
        owner = turn.thing or turn.person
        if owner is None:
            return None
    elif phrase.determiner in {"your", "these", "those", "each", "every"}:
        return None
    return measure_of(phrase, owner, turn, me(turn))


def measure_of(phrase: NounPhrase, owner: Who | None, turn: Turn, speaker: Who) -> tuple[Who, str] | None:
    """Whose and which attribute the phrase names: "dashboard response time" -> (dashboard, response_time).

    `owner` is the resolved subject of the phrase's 's or of a pronoun. Words that only tell one state from another ("new",
    "increased") do not count.
    """
    if phrase.heads[0] in {"typical", "usual", "standard", "normal"} and not (phrase.mine or phrase.owner):
        return None  # of one of its kind: nobody's
    if phrase.heads[0] == "average" and phrase.preposition == "in" and not (phrase.mine or phrase.owner):
        return None  # what it comes to for everybody there
    dropped = DROPPED if phrase.mine else DROPPED | {"average"}
    words = [word for word in phrase.heads if word not in dropped and not word.isdigit()]
    if not words:
        return None
    if words[-1] in {"number", "count", "amount", "total"} and phrase.preposition == "of":
        return _count_of(phrase, owner, speaker if phrase.mine else Who("general", "", person=False))
    words[-1] = singular(words[-1])
    size = _suffix(words)
    attribute = " ".join(words[-size:])
    rest = [word for word in words[:-size] if word not in PERIODS]
    attribute = " ".join([*(word for word in words[:-size] if word in PERIODS), attribute])
    if owner is None and phrase.about and phrase.preposition in {"of", "for", "on", "in"}:
        about = _thing(phrase.about, phrase)
        return Who(about, phrase.about, person=False), _name([*rest, attribute])
    if owner is not None:
        return owner, _name([*rest, attribute])
    if rest and phrase.mine and (lookup(attribute) is None or attribute == "plan"):
        return speaker, _name([*rest, attribute])
    if rest:
        thing = " ".join(rest)
        shown = _as_said(phrase.text, rest)
        return Who(_singular_last(thing), shown, person=False), _name([attribute])
    if phrase.mine:
        return speaker, _name([attribute])
    if turn.subject is not None:
        return turn.subject, _name([attribute])
    row = lookup(attribute)
    if row is not None and row.personal and phrase.determiner != "the":
        return speaker, _name([attribute])
    return Who("general", "", person=False), _name([attribute])


def _count_of(phrase: NounPhrase, owner: Who | None, nobody: Who) -> tuple[Who, str]:
    """ "the number of loaves sold in the corner shop": (corner shop, loaf_count)."""
    what, _, place = re.sub(
        r"\s(?:of|for|on|in|at|with|from|by|into|per)\s", "\n", phrase.about.lower()
    ).partition("\n")
    nouns = [word for word in what.split() if not re.search(r"(?:ed|ing)$", word)] or what.split()
    nouns[-1] = singular(nouns[-1])
    who = owner or (
        Who(_singular_last(place), place, person=False) if place and "\n" not in place else nobody
    )
    return who, _name([*nouns, "count"])


def _suffix(words: list[str]) -> int:
    """How many of the last words are the attribute; the rest says of what."""
    for size in (3, 2, 1):
        if size <= len(words) and lookup(" ".join(words[-size:])) is not None:
            if size == 1 and words[-1] in GENERIC_ALONE and len(words) > 1:
                return 2
            return size
    if words[-1] in GENERIC and len(words) > 1:
        return 2
    if words[-1] in MEASURES:
        return 1
    return len(words)


def _name(words: list[str]) -> str:
    return canonical_attribute(re.sub(r"^favourite\b", "favorite", " ".join(words)))


def _thing(about: str, phrase: NounPhrase) -> str:
    words = [
        word for word in about.split() if word.lower() not in DETERMINERS and word.lower() not in DROPPED
    ]
    return _singular_last(" ".join(words) or about)


def _singular_last(text: str) -> str:
    head, _, last = text.rpartition(" ")
    return f"{head} {singular(last) if last.islower() else last}".strip()


def _as_said(text: str, words: list[str]) -> str:
    match = re.search(r"\b" + r"\s+".join(re.escape(word) for word in words) + r"\b", text, re.IGNORECASE)
    return match[0] if match else " ".join(words)


def whole_phrase(words: str) -> NounPhrase | None:
    """The noun phrase that the words are, from the first to the last; None where they are none."""
    found = en_nouns.before(words, len(words))
    return found if found is not None and found.start == 0 else None


def only_names_own(words: str) -> bool:
    """Whether the words are a noun phrase for something of the speaker's and no more, with no value in it: "my birthday"."""
    plain = words.strip(" .!,;")
    phrase = whole_phrase(plain)
    return phrase is not None and phrase.mine and re.search(r"\d|\s[A-Z]", plain) is None


def slot_named(words: str, turn: Turn) -> tuple[Who, str] | None:
    """Whose and which attribute the phrase names; None when it is none, or whose it is cannot be told."""
    phrase = whole_phrase(words.strip())
    if phrase is None or not (
        phrase.determiner or phrase.owner or phrase.heads[0][:1].isupper() or words[:1].isupper()
    ):
        return None
    if phrase.determiner in {"this", "that"}:
        return None
    return owned(phrase, turn)


def kind_named(attribute: str) -> Kind | None:
    """The kind of memory that the table gives the attribute, if it knows it."""
    row = lookup(attribute)
    return row.kind if row else None
