"""What an English clause says of somebody by its verb ("lives in", "works at", "is allergic to"), and when something is on."""

from __future__ import annotations

import re

from memories.core.extraction import schedule
from memories.core.extraction.en.rules import NAME, PREDICATES, clean_value, plausible_job
from memories.core.extraction.en.subjects import stated, subject
from memories.core.extraction.raw import Pending, Raw, Turn, Who
from memories.core.extraction.relations import MANY, relation
from memories.core.kinds import Kind
from memories.core.text.stopwords import PREPOSITIONS, word_set


def predicates(text: str, work: str, turn: Turn) -> list[Raw]:
    found = subject(work, turn)
    if found is None:
        if turn.subject is None or re.match(
            r"(?:the|this|that|there|my|our|his|her|its|their)\b", work, re.IGNORECASE
        ):
            return []
        found = turn.subject, work
        if not re.match(
            r"(?:\w+ly\s+|also\s+)*(?:am|is|live|work|love|likes|hate|prefer|enjoy|have|has|moved|study|speak|do|does|cannot|never|always|was)\w*\s",
            work,
        ):
            return []
    who, rest = found
    if who.key == turn.listener:
        return []
    excepted = _EXCEPT.search(rest)
    rest = rest[: excepted.start()] if excepted else rest
    for predicate in PREDICATES:
        if predicate.me_only and who.key != turn.speaker:
            continue
        match = predicate.pattern.fullmatch(rest)
        if match is None:
            continue
        groups = match.groupdict()
        value = next(
            (v for name in ("v", "v2", "v3", "v4") if groups.get(name) and (v := clean_value(groups[name]))),
            None,
        )
        if value is not None and value[0].isupper() and predicate.attribute in _PLACED:
            # "Leeds, same flat and everything", "Lima and raised in Quito"
            value = re.sub(r"(?:,|\s+(?:and|but|then))\s+(?!and\b|or\b)[a-z].*$", "", value)
        if value is None or (predicate.attribute == "occupation" and not plausible_job(value)):
            continue
        if predicate.attribute in {"likes", "dislikes"}:
            value = re.sub(r"^also\s+", "", value)
            if _points(value):
                continue
        if excepted and predicate.attribute in _IN_GENERAL:
            value = f"{value}{excepted[0]}"
        if predicate.rule == "en.relation" and ":" not in who.key and who.key != turn.speaker:
            known = relation(re.sub(r"^my\s+(?:\w+\s+(?=\w))?", "", value, flags=re.IGNORECASE))
            who = Who(f"{turn.speaker}:{known}" + (f":{who.key}" if known in MANY else ""), who.surface)
            turn.mention(who)
            return [Raw(who, "name", who.surface, "en.relation", Kind.PROFILE, text)]
        turn.mention(who)
        left = predicate.rule == "en.employer_left"
        if left and _AWAY.search(rest):
            continue
        if left or predicate.rule == "en.employer_ended":  # "Dan quit Tesco, he's at Aldi now"
            turn.pending = Pending(who, "employer", Kind.PROFILE, "changed")
        if predicate.rule == "en.uses":
            names = [value, *(match[1] for match in _AND_NAME.finditer(rest, rest.find(value) + len(value)))]
            return [Raw(who, "uses", name, predicate.rule, None, stated(text, who)) for name in names]
        return [
            Raw(
                who, predicate.attribute, value, predicate.rule, predicate.kind, stated(text, who),
                negated=predicate.negated, ended=predicate.ended, update=predicate.update or _new(work), when="past" if predicate.past else "", open=left,
            )
        ]  # fmt: skip
    is_name = re.fullmatch(
        rf"is\s+(?:now\s+)?(?P<v>{NAME})(?:\s+(?:now|these\s+days|currently|at\s+the\s+moment))*", rest
    )
    if is_name and ":" in who.key and who.person:
        turn.mention(who)
        return [
            Raw(
                who,
                "name",
                is_name["v"],
                "en.is_name",
                Kind.PROFILE,
                stated(text, who),
                update=_new(work) or is_name.end("v") < len(rest) or " now " in rest,
            )
        ]
    if who.key != turn.speaker:
        turn.mention(who)
    return []


_AWAY = re.compile(r"\b(?:for|early|late|today|tonight|this morning)\b", re.IGNORECASE)
"""Left for a while or as one leaves a place; a job is left for good. Whether it is one, only what is known can tell."""
_EXCEPT = re.compile(r",?\s+(?:except|apart\s+from|other\s+than|with\s+the\s+exception\s+of|aside\s+from)\s.{2,60}$", re.IGNORECASE)  # fmt: skip
_IN_GENERAL = frozenset({"diet", "habit", "likes", "dislikes", "allergy"})
"""What is so in general: without its exception it would be untrue."""
_PLACED = frozenset({"home", "employer", "workplace", "origin", "school"})


def _new(work: str) -> bool:
    """ "My new boss is …": another than before."""
    return re.match(r"(?:my|our)\s+(?:brand[- ])?new\s", work, re.IGNORECASE) is not None


_POINTS = re.compile(
    r"\b(?:it|them|him|her|those|these|this|they|you|your)\b|^to(?: (?:go|do|be|get|have|make|take|come|try))?$|^that\b|^the (?:way|feeling|fact|idea)\b|^all the\b",
    re.IGNORECASE,
)
"""A taste for what only the talk around it can tell."""
_THE_ONE = re.compile(r"the (?P<words>[a-z'’-]+(?: [a-z'’-]+){0,3})(?: and [a-z'’ -]+)?")
_FOR_ALL = word_set(
    """sea ocean beach coast mountains hills forest woods desert countryside country city outdoors sky sun moon stars rain snow wind cold heat dark sunshine weather past future news
    theatre theater cinema movies opera circus ballet gym piano violin guitar cello flute drums trumpet harp saxophone north south east west arts sciences internet blues"""
)
"""What "the" is said of in general: surroundings, weather, instruments, houses that everybody goes to."""


def _points(value: str) -> bool:
    """Whether only the talk around it tells what is meant: "it", or "the" thing with no name and nothing that says which."""
    if _POINTS.search(value):
        return True
    match = _THE_ONE.fullmatch(value)
    if match is None:
        return False
    words = match["words"].split()
    return words[-1] not in _FOR_ALL and not PREPOSITIONS.intersection(words)


_AND_NAME = re.compile(r"(?:,|\band|\bwith)\s+([A-Z][\w.+#-]*(?: [A-Z0-9v][\w.+#-]*){0,3})")


def scheduled(text: str, work: str, turn: Turn) -> list[Raw]:
    found = schedule.read_en(work)
    if found is None or found[0].split()[0].lower() in {"it", "that", "there", "this"}:
        return []
    thing, value, changed = found
    who = Who(re.sub(r"^(?:our|my)\s+", "", thing, flags=re.IGNORECASE), thing, person=False)
    cleaned = clean_value(value)
    if (
        cleaned is None
        or re.fullmatch(r"\d{1,2}/\d{1,2}\b.*", cleaned)
        or re.search(r"\b(?:I|you|he|she|we|they|that|who)\b", who.key)
    ):
        return []
    turn.mention(who)
    return [Raw(who, "time", cleaned, "en.scheduled", Kind.FACT, stated(text, who), update=changed)]
