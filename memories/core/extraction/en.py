"""Reads facts out of one English clause."""

from __future__ import annotations

import re

from memories.core.extraction import forms_en, schedule
from memories.core.extraction.en_attributes import read_attribute
from memories.core.extraction.en_rules import LEAD, NAME, PREDICATES, clean_value, plausible_job
from memories.core.extraction.en_subjects import possessive, stated, subject
from memories.core.extraction.raw import Raw, Turn, Who
from memories.core.extraction.relations import MANY, relation
from memories.core.kinds import Kind

_CONTRACTIONS = (
    (re.compile(r"\b(I)['’]m\b"), r"\1 am"),
    (re.compile(r"\b(he|she|it|that|there|what|who)['’]s\b(?=\s)", re.IGNORECASE), r"\1 is"),
    (re.compile(r"\b(we|they|you)['’]re\b", re.IGNORECASE), r"\1 are"),
    (re.compile(r"\b(\w+)['’]ve\b", re.IGNORECASE), r"\1 have"),
    (re.compile(r"\b(\w+)['’]ll\b", re.IGNORECASE), r"\1 will"),
    (re.compile(r"\b(I|he|she|we|they|you)['’]d\b", re.IGNORECASE), r"\1 would"),
    (re.compile(r"\b(do|does|did|is|are|was|has|have)n['’]t\b", re.IGNORECASE), r"\1 not"),
    (re.compile(r"\bcan['’]t\b", re.IGNORECASE), "cannot"),
)


def read(clause: str, turn: Turn) -> list[Raw]:
    """The facts of a clause; the turn learns whom the clause was about."""
    lead = LEAD.match(clause)
    text = clause[lead.end() :] if lead and lead.end() < len(clause) else clause
    text = text.strip(" ,.;:")
    work = text.replace("’", "'")
    for pattern, full in _CONTRACTIONS:
        work = pattern.sub(full, work)
    if not work:
        return []
    corrected = _correction(work, turn)
    if corrected:
        return [corrected]
    opener = forms_en.OPENER.match(work)
    if opener:
        work = work[opener.end() :]
    return (
        forms_en.read_form(text, work, turn)
        or _predicate(text, work, turn)
        or read_attribute(text, work, turn)
        or _scheduled(text, work, turn)
    )


def _correction(work: str, turn: Turn) -> Raw | None:
    """The clause after "X is not A": "it is B"."""
    pending, turn.pending = turn.pending, None
    match = re.fullmatch(
        r"(?:it is|it's|but|rather|instead|now|the new one is)\s*(?:it is\s+|now\s+)?(?P<v>.{1,60}?)(?:\s+now)?",
        work,
        re.IGNORECASE,
    )
    if pending is None or match is None or (value := clean_value(match["v"])) is None:
        return None
    who, attribute = pending.who, pending.attribute
    whole = f"{possessive(who)} {attribute.replace('_', ' ')} is {value}".strip()
    return Raw(
        who,
        attribute,
        value,
        "en.not_but",
        pending.kind,
        whole,
        correction=pending.how == "denied",
        update=pending.how != "announced",
        replaces=pending.old,
    )


def _predicate(text: str, work: str, turn: Turn) -> list[Raw]:
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
        if value is None or (predicate.attribute == "occupation" and not plausible_job(value)):
            continue
        if predicate.rule == "en.relation" and ":" not in who.key and who.key != turn.speaker:
            known = relation(re.sub(r"^my\s+(?:\w+\s+(?=\w))?", "", value, flags=re.IGNORECASE))
            who = Who(f"{turn.speaker}:{known}" + (f":{who.key}" if known in MANY else ""), who.surface)
            turn.mention(who)
            return [Raw(who, "name", who.surface, "en.relation", Kind.PROFILE, text)]
        turn.mention(who)
        return [
            Raw(
                who, predicate.attribute, value, predicate.rule, predicate.kind, stated(text, who),
                negated=predicate.negated, ended=predicate.ended, update=predicate.update,
            )
        ]  # fmt: skip
    is_name = re.fullmatch(rf"is\s+(?P<v>{NAME})", rest)
    if is_name and ":" in who.key and who.person:
        turn.mention(who)
        return [Raw(who, "name", is_name["v"], "en.is_name", Kind.PROFILE, stated(text, who))]
    if who.key != turn.speaker:
        turn.mention(who)
    return []


def _scheduled(text: str, work: str, turn: Turn) -> list[Raw]:
    found = schedule.read_en(work)
    if found is None or found[0].split()[0].lower() in {"it", "that", "there", "this"}:
        return []
    thing, value, changed = found
    who = Who(re.sub(r"^(?:our|my)\s+", "", thing, flags=re.IGNORECASE), thing, person=False)
    cleaned = clean_value(value)
    if cleaned is None or re.search(r"\b(?:I|you|he|she|we|they|that|who)\b", who.key):
        return []
    turn.mention(who)
    return [Raw(who, "time", cleaned, "en.scheduled", Kind.FACT, stated(text, who), update=changed)]
