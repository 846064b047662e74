"""A plainer wording of an English clause that wraps, shares or trails what it states, so that the other readers find it.

"We ended up cutting X to V" is "we cut X to V"; "the sprint was extended and now ends on D" also says "the sprint now ends
on D"; "..., making D the new deadline" is "the new deadline is D". Grammar only: nothing is read here.
"""

from __future__ import annotations

import re

from memories.core.extraction.en.verbs import is_clear_past, is_gerund, past_of
from memories.core.text.stopwords import word_set

_SUBJECT = r"(?P<s>(?:I|we|he|she|it|they)\b|(?:(?:my|our|the|his|her|their)\s|[A-Z][\w-]*(?:['’]s)?\s)[^,;:.!?]{0,40}?)"
_ADVERB = r"(?:(?:have|has|had|just|then|also|now|finally|eventually|recently|actually|successfully|even|all|both)\s+)*"
_IMPLIES = re.compile(
    rf"{_SUBJECT}\s*\b{_ADVERB}(?:(?:ended|wound|finished)\s+up\s+|went\s+ahead\s+and\s+|got\s+around\s+to\s+|managed\s+to\s+|had\s+to\s+|got\s+to\s+|(?:was|were)\s+able\s+to\s+|"
    r"(?:decided|chose|opted|agreed)\s+to\s+)(?:(?:just|finally|eventually|also|simply)\s+)*(?P<verb>[a-z]+)\s+(?P<rest>\S.*)",
    re.IGNORECASE | re.DOTALL,
)
"""Verbs whose complement happened when they did: "we ended up ...ing", "I had to ...", "they managed to ..."."""
_MAKING = re.compile(
    r",\s+(?:thereby\s+|thus\s+|so\s+)?(?:making|leaving)\s+(?P<v>[^,]{1,40}?)\s+(?P<np>(?:the|my|our|his|her|their)\s+[^,]{2,40})(?:,.*)?$",
    re.IGNORECASE,
)
_TRAILING = re.compile(
    r",\s+(?:thereby\s+|thus\s+|so\s+)?(?P<verb>[a-z]+ing)\s+(?P<rest>(?:the|my|our|his|her|their|it)\b.*)$",
    re.IGNORECASE | re.DOTALL,
)
_CONJUNCT = re.compile(
    r"(?:,\s*|\s+)(?:and|but)\s+(?P<vp>(?:(?:now|then|instead|currently|already|since|has|have|is|was)\s+)*(?P<verb>[a-z]+)\b[^,;]*)"
)
_FINITE = word_set(
    "am is are was were has have had do does did will would can could should may might must cannot won't can't isn't aren't doesn't don't didn't"
)
_NO_VERB = word_set(
    "the a an my our his her its their i we you he she it they this that these those not never no so then to of in on at for with from by as if when while who which what where how why please maybe just even also only all both some any most more less"
)
_SECOND = re.compile(
    r"(?:,\s+|\s+)(?:so|and|but)\s+(?P<rest>(?:(?:Mr|Mrs|Ms|Dr)\.?\s+)?[A-Z][\w'’-]+(?:\s[A-Z][\w'’-]+)?\s+(?:is|has|was|will|[a-z]{2,}s|[a-z]+ed)\s.{3,100})"
)
_LEAD = re.compile(
    r"(?:since|after|now\s+that|because|when|once|thanks\s+to|with|following|as)\s+[^,;]{3,60}?\s(?=(?:my|our)\s+(?:[\w-]+\s+){1,3}?(?:is|are|has|have|was|costs?|takes?|lasts?|went|dropped|rose|fell)\b)",
    re.IGNORECASE,
)
MOST = 3
"""Plainer wordings that one clause may have."""


def plainer(work: str) -> list[str]:
    """Clauses that the clause, with its contractions written out, states as well; [] for one that is plain already."""
    found = [
        _second(work),
        _implied(work),
        _made(work),
        _trailing(work),
        *_conjuncts(work),
        _without_lead(work),
    ]
    return [one for one in found if one is not None and one != work][:MOST]


def _second(work: str) -> str | None:
    """What follows "so" or "and" with somebody named as its subject: "he left, so Omar leads the team now"."""
    match = _SECOND.search(work)
    return match["rest"] if match else None


def _implied(work: str) -> str | None:
    match = _IMPLIES.fullmatch(work)
    if match is None or _is_function(match["verb"]) or " not " in f" {match['s']} ":
        return None
    return f"{match['s'].strip()} {past_of(match['verb'])} {match['rest']}"


def _made(work: str) -> str | None:
    match = _MAKING.search(work)
    return f"{match['np']} is now {match['v']}" if match else None


def _trailing(work: str) -> str | None:
    match = _TRAILING.search(work)
    if match is None or not is_gerund(match["verb"]) or match["verb"].lower() in {"making", "leaving"}:
        return None
    return f"we {past_of(match['verb'])} {match['rest']}"


def _conjuncts(work: str) -> list[str]:
    """Each further predicate with the subject that it shares with the first one."""
    who = _shared_subject(work)
    if who is None:
        return []
    found = []
    for match in _CONJUNCT.finditer(work, len(who)):
        verb = match["verb"].lower()
        if not _is_function(verb) and (is_clear_past(verb) or re.search(r"[^s]s$", verb) or verb in _FINITE):
            found.append(f"{who} {match['vp']}")
    return found[:MOST]


def _shared_subject(work: str) -> str | None:
    """The words before the first verb; None where they are no short noun phrase."""
    words = work.split()
    for at, word in enumerate(words[:7]):
        low = word.lower().strip(",")
        if at and (low in _FINITE or (is_clear_past(low) and not word[0].isupper())):
            return " ".join(words[:at])
        if word.endswith(",") or (at and low in _NO_VERB and low not in {"the", "of", "for", "on"}):
            return None
        if at == 0 and low in {"i", "we", "he", "she", "it", "they"}:
            return word
    return None


def _without_lead(work: str) -> str | None:
    match = _LEAD.match(work)
    return work[match.end() :] if match else None


def _is_function(word: str) -> bool:
    return word.lower() in _NO_VERB or word.lower() in _FINITE
