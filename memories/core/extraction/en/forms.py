"""Other ways in which English states an attribute: "<value> is the <attribute> of <subject>", "<subject> is due by <time>"."""

from __future__ import annotations

import re
from dataclasses import replace

from memories.core.extraction import schedule
from memories.core.extraction.attributes import EN_WORDS, canonical_attribute, lookup
from memories.core.extraction.en.rules import NAME, clean_value
from memories.core.extraction.en.subjects import NOT_NAMED, me, owner_of
from memories.core.extraction.raw import Pending, Raw, Turn, Who
from memories.core.kinds import Kind

_WORD = "(?:" + "|".join(re.escape(word) for word in EN_WORDS) + ")"
_OWNER = r"(?P<s>(?:the\s+|project\s+|our\s+|my\s+)*[\w'-]+(?:\s+[\w'-]+){0,4}?)"
_INVERTED = re.compile(
    rf"(?P<v>(?-i:[A-Z0-9$€£])[\w .&'-]{{1,50}}?)\s+is\s+(?:now\s+|still\s+)?the\s+(?:new\s+)?(?P<a>{_WORD})\s+(?:of|for)\s+{_OWNER}",
    re.IGNORECASE,
)
_DUE = re.compile(
    rf"{_OWNER}\s+(?:now\s+)?(?:(?:has|have|needs?)\s+to\s+be|must\s+be|should\s+be|will\s+be|is\s+to\s+be)\s+(?:delivered|finished|completed|shipped|submitted|handed\s+in|released|launched|ready|done|live)\s+(?:by|before|on|no\s+later\s+than)\s+(?P<v>.{{3,40}})"
    rf"|(?P<s2>(?:the\s+|our\s+|my\s+)?[\w'-]+(?:\s+[\w'-]+){{0,4}}?)\s+is\s+(?:now\s+)?due\s+(?:on|by|at)?\s*(?P<v2>.{{3,40}})",
    re.IGNORECASE,
)
_CALL = re.compile(
    rf"(?:(?:[Yy]ou)\s+)?(?:can\s+|may\s+)?(?:[Rr]each|[Cc]all|contact|text)\s+(?P<s>{NAME}|[Mm]y\s+\w+|me)\s+(?:on|at|under|via|by)\s+(?:his\s+|her\s+|the\s+)?(?P<a>[a-z]+(?:\s[a-z]+)?\s+)?(?P<v>[\w@.+()-]*\d[\w@.+() -]*|[\w.+-]+@[\w.-]+)(?P<now>\s+(?:now|from\s+now\s+on|these\s+days|instead))?"
)
_CALLED = re.compile(
    rf"(?:(?:[Yy]ou\s+(?:can|may|should)|[Pp]lease|[Jj]ust|[Ss]o|(?:[Mm]y\s+)?(?:[Ff]riends|[Cc]olleagues|[Ff]amily|[Pp]eople)|[Ee]very(?:one|body)|[Tt]hey|all|usually|mostly)\s+)*[Cc]alls?\s+me\s+(?P<v>{NAME})(?:,?\s+(?:not|instead\s+of|rather\s+than)\s+{NAME})?"
)
_HAS = re.compile(
    rf"{_OWNER}\s+(?:has|have|got|gets)\s+(?:an?|its|his|her|their)\s+(?P<new>new\s+)?(?:fixed\s+|regular\s+|weekly\s+)?(?P<a>[\w-]+(?:\s[\w-]+){{0,2}}?)\s*(?:of|on|at|:|,|-|–)\s*(?P<v>.{{2,50}})",
    re.IGNORECASE,
)
_BUILT = re.compile(
    rf"{_OWNER}\s+(?:is|will\s+be|was|gets|has\s+to\s+be|is\s+going\s+to\s+be)\s+(?P<now>now\s+)?(?:built|made|written|developed|implemented|programmed)\s+(?:with|in|on|using)\s+(?P<v>.{{2,40}}?)(?:\s+(?:instead|now))?"
    r"|(?:(?:we|they|i)\s+)?(?:have\s+|finally\s+)*(?:decided|agreed|chose|are\s+going|want)\s+to\s+(?:build|make|write|develop|implement)\s+(?P<s2>[\w'-]+(?:\s+[\w'-]+){0,3}?)\s+(?:with|in|on|using)\s+(?P<v2>.{2,40}?)(?:\s+instead)?",
    re.IGNORECASE,
)
_REPORTS = re.compile(
    rf"(?P<s>{NAME})\s+(?P<now>now\s+)?reports\s+(?:directly\s+)?to\s+(?P<v>{NAME})(?P<now2>\s+now)?"
)
_CHANGED = re.compile(
    rf"(?:the\s+)?(?P<a>{_WORD}|[\w-]+)\s+(?:of|for)\s+{_OWNER}\s+(?:has|was|is|got|have)\s*(?:been\s+)?(?:changed|updated|different|replaced)(?:\s+now)?"
    rf"|(?:we|they|i)\s+(?:have\s+|just\s+)*(?:changed|updated|replaced|switched)\s+the\s+(?P<a2>{_WORD}|[\w-]+)\s+(?:of|for)\s+(?P<s2>[\w'-]+(?:\s+[\w'-]+){{0,4}})",
    re.IGNORECASE,
)
_ABOUT = re.compile(
    r"(?:for|regarding|concerning|about|as\s+for|as\s+to)\s+(?P<s>(?:the\s+|project\s+|our\s+|my\s+)*[\w'-]+(?:\s+[\w'-]+){0,4})",
    re.IGNORECASE,
)
OPENER = re.compile(
    r"(?:we|i|they|the team)\s+(?:have\s+|all\s+|finally\s+)*(?:agreed|decided|settled|concluded)\s+that\s+|it\s+(?:is|was|has\s+been)\s+(?:settled|decided|agreed)\s+that\s+|(?:we|i|they)\s+(?:have\s+|'ve\s+)?changed\s+(?:our|my|their)\s+minds?[,:]?\s+(?=\w)|(?:from now on|going forward|as of now|starting (?:today|now|next week)),?\s+(?=\w)",
    re.IGNORECASE,
)


def read_form(text: str, work: str, turn: Turn) -> list[Raw]:
    """The fact of one of these forms, or []; "for project X" alone names what the next clause is about."""
    for reader in (_inverted, _due, _call, _called, _has, _built, _reports):
        raw = reader(work, turn)
        if raw is not None:
            turn.mention(raw.who)
            return [replace(raw, stated=text)]
    changed = _CHANGED.fullmatch(work)
    if changed and (who := owner_of(changed["s"] or changed["s2"], turn)):
        word = changed["a"] or changed["a2"]
        row = lookup(word)
        turn.pending = Pending(who, canonical_attribute(word), row.kind if row else None, "changed")
        turn.mention(who)
        return []
    about = _ABOUT.fullmatch(work)
    if about and (who := owner_of(about["s"], turn)):
        turn.mention(who)
    return []


def _inverted(work: str, turn: Turn) -> Raw | None:
    match = _INVERTED.fullmatch(work)
    if match is None or re.match(
        r"(?:this|that|it|he|she|they|there|what|who|i|you|we|the|my|our)\b", match["v"], re.IGNORECASE
    ):
        return None
    row, who, value = lookup(match["a"]), owner_of(match["s"], turn), clean_value(match["v"])
    if row is None or who is None or value is None:
        return None
    return Raw(who, row.name, value, "en.inverted", row.kind, work, update=" now " in work)


def _due(work: str, turn: Turn) -> Raw | None:
    match = _DUE.fullmatch(work)
    if match is None:
        return None
    value = clean_value(match["v"] or match["v2"])
    subject = match["s"] or match["s2"]
    if (
        value is None
        or not schedule.starts_with_time(value)
        or re.match(r"(?:it|this|that|i|we|you|he|she|they)\b", subject, re.IGNORECASE)
    ):
        return None
    who = owner_of(subject, turn)
    return Raw(who, "deadline", value, "en.due", Kind.FACT, work, update=" now " in work) if who else None


def _call(work: str, turn: Turn) -> Raw | None:
    match = _CALL.fullmatch(work)
    who = None if match is None else me(turn) if match["s"] == "me" else owner_of(match["s"], turn)
    if match is None or who is None:
        return None
    value = match["v"].strip()
    word = (match["a"] or ("email" if "@" in value else "phone")).strip()
    return Raw(
        who, canonical_attribute(word), value, "en.reach", Kind.PROFILE, work, update=match["now"] is not None
    )


def _called(work: str, turn: Turn) -> Raw | None:
    """ "Call me Ann", "my friends call me Ann"."""
    match = _CALLED.fullmatch(work)
    if match is None or match["v"].split()[0] in NOT_NAMED:
        return None
    return Raw(me(turn), "nickname", match["v"], "en.called", Kind.PROFILE, work)


def _has(work: str, turn: Turn) -> Raw | None:
    """ "X has a budget limit of 5", "Anna got a new extension: 31", "X has its sync meeting on Friday"."""
    match = _HAS.fullmatch(work)
    value = clean_value(match["v"]) if match else None
    if (
        match is None
        or value is None
        or re.match(r"(?:i|we|you|he|she|it|they|there)\b", match["s"], re.IGNORECASE)
    ):
        return None
    who = owner_of(match["s"], turn)
    if who is None:
        return None
    row = lookup(match["a"])
    if row is None and schedule.starts_with_time(value):
        thing = Who(f"{who.key} {match['a'].lower()}", f"{who.surface}'s {match['a']}", person=False)
        return Raw(thing, "time", value, "en.has_time", Kind.FACT, work, update=match["new"] is not None)
    named = re.fullmatch(NAME, value) is not None  # "Anna has a new manager: Bob Lee"
    if row is None and not (match["new"] and (named or re.search(r"\d", value))):
        return None
    return Raw(
        who,
        canonical_attribute(match["a"]),
        value,
        "en.has",
        row.kind if row else None,
        work,
        update=match["new"] is not None,
    )


def _built(work: str, turn: Turn) -> Raw | None:
    """ "X is built with Y", "we decided to write X in Y": what a thing is made with; it may be several."""
    match = _BUILT.fullmatch(work)
    if match is None:
        return None
    subject, value = match["s"] or match["s2"], clean_value(match["v"] or match["v2"])
    if value is None or re.match(
        r"(?:it|this|that|i|we|you|he|she|they|what|a|an|some)\b", subject, re.IGNORECASE
    ):
        return None
    who = owner_of(subject, turn)
    if who is None:
        return None
    return Raw(who, "built_with", value, "en.built_with", None, work, update=bool(match["now"]))


def _reports(work: str, turn: Turn) -> Raw | None:
    """ "Anna reports to Bob": her manager."""
    match = _REPORTS.fullmatch(work)
    who = owner_of(match["s"], turn) if match else None
    if match is None or who is None:
        return None
    return Raw(
        who,
        "manager",
        match["v"],
        "en.reports_to",
        Kind.FACT,
        work,
        update=bool(match["now"] or match["now2"]),
    )
