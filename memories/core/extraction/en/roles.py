"""Who has a part in something: "Priya is the lead on the billing project", "we hired Dana as our tester", "support is run by Viktor".

A part is a noun for somebody who does something, told by its ending or by what it heads; it belongs to whoever says "our", or to
the thing behind it. A later holder takes the place of the one before.
"""

from __future__ import annotations

import re

from memories.core.extraction.attributes import canonical_attribute
from memories.core.extraction.en.labels import living
from memories.core.extraction.en.measures import kind_named, slot_named
from memories.core.extraction.en.noun_words import CALENDAR, WORKS
from memories.core.extraction.en.plurals import singular
from memories.core.extraction.en.rules import NAME
from memories.core.extraction.en.subjects import NOT_NAMED, bare_name
from memories.core.extraction.en.verbs import is_past, lemma
from memories.core.extraction.raw import Raw, Turn, Who
from memories.core.extraction.relations import BY_WORD, MANY, relation
from memories.core.kinds import Kind
from memories.core.text.stopwords import word_set

_NAME = r"(?P<v>(?:(?:Mr|Mrs|Ms|Dr)\.?\s+)?[A-Z][\w'’-]+(?:\s[A-Z][\w'’-]+){0,2})"
_NOW = r"(?:\s+(?:now|instead|these days|from now on|going forward|as of .{2,20}|since .{2,20}|for now)){0,2}"
_PART = r"(?P<part>(?:[a-z][\w-]*\s+){0,3}(?:lead|head|chief|boss|captain|coach|chair|rep|admin|host|guide|PM|CEO|CTO|CFO|QA|DBA|nurse|cook|judge|treasurer|secretary|deputy|[a-z]+(?:er|or|ist|ian|ant|ent|eer|man|woman|person|lord|lady|mate|lead|head)))"
_IS = re.compile(
    rf"{_NAME}\s+(?:(?:has|have)\s+become|became|is|will\s+be|takes\s+over\s+as|took\s+over\s+as)\s+(?P<adv>(?:now|currently|officially|going\s+to\s+be)\s+)*(?P<det>my|our|the)\s+(?:new\s+)?{_PART}(?:\s+(?:of|on|for|at|in)\s+(?P<of>(?:the|our|my|this)\s+[\w' -]{{2,40}}?|[A-Z][\w-]*(?:\s[\w-]+){{0,2}}?))?{_NOW}"
)
_MADE = re.compile(
    rf"(?:I|we|they|he|she|the\s+[a-z]+)\s+(?:(?:have|has|had|just|now|finally|recently)\s+)*(?P<verb>[a-z]+)\s+{_NAME}\s+(?:as|to\s+be(?:come)?)\s+(?P<np>(?:my|our|the)\s+(?:new\s+)?[a-z].{{1,40}}?){_NOW}",
    re.IGNORECASE,
)
_DONE_BY = re.compile(
    rf"(?P<np>(?:(?:my|our|the)\s+)?[A-Za-z][\w'-]*(?:\s[\w'-]+){{0,4}}?)\s+(?:is|are|gets|will\s+be)\s+(?P<adv>(?:now|currently|being|going\s+to\s+be)\s+)*(?P<verb>[a-z]+)\s+by\s+{_NAME}{_NOW}"
)
_DOES = re.compile(
    rf"{_NAME}\s+(?P<adv>(?:now|currently)\s+)?(?P<verb>is\s+in\s+charge\s+of|is\s+responsible\s+for|looks\s+after|takes\s+care\s+of|handles|manages|runs|owns|leads|maintains|oversees|heads|coordinates|supervises|chairs)\s+(?P<np>(?:my|our|the)\s+[a-z][\w'-]*(?:\s[\w'-]+){{0,3}}?){_NOW}"
)
_REPORT = re.compile(
    rf"(?:I|[Ww]e)\s+(?:(?:now|will|currently)\s+)*(?:report|answer|am\s+reporting|reporting)\s+(?:directly\s+)?to\s+{_NAME}{_NOW}"
)
_HANDED = re.compile(
    rf"(?:I|[Ww]e|{NAME})\s+(?:(?:has|have|just|now|recently)\s+)*(?:handed|passed|gave|given|turned)\s+(?:over\s+)?(?P<np>(?:the|our|my)\s+[a-z][\w -]{{2,40}}?)\s+(?:over\s+|on\s+|off\s+)(?:to\s+)?{_NAME}{_NOW}"
    rf"|(?P<v2>{NAME})\s+(?:(?:has|have|just|now|recently)\s+)*(?:took|taken|takes|is\s+taking)\s+over\s+(?P<np2>(?:the|our|my)\s+[a-z][\w -]{{2,40}}?)(?:\s+from\s+{NAME})?{_NOW}"
)
_CARES = frozenset(["handle", "manage", "run", "own", "lead", "maintain", "oversee", "head", "coordinate", "supervise", "chair"])  # fmt: skip
"""Verbs of having something in one's care."""
_MAKES = frozenset(["hire", "appoint", "pick", "choose", "elect", "name", "get", "make", "have", "bring", "take", "add", "assign", "promote", "nominate", "select", "keep", "recruit"])  # fmt: skip
_PERFORMS = frozenset(["runs", "run", "leads", "led"])
"""Verbs that a single noun makes mean something else: "Ann runs our marathon"."""
_ONE_OF = frozenset(BY_WORD.values()) - MANY
"""Relations in which a person has one at a time: whose name it is, is read of them as of "my boss is ..."."""
_OPEN = re.compile(
    r"\b(?:it|that|this|who|which|not|and|or|in|on|at|for|of|with|to|from|by|well|now|every|each|all|most|[a-z]+ly|i|we|you|he|she|they)\b",
    re.IGNORECASE,
)
"""Words that no plain noun phrase holds."""
_ROOM = re.compile(r"(?!(?:bed|bath|rest|living)room)[a-z]{3,}(?:room|desk|shop)")
_DEPARTMENTS = word_set("legal finance marketing sales engineering product operations support security accounting procurement compliance headquarters management")  # fmt: skip
_NO_PART = frozenset(["other", "number", "order", "matter", "answer", "winner", "better", "present", "moment", "parent", "client", "patient", "brother", "sister", "mother", "father", "center", "paper", "server", "cluster", "container", "error", "editor", "compiler", "browser", "router", "container", "color", "letter", "chapter", "another", "reminder", "folder", "header", "parameter", "worker", "restaurant", "equivalent", "component", "environment", "document", "statement", "argument", "event", "content", "agent", "comment", "department", "apartment", "investment", "factor", "constant", "variant", "weather", "water", "dinner", "summer", "winter", "power", "tower", "offer", "corner", "character", "adapter", "reader", "player", "layer", "user", "customer", "partner"])  # fmt: skip


def read(text: str, work: str, turn: Turn) -> list[Raw]:
    """The one who has a part now; [] where the clause tells of none."""
    raw = (
        _above_me(work, text, turn)
        or _is(text, work, turn)
        or _made(text, work, turn)
        or _cares(text, work, turn)
    )
    if raw is None or raw.value is None or not _is_name(raw.value):
        return []
    turn.mention(raw.who)
    return [raw]


def _is(text: str, work: str, turn: Turn) -> Raw | None:
    match = _IS.fullmatch(work)
    if match is None or match["part"].split()[-1].lower() in _NO_PART:
        return None
    if match["det"] == "the" and not match["of"]:
        return None
    update = (
        re.search(r"\b(?:now|become|became|takes|took|new|going|instead|these days|from now on)\b", work)
        is not None
    )
    if match["of"] is None and relation(match["part"].lower()) in _ONE_OF:
        who = Who(
            f"{turn.speaker}:{relation(match['part'].lower())}",
            f"{match['det'].capitalize()} {match['part']}",
        )
        return Raw(who, "name", match["v"], "en.part", Kind.PROFILE, text, update=update)
    if match["of"] is None:
        slot = slot_named(f"{match['det']} {match['part']}", turn)
        return Raw(*slot, match["v"], "en.part", kind_named(slot[1]), text, update=update) if slot else None
    if match["det"] == "the" and not (re.match(r"(?:our|my)\s", match["of"]) or _is_work(match["of"])):
        return None  # "Ana is the mayor of Oslo" is in every book
    if re.search(r"\b(?:i|we|you|he|she|it|they|who|that|which)\b", match["of"], re.IGNORECASE):
        return None  # "on the show we watched"
    return _of(match["of"], match["part"], match["v"], text, update=update)


def _above_me(work: str, text: str, turn: Turn) -> Raw | None:
    """ "I report to Elena now": who the speaker's boss is."""
    match = _REPORT.fullmatch(work)
    if match is None:
        return None
    if match["v"].isupper() or match["v"].lower() in _DEPARTMENTS:
        return None  # "I report to HR"
    boss = Who(f"{turn.speaker}:{relation('manager')}", "My manager")
    update = re.search(r"\b(?:now|instead|these days|from now on)\b", work) is not None
    return Raw(boss, "name", match["v"], "en.reports_to", Kind.PROFILE, text, update=update)


def _of(thing: str, part: str, value: str, text: str, *, update: bool) -> Raw:
    name = re.sub(r"^(?:the|our|my|this)\s+", "", thing.strip(), flags=re.IGNORECASE)
    attribute = canonical_attribute(part)
    who = Who(bare_name(name), name, person=False)
    return Raw(who, attribute, value, "en.part", Kind.FACT, text, update=update)


def _made(text: str, work: str, turn: Turn) -> Raw | None:
    match = _MADE.fullmatch(work)
    if match is None or not is_past(match["verb"]) or lemma(match["verb"]) not in _MAKES:
        return None
    slot = slot_named(match["np"], turn)
    return Raw(*slot, match["v"], "en.part", kind_named(slot[1]), text, update=True) if slot else None


def _cares(text: str, work: str, turn: Turn) -> Raw | None:
    """ "Ana runs the helpdesk", "the helpdesk is run by Ana": it is in her care, whatever the verb."""
    handed = _HANDED.fullmatch(work)
    if handed:
        name = handed["v"] or handed["v2"]
        words = handed["np"] or handed["np2"]
        if not _is_work(words):
            return None
        thing = re.sub(r"^(?:my|our|the)\s+", "", words, flags=re.IGNORECASE)
        who = Who(bare_name(thing), thing, person=False)
        return Raw(who, "owner", name, "en.in_care", Kind.FACT, text, update=True)
    match = _DOES.fullmatch(work) or _DONE_BY.fullmatch(work)
    if match is None or (match.re is _DONE_BY and lemma(match["verb"]) not in _CARES):
        return None
    words = re.sub(r"^(?:my|our|the)\s+", "", match["np"], flags=re.IGNORECASE)
    if _OPEN.search(words) or len(words.split()) > 4 or living(words):
        return None
    own = re.match(r"(?:my|our)\s", match["np"], re.IGNORECASE) is not None
    told = match["verb"].startswith("is ") or (own and (" " in words or match["verb"] not in _PERFORMS))
    bare = match["np"] == words and " " in words  # "travel bookings are handled by ..."
    if not (_is_work(match["np"]) or told or (bare and match.re is _DONE_BY)):
        return None
    who = Who(
        bare_name(words.lower() if words[:1].isupper() and " " in words else words), words, person=False
    )
    update = match["adv"] is not None or work.endswith((" now", " instead", " these days"))
    return Raw(who, "owner", match["v"], "en.in_care", Kind.FACT, text, update=update)


def _is_work(words: str) -> bool:
    """Whether the words name something that people have in charge, as one noun phrase with nothing behind it."""
    last = words.split()[-1].lower()
    if _OPEN.search(words):
        return False
    return last in WORKS or singular(last) in WORKS or _ROOM.fullmatch(last) is not None


def _is_name(value: str) -> bool:
    first = re.sub(r"^(?:Mr|Mrs|Ms|Dr)\.?\s+", "", value).split()[0]
    low = value.lower()
    return first not in NOT_NAMED and first.lower().removesuffix("s") not in CALENDAR and low not in BY_WORD
