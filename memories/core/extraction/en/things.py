"""What English says of things without naming the attribute: what they cost, when they open or end, where they take place."""

from __future__ import annotations

import re

from memories.core.extraction.attributes import canonical_attribute
from memories.core.extraction.en.dates import TIME
from memories.core.extraction.en.noun_words import MEASURES
from memories.core.extraction.en.plurals import singular
from memories.core.extraction.en.rules import NAME, clean_value
from memories.core.extraction.en.subjects import bare_name, me, owner_of, stated, subject
from memories.core.extraction.raw import Raw, Turn, Who
from memories.core.kinds import Kind
from memories.core.times.english import MONTH, WEEKDAY

_NP = r"(?P<s>(?:my|our|the|this|that|his|her|[A-Z][\w-]*['’]s)\s+(?:(?!(?:is|are|was|were|has|have|had|will|to|that|which|who|and|or|it|I|we|he|she|they|you|now|just|usually)\b)[\w'’&-]+\s+){1,5}?(?:(?:to|for|from)\s+(?:(?:the|my|our)\s+)?[\w-]+\s+)?|(?-i:[A-Z])[\w.+&-]*(?:\s(?-i:[A-Z])[\w.+&-]*){0,3}\s+)"
_ADV = r"(?:(?:now|just|only|usually|normally|currently|actually|still|always|officially|already|never|also|even|has|have|had|gone up and|will)\s+)*"
_PERIOD = r"(?:\s+(?:a|an|per|each|every)\s+(?:day|week|fortnight|month|quarter|year|hour|night|person|seat|head|user)|/\s?\w+|\s+(?:monthly|weekly|yearly|annually|daily))?"
_MONEY = rf"(?:[$€£¥₹]\s?\d[\d,.]*\d?k?|\d[\d,.]*k?\s?(?:dollars|bucks|euros|pounds|yuan|rmb|usd|eur|gbp)){_PERIOD}"
_REST = r"(?:\s+(?:now|these days|at the moment|instead|already|from (?:this|next) \w+|since \w+|this year|as of \w+|in total|these days|(?:since|because|after|thanks to|with|on|for)\s.{2,60})){0,2}"
_COSTS = re.compile(
    rf"{_NP}{_ADV}(?:costs?(?:\s+(?:me|us))?|sets?\s+(?:me|us)\s+back|runs?\s+(?:me|us)|comes\s+to|goes\s+for)\s+{_ADV}(?:about\s+|around\s+)?(?P<v>{_MONEY}){_REST}",
    re.IGNORECASE,
)
_LASTS = re.compile(
    rf"{_NP}{_ADV}(?:takes?(?:\s+(?:me|us))?|lasts?|goes\s+on\s+for)\s+{_ADV}(?:about\s+|around\s+|roughly\s+)?(?P<v>(?:\d[\d.,]*|an?|half\s+an)\s?(?:minutes?|mins?|hours?|hrs?|days?|weeks?|months?|years?|seconds?)){_REST}",
    re.IGNORECASE,
)
_NAMED_IS = re.compile(rf"(?P<s>(?-i:[A-Z])[\w.+&-]*(?:\s(?-i:[A-Z])[\w.+&-]*){{0,2}})\s+is\s+{_ADV}(?P<v>[$€£¥₹]\s?\d[\d,.]*\d?k?{_PERIOD}){_REST}", re.IGNORECASE)  # fmt: skip
_PAYS = re.compile(
    rf"{_ADV}(?:pay|pays|am\s+paying|is\s+paying|are\s+paying|spend|spends)\s+{_ADV}(?:about\s+|around\s+)?(?P<v>{_MONEY})\s+(?:for|in|on|towards)\s+(?P<own>my\s+|our\s+|the\s+|his\s+|her\s+)?(?P<t>[A-Za-z][\w&'-]*(?:\s[\w&'-]+){{0,3}}?)(?P<p>{_PERIOD}){_REST}",
    re.IGNORECASE,
)
_HOURS = {
    "opening_time": "opens open opened",
    "closing_time": "closes close shuts shut closed",
    "departure_time": "leaves leave departs depart",
    "arrival_time": "arrives arrive lands land",
    "end_time": "ends end finishes finish wraps",
    "expiry_date": "expires expire expired",
    "renewal_date": "renews renew",
}
_COMES_AND_GOES = frozenset({"leave", "leaves", "arrives", "finish", "finishes"})
_VERB = {verb: name for name, verbs in _HOURS.items() for verb in verbs.split()}
_CLOCK = re.compile(
    rf"{_NP}{_ADV}(?P<verb>{'|'.join(_VERB)}|(?:run|come|go|fire|kick|air|deploy|sync|ship|arrive|start|resume|reopen|happen|repeat)s?)(?:\s+(?:up|off|out))?\s+(?:at|on|in|by|around)\s+(?P<v>(?:every\s+)?{TIME}|\d{{1,2}}(?::\d\d)?|{MONTH}(?:\s+\d{{4}})?|(?:19|20)\d\d)(?:\s+on\s+(?P<days>week(?:days|ends)|{WEEKDAY}s?))?{_REST}",
    re.IGNORECASE,
)
_EVENT = (
    r"(?:wedding|offsite|off-site|party|meeting|meet-?up|conference|workshop|interview|concert|exam|dinner|lunch|brunch|breakfast|launch|retreat|ceremony|reunion|gig|standup|appointment|session|rehearsal|"
    r"class|course|lesson|lecture|seminar|match|game|race|marathon|tournament|reception|funeral|festival|exhibition|show|play|camp|summit|hackathon|presentation|talk|training|event|picnic|barbecue|bbq|graduation|audition|gala|ball|fair|fundraiser|market|screening|premiere)s?"
)
_PLACE = r"(?P<v>(?:room|hall|building|gate|platform|suite|studio|bay)\s+[A-Z]?\d\w*|(?:the\s+)?(?-i:[A-Z0-9])[\w'’&.-]*(?:\s(?:of\s|the\s|de\s)*(?-i:[A-Z0-9])[\w'’&.-]*){0,4}(?:\s(?:hotel|park|hall|room|office|street|building|centre|center|library|church|school|restaurant|cafe|café|bar|pub|studio|campus|beach|station))?)"
_HELD = re.compile(
    rf"(?P<s>(?:(?:my|our|the|this)\s+|[A-Z][\w-]*['’]s\s+|(?-i:[A-Z])[\w-]+\s+)(?:[\w'’-]+\s+){{0,3}}?{_EVENT})\s+(?:is|are|will\s+be|takes\s+place|happens|(?:(?:has|had|was|were|got|been|just|now)\s+)*[a-z]+ed(?=\s+to\b))\s+(?:(?:now|actually|still|being|going\s+to\s+be|taking\s+place|held|happening)\s+)*(?:in|at|to)\s+{_PLACE}(?:\s+(?:now|instead|this\s+(?:year|time)|after\s+all))*",
    re.IGNORECASE,
)
_NO_PLACE = re.compile(rf"(?:{MONTH}|{WEEKDAY}|\d)", re.IGNORECASE)
_FAVOURITE = re.compile(
    r"(?P<v>[A-Za-z][\w'’ -]{1,40}?)\s+(?:is|are)\s+(?:still\s+|now\s+|by\s+far\s+|definitely\s+|probably\s+)*(?P<own>my|his|her|our|[A-Z]\w+['’]s)\s+(?:all-?time\s+|absolute\s+|new\s+)*(?P<least>least\s+)?favou?rites?(?:\s+(?P<n>[a-z][a-z -]{1,30}?))?(?:\s+(?:on|for|in|at|when|of)\s+.{2,30})?(?:\s+now)?",
    re.IGNORECASE,
)
_RATHER = re.compile(
    r"would\s+(?:always\s+|rather\s+|much\s+rather\s+)*(?:pick|choose|take|have)\s+(?P<v>[A-Za-z][\w' -]{1,30}?)\s+(?:over|rather\s+than|instead\s+of)\s+(?P<o>[A-Za-z][\w' -]{1,30}?)(?:\s+any\s+(?:day|time).*|\s+every\s+time.*)?",
    re.IGNORECASE,
)
_WHILE = re.compile(
    r"(?:am|is|are)\s+(?:(?:currently|still|only|just)\s+)*(?:"
    r"(?:[a-z]+ing|on|off|out|away|in|at|without|back|stuck|busy)\b(?!\s+to\b).{0,60}?\b(?:until|till)\s+\S.*"
    r"|(?:staying|working|living|sleeping|travell?ing|visiting|house-?sitting|covering|filling|using|driving|renting|borrowing|eating|taking|recovering|commuting|on|off|out|away)\b.{2,60}?\b"
    r"(?:for\s+(?:today|now|the\s+(?:day|week|weekend|month|time\s+being)|the\s+next\s+.{2,20})|this\s+(?:week|weekend|month))\b.*)",
    re.IGNORECASE | re.DOTALL,
)
_NOT = re.compile(
    r"\b(?:not|never|no longer|cannot)\b|n't\b|\b(?:if|whether|would have|could|might|should|may|want|wants|hope|wish)\b",
    re.IGNORECASE,
)


_HOUR = rf"(?:{TIME}|\d{{1,2}}(?::\d\d)?(?:\s?[ap]m)?|noon|midnight)"
_ROUTINE = re.compile(
    rf"(?P<mark>(?:(?:usually|normally|typically|always|generally|now|currently)\s+)*)(?P<do>(?:wake|get|go|leave|start|finish|have|eat|take|catch|log|open|close|walk|head|pick|drop|arrive|train|practi[sc]e|meet)s?(?:\s+(?:up|off|on|out|to|in|for|my|the|his|her|[a-z]+)){{0,3}}?)\s+(?:at|around|by)\s+(?P<v>{_HOUR})(?P<after>(?:\s+(?:now|these\s+days|every\s+\w+|each\s+\w+|on\s+weekdays|in\s+the\s+(?:morning|evening)))*)",
    re.IGNORECASE,
)


def routine(text: str, work: str, turn: Turn) -> list[Raw]:
    """ "I usually wake up at 7", "she leaves home at 8 now": the hour of what somebody does regularly."""
    found = subject(work, turn)
    match = _ROUTINE.fullmatch(found[1]) if found else None
    if found is None or match is None or not found[0].person or found[0].key == turn.listener:
        return []
    if not (match["mark"] or match["after"]):
        return []
    who = found[0]
    words = match["do"].lower().split()
    words[0] = re.sub(r"(?<=[a-z]{2})s$", "", words[0]) if who.key != turn.speaker else words[0]
    kept = [word for word in words if word not in {"my", "the", "his", "her", "to"}]
    turn.mention(who)
    kind = Kind.PREFERENCE if who.key == turn.speaker else Kind.FACT
    return [Raw(who, "_".join([*kept, "time"]), match["v"].strip(), "en.routine", kind, stated(text, who))]


def read(text: str, work: str, turn: Turn) -> list[Raw]:
    """What the clause says of a thing by its verb, of a favourite told last, or of somebody for a while; else []."""
    if _NOT.search(work):
        return []
    raw = (
        _costs(text, work, turn)
        or _lasts(text, work, turn)
        or _clock(text, work, turn)
        or _held(text, work, turn)
        or _favourite(text, work, turn)
        or _of_somebody(text, work, turn)
    )
    if raw is None:
        return []
    turn.mention(raw.who)
    return [raw]


def _thing(words: str, turn: Turn) -> tuple[Who, str]:
    """The thing, and under which attribute its price stands: "my gym membership" is what I have, "Netflix" has a price."""
    bare = re.sub(r"^(?:the|this|that)\s+", "", words.strip(), flags=re.IGNORECASE)
    mine = re.match(r"(?:my|our)\s+(?P<rest>.+)", bare, re.IGNORECASE)
    if mine:
        return me(turn), canonical_attribute(mine["rest"])
    owned = re.match(r"(?P<owner>.+?)['’]s\s+(?P<rest>.+)", bare)
    if owned and (owner := owner_of(owned["owner"], turn)) is not None:
        return owner, canonical_attribute(owned["rest"])
    return Who(bare_name(bare), bare, person=False), "price"


def _costs(text: str, work: str, turn: Turn) -> Raw | None:
    match = _COSTS.fullmatch(work) or _NAMED_IS.fullmatch(work)
    if match and singular(match["s"].split()[-1].lower()) not in MEASURES:
        if re.search(r"\bis\b", work[match.end("s") : match.start("v")]) and match["s"].split()[
            0
        ].lower() in {"my", "our"}:
            return None  # "my rent is $5" is read as what it says
        who, attribute = _thing(match["s"], turn)
        return Raw(who, attribute, match["v"].strip(), "en.costs", Kind.FACT, stated(text, who))
    found = subject(work, turn)
    if found is None:
        return None
    who, rest = found
    pointed = re.fullmatch(rf"{_ADV}costs?\s+{_ADV}(?P<v>{_MONEY}){_REST}", rest, re.IGNORECASE)
    if pointed and who.key not in {turn.speaker, turn.listener}:
        return Raw(who, "price", pointed["v"].strip(), "en.costs", Kind.FACT, stated(text, who))
    paid = _PAYS.fullmatch(rest)
    if paid is None or who.key == turn.listener:
        return None
    thing = paid["t"].strip()
    if singular(thing.split()[-1].lower()) in MEASURES or (paid["own"] or "").strip().lower() in {
        "my",
        "our",
    }:
        attribute = canonical_attribute(thing)
    elif thing[:1].isupper():
        who, attribute = Who(thing, thing, person=False), "price"
    else:
        return None
    return Raw(
        who, attribute, f"{paid['v'].strip()}{paid['p'] or ''}", "en.pays", Kind.FACT, stated(text, who)
    )


def _lasts(text: str, work: str, turn: Turn) -> Raw | None:
    """ "My commute takes 25 minutes" is my commute; "the film lasts 2 hours" its duration."""
    match = _LASTS.fullmatch(work)
    if match is None:
        return None
    who, attribute = _thing(match["s"], turn)
    attribute = "duration" if attribute == "price" else attribute
    return Raw(who, attribute, match["v"].strip(), "en.lasts", Kind.FACT, stated(text, who), single=True)


def _clock(text: str, work: str, turn: Turn) -> Raw | None:
    match = _CLOCK.fullmatch(work)
    if match is None:
        return None
    name = re.sub(r"^(?:my|our|the|this|that)\s+", "", match["s"].strip(), flags=re.IGNORECASE)
    if re.fullmatch(rf"(?:{NAME})", name) and match["verb"].lower() in _COMES_AND_GOES:
        return None  # when somebody leaves is no property of theirs
    attribute = _VERB.get(match["verb"].lower(), "time") + (
        f"_{match['days'].lower()}" if match["days"] else ""
    )
    who = Who(bare_name(name), name, person=False)
    return Raw(
        who,
        attribute,
        match["v"].strip(),
        "en.clock",
        Kind.FACT,
        stated(text, who),
        update=bool(re.search(r"\bfrom (?:now|next|this)\b|\bnow\b", work)),
    )


def _held(text: str, work: str, turn: Turn) -> Raw | None:
    match = _HELD.fullmatch(work)
    value = clean_value(match["v"]) if match else None
    if match is None or value is None or _NO_PLACE.match(value):
        return None
    name = re.sub(r"^(?:my|our|the|this)\s+", "", match["s"].strip(), flags=re.IGNORECASE)
    who = Who(bare_name(name), name, person=False)
    moved = re.search(r"\b(?:[a-z]+ed to|now|instead)\b", work[match.end("s") :]) is not None
    return Raw(who, "location", value, "en.held", Kind.FACT, stated(text, who), update=moved)


def _favourite(text: str, work: str, turn: Turn) -> Raw | None:
    match = _FAVOURITE.fullmatch(work)
    value = clean_value(match["v"]) if match else None
    if (
        match is None
        or value is None
        or re.match(r"(?:these|those|which|what|who|my|one|some)\b", value, re.IGNORECASE)
    ):
        return None
    own = match["own"].lower()
    who = (
        me(turn)
        if own in {"my", "our"}
        else turn.person
        if own in {"his", "her"}
        else owner_of(match["own"][:-2], turn)
    )
    if who is None:
        return None
    least = "least_" if match["least"] else ""
    if match["n"] is None:
        return Raw(who, "dislikes" if least else "likes", value, "en.favourite", Kind.PREFERENCE, text)
    attribute = f"{least}favorite_{canonical_attribute(match['n'])}"
    return Raw(who, attribute, value, "en.favourite", Kind.PREFERENCE, text)


def _of_somebody(text: str, work: str, turn: Turn) -> Raw | None:
    """ "I'd pick tea over coffee"; "I'm staying in Lisbon until the 20th", which goes when that time is over."""
    found = subject(work, turn)
    if found is None or found[0].key == turn.listener:
        return None
    who, rest = found
    rather = _RATHER.fullmatch(rest)
    if rather and (value := clean_value(rather["v"])) is not None:
        return Raw(who, "likes", value, "en.rather", Kind.PREFERENCE, stated(text, who))
    if who.person and _WHILE.fullmatch(rest):
        return Raw(who, None, None, "en.while", Kind.FACT, stated(text, who))
    return None
