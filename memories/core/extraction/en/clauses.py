"""Reads facts out of one English clause."""

from __future__ import annotations

import re
from collections.abc import Sequence

from memories.core.extraction.attributes import canonical_attribute, lookup
from memories.core.extraction.en import acts as en_acts
from memories.core.extraction.en import amounts as en_amounts
from memories.core.extraction.en import bare as en_bare
from memories.core.extraction.en import changes as en_changes
from memories.core.extraction.en import dates as en_dates
from memories.core.extraction.en import done as en_done
from memories.core.extraction.en import exchanges as en_exchanges
from memories.core.extraction.en import forms as forms_en
from memories.core.extraction.en import labels as en_labels
from memories.core.extraction.en import roles as en_roles
from memories.core.extraction.en import things as en_things
from memories.core.extraction.en.attributes import read_attribute
from memories.core.extraction.en.dates import TIME
from memories.core.extraction.en.ended import ENDED, over
from memories.core.extraction.en.measures import kind_named
from memories.core.extraction.en.moods import stated_part
from memories.core.extraction.en.opening import opened
from memories.core.extraction.en.plurals import singular
from memories.core.extraction.en.predicates import predicates, scheduled
from memories.core.extraction.en.recast import plainer
from memories.core.extraction.en.rules import LEAD, NAME, REL, clean_value
from memories.core.extraction.en.subjects import possessive, stated, subject
from memories.core.extraction.raw import Pending, Raw, Turn
from memories.core.kinds import Kind
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
    corrected = _correction(work, turn)
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
    if _announced(work, turn):
        return []
    ended = ENDED.fullmatch(work)
    if ended:
        was = over(text, ended, turn)
        _await_the_next(was, ended, turn)
        return was
    found = (
        forms_en.read_form(text, work, turn)
        or en_things.routine(text, work, turn)
        or predicates(text, work, turn)
        or en_things.read(text, work, turn)
        or read_attribute(text, work, turn)
        or scheduled(text, work, turn)
        or _next_of(work, waiting, turn)
    )
    if turn.pending is None:
        en_exchanges.parted_with(work, turn)
    if found and found[-1].attribute and found[-1].value:
        turn.slot = (found[-1].who, found[-1].attribute, found[-1].value)
    return found


def _await_the_next(was: Sequence[Raw], ended: re.Match[str], turn: Turn) -> None:
    """After "no longer goes to A", "she goes to B" tells of the same, whatever B is."""
    if not was or not was[0].ended or not was[0].attribute or not was[0].value:
        return
    words = next(ended[name] for name in ("p", "p2", "p3") if ended[name])
    frame, value, _ = words.partition(was[0].value)
    if value and len(frame.split()) > 1:
        turn.pending = Pending(was[0].who, was[0].attribute, was[0].kind, "over", was[0].value, frame.strip())


def _next_of(work: str, waiting: Pending | None, turn: Turn) -> list[Raw]:
    found = subject(work, turn) if waiting is not None and waiting.how == "over" else None
    if waiting is None or found is None or found[0].key != waiting.who.key:
        return []
    verb, _, rest = waiting.by.partition(" ")
    base = re.sub(r"(?<=[oxhs])es$|(?<=[^s])s$", "", verb)
    match = re.fullmatch(
        rf"(?:now\s+|currently\s+)*{re.escape(base)}(?:e?s)?\s+{re.escape(rest)}\s+(?P<v>(?:the\s+)?[A-Z\d].{{1,40}}?)(?:\s+(?:now|instead|these\s+days))*",
        found[1],
    )
    value = clean_value(match["v"]) if match else None
    if value is None:
        return []
    return [
        Raw(found[0], waiting.attribute, value, "en.next", waiting.kind, stated(work, found[0]), update=True)
    ]


_SAYS_OF_SELF = re.compile(r"(?P<s>[^,]{2,40}?)\s+(?:said|says|told\s+(?:me|us)|mentioned|texted\s+me)\s+(?:that\s+)?(?=(?:his|her|their)\b)", re.IGNORECASE)  # fmt: skip
_WHEN = re.compile(rf"(?:(?:this|next|last)\s+(?:week|month|year|weekend|spring|summer|autumn|fall|winter|quarter)|(?:right\s+now|these\s+days|at\s+the\s+moment|as\s+of\s+(?:now|today|{TIME}))|(?:since|in|on|from|starting)\s+(?:(?:19|20)\d\d|{TIME})|{TIME})(?:,\s+(?=\w)|\s+(?=(?:I|we|he|she|they|my|our|his|her|the|[A-Z])\b))", re.IGNORECASE)  # fmt: skip


def _correction(work: str, turn: Turn) -> Raw | None:
    """The clause after "X is not A": "it is B"."""
    pending, turn.pending = turn.pending, None
    moved = (
        _AT_NOW.fullmatch(work)
        if pending is not None and pending.attribute in {"employer", "school"}
        else None
    )
    other = _THE_NEW_ONE.fullmatch(work) if pending is not None and pending.how == "changed" else None
    if pending is not None and pending.how == "parted":
        return en_exchanges.taken_up(work, pending)
    if pending is not None and other is not None and (value := clean_value(other["v"])) is not None:
        turn.slot = (pending.who, pending.attribute, value)
        return Raw(
            pending.who, pending.attribute, value, "en.new_one", pending.kind, stated(work, pending.who), update=True
        )  # fmt: skip
    if pending is not None and moved is not None and (value := clean_value(moved["v"])) is not None:
        return Raw(
            pending.who,
            pending.attribute,
            value,
            "en.new_job",
            Kind.PROFILE,
            stated(work, pending.who),
            update=True,
        )
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


_THE_NEW_ONE = re.compile(
    r"(?:I|we|he|she|they)\s+(?:(?:am|is|are|now|currently|just|have)\s+)*(?:go|goes|going|see|sees|seeing|use|uses|using|with|have|has|got|picked|chose|found|signed\s+up)\s+(?:(?:now|to|with|at|by|for)\s+)*(?P<v>(?:(?:Dr|Mr|Mrs|Ms)\.?\s+)?[A-Z][\w&'’.-]*(?:\s[A-Z&][\w&'’.-]*){0,3})(?:\s+(?:now|instead|these\s+days|from\s+now\s+on))*"
)
_CHANGED_KIND = re.compile(
    r"(?:(?:have|has|just|recently|finally|also)\s+)*(?:changed|switched|swapped)\s+(?:my\s+|our\s+|his\s+|her\s+)?(?P<a>[a-z]+(?:\s[a-z]+)?s)(?:\s+(?:last|this)\s+\w+|\s+(?:again|recently|too))*",
    re.IGNORECASE,
)
"""One of a kind for another of it ("I changed dentists"): the next clause says which."""
_GOT_NEW = re.compile(
    r"(?:(?:have|has|had|just|finally|recently|now)\s+)*(?:have|has|got|found|started|landed|picked\s+up)\s+(?:myself\s+|himself\s+|herself\s+)?an?\s+(?:brand[- ])?(?:new|different|better)\s+(?P<a>[a-z]+(?:\s[a-z]+)?)(?:\s+(?:now|last\s+\w+|this\s+\w+|yesterday|today))?",
    re.IGNORECASE,
)
_AT_NOW = re.compile(
    rf"(?P<s>I|we|he|she|they|{NAME})\s+(?:am|is|are|work|works|started|will\s+be|start|starts)\s+(?:(?:now|currently|working|starting)\s+)*(?:at|with|for)\s+(?P<v>(?:the\s+)?[A-Z][\w&'.-]*(?:\s[A-Z&][\w&'.-]*){{0,3}})(?:\s+(?:now|instead|these\s+days|from\s+.{{2,20}}|next\s+\w+))*"
)


def _announced(work: str, turn: Turn) -> bool:
    """ "I got a new number": the next clause tells which ("it's 555-0199")."""
    found = subject(work, turn)
    match = _GOT_NEW.fullmatch(found[1]) if found else None
    kind = _CHANGED_KIND.fullmatch(found[1]) if found else None
    if found is not None and kind is not None and found[0].key != turn.listener:
        turn.mention(found[0])
        attribute = canonical_attribute(singular(kind["a"].lower()))
        attribute = "employer" if attribute == "occupation" else attribute
        turn.pending = Pending(found[0], attribute, kind_named(attribute), "changed")
        return True
    if found is None or match is None or found[0].key == turn.listener:
        return False
    word = match["a"].lower()
    row = lookup(word)
    if row is None:
        return False
    turn.mention(found[0])
    attribute = "employer" if row.name == "occupation" else row.name
    turn.pending = Pending(found[0], attribute, row.kind, "changed")
    return True
