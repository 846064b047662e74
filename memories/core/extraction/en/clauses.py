"""Reads facts out of one English clause."""

from __future__ import annotations

import re

from memories.core.extraction.en import acts as en_acts
from memories.core.extraction.en import amounts as en_amounts
from memories.core.extraction.en import bare as en_bare
from memories.core.extraction.en import changes as en_changes
from memories.core.extraction.en import dates as en_dates
from memories.core.extraction.en import done as en_done
from memories.core.extraction.en import forms as forms_en
from memories.core.extraction.en import labels as en_labels
from memories.core.extraction.en import roles as en_roles
from memories.core.extraction.en import things as en_things
from memories.core.extraction.en.attributes import read_attribute
from memories.core.extraction.en.awaited import announced, await_the_next, correction, next_of
from memories.core.extraction.en.dates import TIME
from memories.core.extraction.en.ended import ENDED, over
from memories.core.extraction.en.moods import stated_part
from memories.core.extraction.en.opening import opened
from memories.core.extraction.en.parting import parted_with
from memories.core.extraction.en.predicates import predicates, scheduled
from memories.core.extraction.en.recast import plainer
from memories.core.extraction.en.rules import LEAD, NAME, REL
from memories.core.extraction.en.subjects import subject
from memories.core.extraction.raw import Raw, Turn
from memories.core.text.contractions import written_out

_REASONS = re.compile(
    r",?\s+(?:especially\s+)?(?:since|because|considering(?:\s+that)?|given\s+that|even\s+though|as)\s+(?=(?:I|we)\s)"
)
"""Before a reason that tells of the speaker inside a longer clause."""
_SHORT = 140
"""A clause up to this length is kept whole as the statement of what it says."""


def read(clause: str, turn: Turn, *, held: bool = True) -> list[Raw]:
    """The facts of a clause; the turn learns whom the clause was about.

    With `held` False the clause asks or guesses: only what it presupposes is read ("can I afford it with my budget of $90?").
    """
    lead = LEAD.match(clause)
    if lead and lead.end() == len(clause):
        return []
    text = clause[lead.end() :] if lead and lead.end() < len(clause) else clause
    text = text.strip(" ,.;:")
    if held and (parts := _with_relative(text)):
        return [raw for part in parts for raw in read(part, turn)]
    work = opened(written_out(text), turn)
    if not work:
        return []
    own = _SAYS_OF_SELF.match(work)
    if own and (speaking := subject(own["s"] + " x", turn)) is not None and speaking[1] == "x":
        turn.mention(speaking[0])  # "my friend said her rent is 700" is about the friend
        work = work[own.end() :]
        if speaking[0].key in {turn.speaker, turn.listener}:
            return []
    stated_words, asked_words = stated_part(work) if held else ("", work)
    if asked_words and (speaks := subject(stated_words, turn)) is not None:
        who = speaks[0]
        if who.person and who.key not in {turn.speaker, turn.listener}:
            turn.mention(who)  # "Ana says I had it wrong; her desk is ..."
    found = _whole(text, work, turn) if held and not asked_words else []
    for words, states in ((stated_words, True), (asked_words, False)):
        if not words:
            continue
        whole = text if states and not asked_words and len(text) <= _SHORT else ""
        amounts = en_amounts.read(words, turn, held=states, whole=whole)
        for raw in [*amounts, *en_dates.read(words, turn, held=states, whole=whole)]:
            if not any(_covers(raw, other) for other in found):
                found.append(raw)
    if stated_words and (not found or all(raw.ended for raw in found)):
        found += _recast("" if found else text, stated_words, turn)
    if stated_words and not found:
        found = en_done.read(text, written_out(stated_words), turn)
    if stated_words and not asked_words and not found:
        found = en_bare.read(text, work, turn)
    if not found:
        found = en_acts.read(text, work, turn)
    for sub in _REASONS.split(stated_words)[1:]:
        found += [
            raw
            for raw in en_done.read(sub, written_out(sub), turn)
            if raw.attribute not in {one.attribute for one in found}
        ]
    return found


def _recast(text: str, work: str, turn: Turn) -> list[Raw]:
    """What the clause states in a plainer wording of it; `text` is "" where its whole words tell of something else already."""
    pronoun = re.match(r"(?:it|they)\s+(?=[a-z]+s?\s)", work, re.IGNORECASE)
    judged = _JUDGES.match(work) is not None  # "it is a pity that I ..." is about no thing
    named = (
        [f"The {turn.thing.surface} {work[pronoun.end() :]}"]
        if pronoun and turn.thing is not None and re.match(r"[a-z]", turn.thing.surface) and not judged
        else []
    )
    for words in [*plainer(work), *named]:
        said = text or words
        found = _whole(said, words, turn)
        for raw in [
            *en_amounts.read(words, turn, held=True, whole=said),
            *en_dates.read(words, turn, held=True, whole=said),
        ]:
            if not any(_covers(raw, other) for other in found):
                found.append(raw)
        if found:
            return found
    return []


_JUDGES = re.compile(
    r"(?:it|they)\s+(?:is|was|are|were)\s[^,;]{2,40}?\s(?:that|to|how|why|when|if|I|we|you|he|she|they|my|our)\b|it\s+(?:is|was)\s+(?:not\s+)?an?\s+(?:[a-z]+\s)?(?:pity|shame|relief|pleasure|wonder|joy|surprise|joke|mess|pain)\b",
    re.IGNORECASE,
)
_RELATIVE = re.compile(
    rf"(?P<before>.*?)\b(?P<np>(?i:my|our)\s+(?:[\w-]+\s+)?{REL}(?:,?\s+{NAME})?|(?<!\w\s){NAME}),\s+who(?P<is>['’]s)?\s+(?P<rel>[^,]{{3,60}})(?:,\s+(?P<main>.{{3,120}}))?"
)


def _with_relative(text: str) -> list[str]:
    """ "My brother Tim lives in Galway" and "My brother Tim is a chef" of "My brother Tim, who lives in Galway, is a chef"."""
    match = _RELATIVE.fullmatch(text)
    if match is None or (match["before"].strip() and match["main"]):
        return []
    aside = f"{match['np']} {'is ' if match['is'] else ''}{match['rel']}"
    if match["main"]:
        return [aside, f"{match['np']} {match['main']}"]
    return [aside, f"{match['before']}{match['np']}"] if match["before"].strip() else [aside]


def _covers(raw: Raw, other: Raw) -> bool:
    """Whether the whole clause was read for this value already."""
    return other.value is not None and raw.value is not None and raw.value in other.value


def _whole(text: str, work: str, turn: Turn) -> list[Raw]:
    """What the clause as a whole states."""
    waiting = turn.pending
    corrected = correction(work, turn)
    if corrected:
        return [corrected]
    opener = forms_en.OPENER.match(work)
    if opener:
        work = work[opener.end() :]
    lead = _WHEN.match(work)
    if lead and lead.end() < len(work):
        work = work[lead.end() :]
    changed = (
        en_labels.read(text, work, turn)
        or en_changes.read(text, work, turn)
        or en_roles.read(text, work, turn)
    )
    if changed:
        return changed
    if announced(work, turn):
        return []
    ended = ENDED.fullmatch(work)
    if ended:
        was = over(text, ended, turn)
        await_the_next(was, ended, turn)
        return was
    found = (
        forms_en.read_form(text, work, turn)
        or en_things.routine(text, work, turn)
        or predicates(text, work, turn)
        or en_things.read(text, work, turn)
        or read_attribute(text, work, turn)
        or scheduled(text, work, turn)
        or next_of(work, waiting, turn)
    )
    if turn.pending is None:
        parted_with(work, turn)
    if found and found[-1].attribute and found[-1].value:
        turn.slot = (found[-1].who, found[-1].attribute, found[-1].value)
    return found


_SAYS_OF_SELF = re.compile(r"(?P<s>[^,]{2,40}?)\s+(?:said|says|told\s+(?:me|us)|mentioned|texted\s+me)\s+(?:that\s+)?(?=(?:his|her|their)\b)", re.IGNORECASE)  # fmt: skip
_WHEN = re.compile(rf"(?:(?:this|next|last)\s+(?:week|month|year|weekend|spring|summer|autumn|fall|winter|quarter)|(?:right\s+now|these\s+days|at\s+the\s+moment|as\s+of\s+(?:now|today|{TIME}))|(?:since|in|on|from|starting)\s+(?:(?:19|20)\d\d|{TIME})|{TIME})(?:,\s+(?=\w)|\s+(?=(?:I|we|he|she|they|my|our|his|her|the|[A-Z])\b))", re.IGNORECASE)  # fmt: skip
