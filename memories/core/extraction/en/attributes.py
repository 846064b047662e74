"""What an English clause says of an attribute: "<subject>'s <attribute> is <value>" and its relatives."""

from __future__ import annotations

import re

from memories.core.extraction import schedule
from memories.core.extraction.attributes import EN_WORDS, canonical_attribute, lookup
from memories.core.extraction.en import nouns as en_nouns
from memories.core.extraction.en.rules import COPULA, NAME, REL, clean_value
from memories.core.extraction.en.subjects import bare_name, me, owner_of, stated
from memories.core.extraction.raw import Pending, Raw, Turn, Who
from memories.core.kinds import Kind

_POSSESSIVE = re.compile(
    rf"(?P<owner>(?:my|our)\s+(?:\w+\s+)?{REL}(?:\s+(?-i:{NAME}))?|(?-i:{NAME})|(?:the|our|my)\s+[\w-]+(?:\s+[\w-]+){{0,3}})['’]s?\s+(?P<attr>(?:[\w-]+\s+){{0,3}}?[\w-]+)",
    re.IGNORECASE,
)


_OWN = re.compile(r"(?P<owner>my|our|his|her|its|their)\s+(?P<attr>(?:[\w-]+\s+){0,3}?[\w-]+)", re.IGNORECASE)


_OF = re.compile(
    r"(?:the|our|my)\s+(?P<attr>(?:[\w-]+\s+){0,2}?[\w-]+)\s+(?:of|for)\s+(?P<owner>.{2,60})", re.IGNORECASE
)


_THING = re.compile(r"(?:the|this|our)\s+(?P<head>[\w'’&#-]+(?:\s+[\w'’&#-]+){0,5})", re.IGNORECASE)


_AMOUNTS = frozenset({"rent", "salary", "wage", "budget", "income", "price", "cost", "fee", "deposit", "mortgage", "bill", "debt", "weight", "age", "height"})  # fmt: skip
"""Attributes whose value has a number in it."""


def read_attribute(text: str, work: str, turn: Turn) -> list[Raw]:
    """<subject>'s <attribute> is <value>, the <attribute> of <subject> is <value>, my <attribute> is <value>."""
    for copula in COPULA.finditer(work):
        head, tail = work[: copula.start()].strip(), work[copula.end() :]
        if not head or len(head) > 80:
            continue
        value = clean_value(tail)
        named = value is not None and re.fullmatch(rf"(?:(?:Mr|Mrs|Ms|Dr)\.?\s+)?{NAME}", value) is not None
        split = _split_head(
            head, turn, coded=value is not None and _CODED.fullmatch(value) is not None, named=named
        )
        if split is None or value is None:
            continue
        who, word = split
        if (
            re.search(r"\s(?:on|at)$", copula["cop"].strip())
            and not re.match(r"(?:the\s+)?(?:[A-Z]|\S*\d|(?:room|floor|desk|office)\b)", value)
            and not schedule.starts_with_time(value)
        ):
            return []  # "my family is on the road": where they are, not what the attribute holds
        if lookup(word) is None and re.match(
            r"(?:in|at|on|with|from|for|of|about|under|into|off|by)\b", value
        ):
            return []  # "my son is in year 4", "my car is at the garage"
        if word.lower().split()[-1] in _AMOUNTS and not re.search(
            r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|zero|hundred|thousand|free|nothing)\b",
            value,
        ):
            return []  # "my rent is insane"
        if not _is_value(word, value) or (lookup(word) is None and re.search(r"\s[A-Z]", _unplaced(word))):
            return []  # "my pup Toby is ...": a name is no attribute
        if lookup(word) is None and schedule.starts_with_time(value):
            return []  # "the sync of X moved to Friday" tells a time, not a sync
        attribute = _favourite(word) or canonical_attribute(word)
        row = lookup(word)
        kind = (
            Kind.PREFERENCE
            if attribute.startswith(("favorite", "least_favorite"))
            else row.kind
            if row
            else None
        )
        turn.mention(who)
        cop = copula["cop"].lower()
        if "not" in cop or "n't" in cop or "no longer" in cop or value.lower().startswith("not "):
            both = re.fullmatch(r"(?:not\s+)?(?P<a>.+?),?\s+(?:but|it is|it's)\s+(?P<b>.+)", tail)
            if both and (right := clean_value(both["b"])):
                return [
                    Raw(
                        who,
                        attribute,
                        right,
                        "en.not_but",
                        kind,
                        stated(text, who),
                        correction=True,
                        update=True,
                    )
                ]
            turn.pending = Pending(who, attribute, kind, old=value)
            return []
        changed = re.search(r"\bnew\s+\w", head, re.IGNORECASE) or re.search(
            r"\bnow\b|chang|mov|resched|updat|switch|push|postpon|shift|rais|reduc|increas|lower|exten|short|renam|adjust|bump",
            cop,
        )
        return [
            Raw(who, attribute, value, "en.attribute", kind, stated(text, who), update=changed is not None)
        ]
    return []


_SOMEWHERE = re.compile(
    rf"(?P<noun>(?!(?:\w+ )*?{REL}\b).*?\w)\s(?:in|at|near|for|on)\s(?:the\s)?[A-Z][\w'’-]*(?:\s[A-Z][\w'’-]*)*"
)


def _unplaced(word: str) -> str:
    """The attribute without the name of the place or matter that it is for: "usual hotel in Berlin" is one of several hotels."""
    match = _SOMEWHERE.fullmatch(word)
    return match["noun"] if match else word


_DESCRIBES = re.compile(
    r"(?:(?:so|very|really|quite|pretty|too|more|less|most|much|such|rather|super|extremely|always|also|just|always|almost|all|still|already|not|never|only|getting|being|going|coming|doing|looking|like|about|based|that|to|in|out|up|down|as|better|worse|over|up)\b"
    r"|an?\s+(?:great|good|nice|bad|lovely|real|huge|big|lot|bit|little|joy|blast|mess|must|treat|dream|shame|joke|pain|challenge|blessing|source|way|part|reminder|testament|game|reflection|comfort|place)\b"
    r"|[a-z]+(?:ing|ed|ly|ful|ous|ive|less|able|ible|ish)\b(?!-)|(?:visiting|gone|done|fine|final|great|good|bad|nice|amazing|awesome|special|important|crazy|cool|fun|hard|easy|tough|slow|fast|huge|big|small|tiny|messy|happy|sad|sick|tired|busy|safe|"
    r"strong|weak|high|low|long|short|full|empty|real|true|wrong|right|ready|clear|simple|perfect|beautiful|wonderful|similar|different|same|key|everything|nothing|something|anything|here|there|crucial|essential|strict|tight|solid|steady|stable|delicious|cute|sweet|adorable|it|this|them|these|those|what|how|my|our|your|his|her|their)\b)",
    re.IGNORECASE,
)
_DIGIT_OR_NAME = re.compile(r"[\d@#]|(?:^|\s)[A-Z]")


def _is_value(word: str, value: str) -> bool:
    """Whether what stands after "is" is a value and not a description ("is so special", "is coming along").

    A name, a number or a code is one; words are one where they are a short noun phrase that describes nothing.
    """
    if _favourite(word) is not None:
        return True
    known = lookup(word) is not None
    if _DIGIT_OR_NAME.search(value) and not re.match(r"[a-z]+ing\b|so\b|very\b|that\b|to\b|because\b", value):
        return known or len(value.split()) <= 8
    if _DESCRIBES.match(value):
        return known and re.match(r"[a-z]+(?:ing|ed)\b", value) is None and _EMPTY.match(value) is None
    return known or len(value.split()) <= 4


_CODED = re.compile(
    r"[$€£¥]?\S*\d\S*(?:\s\w+)?|[A-Z][\w'’&-]*(?:\s[A-Z][\w'’&-]*){0,3}|[\w.+-]+@[\w.-]+|\"[^\"]{1,40}\""
)
_EMPTY = re.compile(
    r"(?:so|very|really|quite|pretty|too|more|such|always|an?\s+(?:great|good|bit|lot|little|source|joy)|great|good|bad|nice|amazing|awesome|special|important|crazy|cool|fun|hard|easy|slow|coming|going|getting|doing|what|how|everything|like|about|that|all|just|also|not|up|out|over|better|worse)\b",
    re.IGNORECASE,
)


def _favourite(word: str) -> str | None:
    match = re.fullmatch(r"(?P<least>least\s+)?favou?rite\s+(?P<noun>[\w -]+)", word, re.IGNORECASE)
    if match is None:
        return None
    return ("least_favorite_" if match["least"] else "favorite_") + canonical_attribute(match["noun"])


def _split_head(head: str, turn: Turn, *, coded: bool = False, named: bool = False) -> tuple[Who, str] | None:
    """Subject and attribute word of what stands before the copula, or None when it names no attribute of anything."""
    head = re.sub(r"\s+(?:now|currently|has|have)$", "", head)
    head = re.sub(
        r"(?<=\s)(?:brand[- ])?(?:new|current|latest|correct)\s+(?=\w)", "", head, flags=re.IGNORECASE
    )
    possessive = _POSSESSIVE.fullmatch(head)
    if possessive:
        owner = owner_of(possessive["owner"], turn)
        return (owner, possessive["attr"]) if owner and _is_noun(possessive["attr"]) else None
    own = _OWN.fullmatch(head)
    if own and _is_noun(own["attr"]):
        word = own["owner"].lower()
        if word in {"my", "our"}:
            if _favourite(own["attr"]) or lookup(own["attr"]):
                return me(turn), own["attr"]
            if own["attr"].lower().endswith(" plan") and word == "my":
                return me(turn), own["attr"]
            if known_suffix(own["attr"]):
                return _measured(head, turn) or _thing(own["attr"], turn, mine=True)
            return (me(turn), own["attr"]) if word == "my" or named or coded else None
        pointed = turn.thing or turn.person if word == "its" else turn.person
        return (pointed, own["attr"]) if pointed else None
    of = _OF.fullmatch(head)
    if of and of["attr"].lower() in _WORLD and re.fullmatch(r"(?:the\s+)?[A-Z][\w.'’ -]*", of["owner"]):
        return None
    if of and re.match(r"(?:an?|any|every|each|most|some|all|people)\s", of["owner"]):
        return None  # of one of its kind: nobody's
    if of and _is_noun(of["attr"]):
        owner = owner_of(of["owner"], turn)
        return (owner, of["attr"]) if owner else None
    if re.match(r"the\s+(?:typical|usual|standard|normal)\s", head, re.IGNORECASE):
        return None
    thing = _THING.fullmatch(head)
    if thing:
        return _thing(thing["head"], turn, mine=False, coded=coded)
    bare = lookup(head)
    if bare is not None and not (head.endswith("s") and head not in {"status", "address"}):
        return (turn.subject or (me(turn) if bare.personal else Who("general", "", person=False))), head
    proper = (
        re.match(r"(?!The\s|A\s|An\s)[A-Z]", head)
        and len(head.split()) <= 5
        and not re.search(
            r"\b(?:I|i|you|we|they|[Mm]e|[Mm]y|[Oo]ur|[Yy]our|[Tt]heir|[Hh]is|[Hh]er|and|or|to|that|why|how)\b",
            head,
        )
    )
    return _thing(head, turn, mine=False) if proper and known_suffix(head) else None


def _measured(head: str, turn: Turn) -> tuple[Who, str] | None:
    """ "my savings goal" as the amounts read it ("I raised my savings goal to ..."); None where it is no measure."""
    phrase = en_nouns.before(head, len(head))
    if (
        phrase is None
        or phrase.start
        or phrase.owner
        or en_nouns.singular(phrase.heads[-1]) not in en_nouns.MEASURES
    ):
        return None
    return en_nouns.measure_of(phrase, None, turn, me(turn))


def known_suffix(phrase: str) -> str | None:
    low = phrase.lower()
    return next((word for word in EN_WORDS if low == word or low.endswith(" " + word)), None)


def _open_thing(phrase: str, turn: Turn) -> tuple[Who, str] | None:
    """ "wifi password" -> (wifi, password), whatever the words; a single word belongs to what was spoken about."""
    words = phrase.split()
    if re.search(r"\s(?:in|of|at|on|for|with|from|to|by)\s", phrase):
        return None
    if not _is_noun(phrase) or len(words) > 4 or any(not word[0].isalpha() for word in words):
        return None
    if len(words) == 1:
        return (
            (turn.subject, words[0])
            if turn.subject is not None and turn.subject.key != turn.speaker
            else None
        )
    before = " ".join(words[:-1])
    return Who(bare_name(before), before, person=False), words[-1]


_CALLED = frozenset({"work", "office", "home", "mobile", "cell", "landline", "emergency", "whatsapp", "contact", "new", "fax", "my", "our"})  # fmt: skip


def _thing(phrase: str, turn: Turn, *, mine: bool, coded: bool = False) -> tuple[Who, str] | None:
    """ "project budget" -> (project, budget); a phrase that is only an attribute belongs to the last subject, or the matter."""
    word = known_suffix(phrase)
    if word is None:
        return _open_thing(phrase, turn) if coded else None
    before = phrase[: len(phrase) - len(word)].strip()
    if word == "number" and before and before.lower() not in _CALLED:
        word = "reference number"  # of an invoice or a locker; nobody is called under it
    if before:
        return Who(bare_name(before), before, person=False), word
    row = lookup(word)
    if mine or (row is not None and row.name in _REACHED and turn.subject is None):
        return me(turn), word
    about = turn.subject
    if about is None or (about.person and word in _OF_MATTERS):
        return Who("general", "", person=False), word
    return about, word


_OF_MATTERS = frozenset({"goal", "aim", "purpose", "objective", "mission", "target", "idea"})
"""What "the goal is" tells of: what is being done, not somebody who was named before."""
_WORLD = frozenset(
    {
        "capital", "population", "currency", "president", "prime minister", "king", "queen", "author", "inventor", "founder", "director", "composer",
        "largest city", "highest mountain", "longest river", "chemical symbol", "official language", "flag", "area", "boiling point", "atomic number",
    }
)  # fmt: skip
"""What an encyclopaedia says of something with a name."""
_REACHED = frozenset({"name", "phone", "email", "home", "birthday", "nickname", "wechat"})
"""What one gives of oneself without a "my": "the number is ..." in an answer."""
_NOT_ATTRIBUTES = frozenset(
    {
        "thing", "things", "one", "ones", "way", "point", "reason", "question", "problem", "day", "lot", "bit",
        "time", "first", "only", "best", "worst", "people", "life", "plan", "idea", "hope", "goal", "guess",
        "opinion",
    }
)  # fmt: skip


def _is_noun(word: str) -> bool:
    low = word.lower()
    if lookup(low) or low.startswith(("favorite ", "favourite ", "least favorite", "least favourite")):
        return True
    if low.split()[-1] in _NOT_ATTRIBUTES and not re.search(r"\S\s+(?:goal|time|plan|day)$", low):
        return False
    return not re.search(
        r"\b(?:that|which|is|are|was|were|be|been|being|am|has|have|had|do|does|did|will|would|should|could|can|may|might|must|to|and|or|i|you|we|they|it|really|just|not|never|also|who|how|what)\b",
        low,
    )
