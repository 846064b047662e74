"""Reads facts out of one English clause."""

from __future__ import annotations

import re
from dataclasses import replace

from memories.core.extraction import schedule
from memories.core.extraction.attributes import lookup
from memories.core.extraction.en import amounts as en_amounts
from memories.core.extraction.en import changes as en_changes
from memories.core.extraction.en import dates as en_dates
from memories.core.extraction.en import done as en_done
from memories.core.extraction.en import forms as forms_en
from memories.core.extraction.en import things as en_things
from memories.core.extraction.en.attributes import read_attribute
from memories.core.extraction.en.dates import TIME
from memories.core.extraction.en.moods import stated_part
from memories.core.extraction.en.opening import opened, written_out
from memories.core.extraction.en.rules import LEAD, NAME, PREDICATES, clean_value, plausible_job
from memories.core.extraction.en.subjects import possessive, stated, subject
from memories.core.extraction.raw import Pending, Raw, Turn, Who
from memories.core.extraction.relations import MANY, relation
from memories.core.kinds import Kind

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
    found = _whole(text, work, turn) if held and not asked_words else []
    for words, states in ((stated_words, True), (asked_words, False)):
        if not words:
            continue
        whole = text if states and not asked_words and len(text) <= _SHORT else ""
        amounts = en_amounts.read(words, turn, held=states, whole=whole)
        for raw in [*amounts, *en_dates.read(words, turn, held=states, whole=whole)]:
            if not any(_covers(raw, other) for other in found):
                found.append(raw)
    if stated_words and not found:
        found = en_done.read(text, written_out(stated_words), turn)
    for sub in _REASONS.split(stated_words)[1:]:
        found += [
            raw
            for raw in en_done.read(sub, written_out(sub), turn)
            if raw.attribute not in {one.attribute for one in found}
        ]
    return found


def _covers(raw: Raw, other: Raw) -> bool:
    """Whether the whole clause was read for this value already."""
    return other.value is not None and raw.value is not None and raw.value in other.value


def _whole(text: str, work: str, turn: Turn) -> list[Raw]:
    """What the clause as a whole states."""
    corrected = _correction(work, turn)
    if corrected:
        return [corrected]
    opener = forms_en.OPENER.match(work)
    if opener:
        work = work[opener.end() :]
    changed = en_changes.read(text, work, turn)
    if changed:
        return changed
    if _announced(work, turn):
        return []
    ended = _ENDED.fullmatch(work)
    if ended:
        return _over(text, ended, turn)
    lead = _WHEN.match(work)
    if lead and lead.end() < len(work):
        work = work[lead.end() :]
    found = (
        forms_en.read_form(text, work, turn)
        or en_things.routine(text, work, turn)
        or _predicate(text, work, turn)
        or en_things.read(text, work, turn)
        or read_attribute(text, work, turn)
        or _scheduled(text, work, turn)
    )
    if found and found[-1].attribute and found[-1].value:
        turn.slot = (found[-1].who, found[-1].attribute, found[-1].value)
    return found


_SAYS_OF_SELF = re.compile(r"(?P<s>[^,]{2,40}?)\s+(?:said|says|told\s+(?:me|us)|mentioned|texted\s+me)\s+(?:that\s+)?(?=(?:his|her|their)\b)", re.IGNORECASE)  # fmt: skip
_ENDED = re.compile(
    r"(?P<s>.{1,50}?)\s+(?:(?P<no>no longer|(?:do|does|did) not|(?:am|is|are) not)\s+(?P<p>[a-z].{2,80}?)(?P<any>\s+(?:any\s?more|any longer))?"
    r"|(?P<used>used to)\s+(?P<p2>(?!be\b)[a-z].{2,80}?)|(?:have\s+|has\s+|recently\s+|just\s+|finally\s+)*(?P<quit>quit|stopped|gave up|given up)\s+(?P<p3>[a-z]+ing\b.{0,60}?))",
    re.IGNORECASE,
)
_WHEN = re.compile(rf"(?:(?:this|next|last)\s+(?:week|month|year|weekend|spring|summer|autumn|fall|winter|quarter)|(?:right\s+now|these\s+days|at\s+the\s+moment|as\s+of\s+(?:now|today|{TIME}))|(?:since|in|on|from|starting)\s+(?:(?:19|20)\d\d|{TIME})|{TIME}),?\s+(?=(?:I|we|he|she|they|my|our|his|her|the|[A-Z])\b)", re.IGNORECASE)  # fmt: skip


def _over(text: str, match: re.Match[str], turn: Turn) -> list[Raw]:
    """What held once: "I no longer live in X", "she used to work at Y", "I quit smoking"; the statement without the words that end it."""
    said = next(match[name] for name in ("p", "p2", "p3") if match[name])
    sure = match["no"] is None or match["no"].lower() == "no longer" or match["any"] is not None
    if not sure:  # "I do not like X" is a present fact of its own
        work = match[0]
        return (
            _is_none(text, match, turn)
            or forms_en.read_form(text, work, turn)
            or _predicate(text, work, turn)
            or read_attribute(text, work, turn)
            or _scheduled(text, work, turn)
        )
    if match["quit"]:
        found = subject(f"{match['s']} x", turn)
        value = clean_value(re.sub(r"\s+(?:last|this|in|on|since|after|a|two|three)\s.*$", "", said))
        if found is None or found[1] != "x" or value is None or found[0].key == turn.listener:
            return []
        turn.mention(found[0])
        return [
            Raw(
                found[0],
                "habit",
                value,
                "en.quit",
                Kind.PREFERENCE,
                stated(text, found[0]),
                ended=True,
                update=True,
            )
        ]
    verb = (
        ""
        if match["used"] or not re.match(r"(?:am|is|are)\b", match["no"] or "", re.IGNORECASE)
        else f"{match['no'].split()[0]} "
    )
    plain = f"{match['s']} {verb}{said}"
    found_raws = _predicate(text, plain, turn) or read_attribute(text, plain, turn)
    if not found_raws:
        return _predicate(text, match[0], turn)
    return [
        replace(raw, ended=True, update=True, stated=stated(text, raw.who))
        for raw in found_raws
        if raw.attribute != "plan"
    ]


def _is_none(text: str, match: re.Match[str], turn: Turn) -> list[Raw]:
    """ "Tom is not a vegetarian", "I don't use Slack": no to what would stand there with yes."""
    no = match["no"].lower().split()
    plain = f"{match['s']} {no[0] if no[0] in {'am', 'is', 'are'} else ''} {match['p']}".replace("  ", " ")
    raws = _predicate(text, plain, turn)
    if not raws or any(raw.attribute not in _DENIABLE or raw.negated for raw in raws):
        return []
    return [replace(raw, negated=True, stated=stated(text, raw.who)) for raw in raws]


_DENIABLE = frozenset({"diet", "allergy", "marital_status", "uses"})
"""Attributes that are worth knowing where the answer is no."""


def _correction(work: str, turn: Turn) -> Raw | None:
    """The clause after "X is not A": "it is B"."""
    pending, turn.pending = turn.pending, None
    moved = _AT_NOW.fullmatch(work) if pending is not None and pending.attribute == "employer" else None
    if pending is not None and moved is not None and (value := clean_value(moved["v"])) is not None:
        return Raw(
            pending.who, "employer", value, "en.new_job", Kind.PROFILE, stated(work, pending.who), update=True
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
        if value is not None and value[0].isupper() and predicate.attribute in _PLACED:
            value = re.sub(r",\s+(?!and\b|or\b)[a-z].*$", "", value)  # "Leeds, same flat and everything"
        if value is None or (predicate.attribute == "occupation" and not plausible_job(value)):
            continue
        if predicate.attribute in {"likes", "dislikes"}:
            value = re.sub(r"^also\s+", "", value)
            if _POINTS.search(value):
                continue
        if predicate.rule == "en.relation" and ":" not in who.key and who.key != turn.speaker:
            known = relation(re.sub(r"^my\s+(?:\w+\s+(?=\w))?", "", value, flags=re.IGNORECASE))
            who = Who(f"{turn.speaker}:{known}" + (f":{who.key}" if known in MANY else ""), who.surface)
            turn.mention(who)
            return [Raw(who, "name", who.surface, "en.relation", Kind.PROFILE, text)]
        turn.mention(who)
        if predicate.rule == "en.employer_ended":  # "Dan quit Tesco, he's at Aldi now"
            turn.pending = Pending(who, "employer", Kind.PROFILE, "changed")
        if predicate.rule == "en.uses":
            names = [value, *(match[1] for match in _AND_NAME.finditer(rest, rest.find(value) + len(value)))]
            return [Raw(who, "uses", name, predicate.rule, None, stated(text, who)) for name in names]
        return [
            Raw(
                who, predicate.attribute, value, predicate.rule, predicate.kind, stated(text, who),
                negated=predicate.negated, ended=predicate.ended, update=predicate.update or _new(work), when="past" if predicate.past else "",
            )
        ]  # fmt: skip
    is_name = re.fullmatch(rf"is\s+(?P<v>{NAME})", rest)
    if is_name and ":" in who.key and who.person:
        turn.mention(who)
        return [
            Raw(who, "name", is_name["v"], "en.is_name", Kind.PROFILE, stated(text, who), update=_new(work))
        ]
    if who.key != turn.speaker:
        turn.mention(who)
    return []


_PLACED = frozenset({"home", "employer", "workplace", "origin", "school"})


def _new(work: str) -> bool:
    """ "My new boss is …": another than before."""
    return re.match(r"(?:my|our)\s+(?:brand[- ])?new\s", work, re.IGNORECASE) is not None


_POINTS = re.compile(r"\b(?:it|them|him|her|those|these|this|they|you|your)\b|^to(?: (?:go|do|be|get|have|make|take|come|try))?$|^(?:that|theme|the (?:way|feeling|fact|idea|look|vibe)|all the)\b|^the [a-z]+(?: [a-z]+)? and [a-z]+", re.IGNORECASE)  # fmt: skip
"""A taste for what only the talk around it can tell."""
_AND_NAME = re.compile(r"(?:,|\band|\bwith)\s+([A-Z][\w.+#-]*(?: [A-Z0-9v][\w.+#-]*){0,3})")


def _scheduled(text: str, work: str, turn: Turn) -> list[Raw]:
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
