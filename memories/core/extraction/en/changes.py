"""Changes that English tells in other words than "X is V": from A to B, agreed on V for A, it's still V."""

from __future__ import annotations

import re

from memories.core.extraction.attributes import lookup
from memories.core.extraction.en import exchanges
from memories.core.extraction.en.dates import TIME
from memories.core.extraction.en.exchanges import NAMED
from memories.core.extraction.en.measures import kind_named, slot_named, whole_phrase
from memories.core.extraction.en.parting import ADVERB
from memories.core.extraction.en.rules import clean_value
from memories.core.extraction.en.subjects import possessive
from memories.core.extraction.en.verbs import is_past, lemma
from memories.core.extraction.raw import Pending, Raw, Turn, Who
from memories.core.values.sorts import Sort, same_sort, sort_of

_AS_ROLE = re.compile(
    r"(?P<v>(?:(?:Mr|Mrs|Ms|Dr)\.?\s+)?[A-Z][\w'’-]+(?:\s[A-Z][\w'’-]+){0,2})\s+(?:(?:has|have|was|got|been|just|now|recently|officially)\s+)*(?P<verb>[a-z]+)(?:\s+[a-z]+){0,2}?(?:\s+(?:(?:from|for)\s+)?(?P<old>[A-Z][\w'’-]+(?:\s[A-Z][\w'’-]+)?))?\s+(?:as|to\s+be(?:come)?)\s+(?P<np>(?:my|our|the|[A-Z][\w-]+['’]s)\s+(?:new\s+)?[a-z].{1,40})"
)
_BY_ANOTHER = re.compile(
    r"(?:(?P<np0>(?:[Mm]y|[Oo]ur|[Tt]he|[A-Z][\w-]+['’]s)\s+[a-z]+(?:\s[a-z]+)?)(?:\s+(?=[A-Z]))?)?(?P<old>(?:(?:Mr|Mrs|Ms|Dr)\.?\s+)?[A-Z][\w'’-]+(?:\s[A-Z][\w'’-]+)?)?\s+(?:(?:has|have|was|were|is|got|been|being|just|now|recently|officially)\s+)+(?P<verb>[a-z]+)\s+by\s+"
    r"(?P<v>(?:(?:Mr|Mrs|Ms|Dr)\.?\s+)?[A-Z][\w'’-]+(?:\s[A-Z][\w'’-]+){0,2})(?:\s+as\s+(?P<np>(?:(?:my|our|the|[A-Z][\w-]+['’]s)\s+)?(?:new\s+)?[a-z].{1,40}))?"
)
_SUCCEEDS = frozenset({"replace", "succeed", "supersede", "relieve", "follow", "substitute"})
_STEPS_BACK = frozenset(
    {
        "quit",
        "resign",
        "leave",
        "step",
        "retire",
        "stop",
        "fail",
        "use",
        "describe",
        "see",
        "know",
        "treat",
        "have",
    }
)
"""Verbs before "as our captain" that do not make somebody the captain."""
_FROM_TO = re.compile(r"(?P<np>.{3,60}?)\s+(?:(?:has|have|had|was|were|is|got|been|just|now|[a-z]+ly)\s+)*(?P<verb>[a-z]+)\s+(?:over\s+|back\s+)?from\s+(?P<old>.{1,40}?)\s+(?:to|into)\s+(?P<v>.{1,50})")  # fmt: skip
_BECAME = re.compile(
    r"(?P<np>.{3,60}?)\s+(?:(?:has|have|just|now|recently|officially|finally)\s+)*(?:became|become|turned into|turned to|reads|now reads|came to be)\s+(?:now\s+)?(?P<v>.{1,50})"
)
_AGREED = re.compile(
    rf"(?:we|i|they|everyone|the team)\s+{ADVERB}(?:agreed|settled|decided|landed|compromised|gone|went)\s+(?:on|upon|with|for)\s+(?P<v>.{{1,40}}?)\s+(?:for|as)\s+(?P<np>(?:the|our|my|its|their)\s+.{{2,50}})",
    re.IGNORECASE,
)
_UNCHANGED = re.compile(r"(?P<np>.{3,60}?)\s+(?:(?:has|have)\s+(?:not|never)\s+(?:been\s+)?[a-z]+(?:ed|en|t|ng)\b(?:\s+(?:at all|yet|since|either))*|(?:is|are|stays|remains)\s+(?:still\s+)?(?:the same|unchanged)|(?:has|have|was|were|got)\s+(?:just\s+|now\s+)?(?:been\s+)?(?:changed|updated|corrected))(?:\s+.{0,20})?", re.IGNORECASE)  # fmt: skip
_WAS = re.compile(r"(?P<np>.{3,60}?)\s+used\s+to\s+be\s+(?P<v>.{1,50})", re.IGNORECASE)
_WRONG = re.compile(
    r"(?:i|we)\s+(?:(?:have|had)\s+)?(?:had|got|gotten|gave\s+you|told\s+you|noted|wrote|remembered|put)\s+(?:down\s+)?(?P<np>(?:my|our|the|his|her|[A-Z][\w-]*['’]s)\s.{2,50}?)\s+(?:(?:all|completely|totally)\s+)?(?:wrong|incorrectly|wrongly|backwards)",
    re.IGNORECASE,
)
_TOUCHED = re.compile(
    r"(?:I|[Ww]e|[Tt]hey|[Hh]e|[Ss]he|[A-Z][a-z]+)\s+(?:(?:have|has|had|just|finally|recently)\s+)*(?P<verb>[a-z]+)\s+(?:my|our|the)\s+(?P<thing>[a-z][\w-]*(?:\s[a-z][\w-]*){0,2}(?:\s(?:to|for|from|with)\s[\w-]+)?)"
)
"""Somebody did something to a thing: "it" in the next clause."""
_NOT_NOW = re.compile(
    rf"(?P<np>.{{3,60}}?)\s+(?:is|are)\s+(?:not|no\s+longer)\s+(?:due|scheduled|set|planned|held|happening|going\s+out|on)?\s*(?:on|at|for|by)?\s*(?P<v>{TIME})(?:\s+(?:any\s?more|any\s+longer))?",
    re.IGNORECASE,
)
_IT_IS = re.compile(
    r"(?:(?:i|we)\s+(?:meant|mean|should have said)(?:\s+to\s+say)?[,:]?\s+)?(?:(?:it|that|this|they)\s+(?:is|are|was|should\s+(?:be|have\s+been)|stands\s+at|remains|stays)|make\s+(?:that|it)|i\s+meant(?:\s+to\s+say)?)\s+(?:still\s+|actually\s+|really\s+|now\s+|supposed\s+to\s+be\s+|due\s+|scheduled\s+|set\s+|at\s+|on\s+|in\s+|for\s+|by\s+)*(?P<v>.{1,50}?)(?:,?\s+not\s+(?P<old>.{1,40}))?",
    re.IGNORECASE,
)


def read(text: str, work: str, turn: Turn) -> list[Raw]:
    """The change or restatement of the clause, or []; "X hasn't changed" alone says what "it" will mean."""
    raw = (
        _pronoun(text, work, turn)
        or _agreed(text, work, turn)
        or exchanges.read(text, work, turn)
        or _by_another(text, work, turn)
        or _as_role(text, work, turn)
        or _of_thing(text, work, turn)
    )
    if raw is not None:
        return [raw]
    was = _WAS.fullmatch(work) or _WRONG.fullmatch(work)
    if was and (slot := slot_named(was["np"], turn)) is not None:
        how = "over" if was.re is _WAS else "denied"
        turn.pending = Pending(*slot, kind_named(slot[1]), how, was.groupdict().get("v"))
        return []
    not_now = _NOT_NOW.fullmatch(work)
    phrase = whole_phrase(not_now["np"]) if not_now else None
    if not_now and phrase is not None and phrase.definite:
        thing = Who(" ".join(phrase.heads), phrase.text, person=False)
        turn.slot = (thing, "time", not_now["v"])
        turn.mention(thing)
        return []
    touched = _TOUCHED.fullmatch(work)
    if touched and is_past(touched["verb"]):
        turn.thing = Who(touched["thing"], touched["thing"], person=False)
    unchanged = _UNCHANGED.fullmatch(work)
    if unchanged and (slot := slot_named(unchanged["np"], turn)):
        turn.slot = (*slot, "")
    return []


def _pronoun(text: str, work: str, turn: Turn) -> Raw | None:
    """ "It's V (, not W)" after an attribute was named: the same attribute's value."""
    match = _IT_IS.fullmatch(work)
    if match is None or turn.slot is None:
        return None
    who, attribute, before = turn.slot
    value = clean_value(match["v"])
    if value is None or sort_of(value) is Sort.WORDS or not _fits(value, before):
        return None
    old = clean_value(match["old"]) if match["old"] else None
    meant = re.search(r"\b(?:meant|mean|should)\b|^make\b", work, re.IGNORECASE) is not None
    still = re.search(r"\b(?:still|remains|stays)\b", work, re.IGNORECASE) is not None
    turn.slot = (who, attribute, value)
    stated = f"{possessive(who)} {attribute.replace('_', ' ')} is {value}".strip()
    changed = re.search(r"\bnow\b", work) is not None and not still
    return Raw(
        who,
        attribute,
        value,
        "en.it_is",
        kind_named(attribute),
        stated,
        update=changed,
        correction=meant or old is not None,
        replaces=old or (before if meant and before else None),
    )


def _agreed(text: str, work: str, turn: Turn) -> Raw | None:
    match = _AGREED.fullmatch(work)
    if match is None:
        return None
    value, phrase = clean_value(match["v"]), whole_phrase(match["np"])
    over = re.fullmatch(r"(?P<v>.+?)\s+over\s+(?P<old>[A-Z0-9$€£].*)", value or "")
    value = over["v"] if over else value
    if value is None or phrase is None or not (NAMED.match(value) or re.match(TIME, value, re.IGNORECASE)):
        return None
    if re.match(TIME, value, re.IGNORECASE) and not any(lookup(word) for word in phrase.heads):
        name = " ".join(phrase.heads)
        return Raw(Who(name, name, person=False), "time", value, "en.agreed", None, text, update=True)
    slot = slot_named(match["np"], turn)
    return Raw(*slot, value, "en.agreed", kind_named(slot[1]), text, update=True) if slot else None


def _by_another(text: str, work: str, turn: Turn) -> Raw | None:
    """ "Pat was replaced by Iris as my manager", "our manager Pat was replaced by Iris": who has the part now."""
    match = _BY_ANOTHER.fullmatch(work)
    phrase = (match["np"] or match["np0"]) if match else None
    if match is None or phrase is None or lemma(match["verb"]) not in _SUCCEEDS:
        return None
    slot = slot_named(phrase if re.match(r"(?:my|our|the)\s|[A-Z]", phrase) else f"the {phrase}", turn)
    if slot is None:
        return None
    return Raw(
        *slot, match["v"], "en.by_another", kind_named(slot[1]), text, update=True, replaces=match["old"]
    )


def _as_role(text: str, work: str, turn: Turn) -> Raw | None:
    """ "Ana took over from Bo as our captain": who has the part now."""
    match = _AS_ROLE.fullmatch(work)
    if (
        match is None
        or re.search(rf"\b{match['verb']}\s+by\b", work)
        or match["v"].split()[0]
        in {
            "I",
            "We",
            "They",
            "He",
            "She",
            "It",
            "You",
            "The",
            "My",
            "Our",
        }
    ):
        return None
    base = lemma(match["verb"])
    steps_in = re.search(r"\bstep\w*\s+(?:in|up)\b", work) is not None
    if (base in _STEPS_BACK and not steps_in) or not (is_past(match["verb"]) or match["verb"].endswith("s")):
        return None
    slot = slot_named(match["np"], turn)
    if slot is None:
        return None
    return Raw(*slot, match["v"], "en.as_role", kind_named(slot[1]), text, update=True, replaces=match["old"])


def _of_thing(text: str, work: str, turn: Turn) -> Raw | None:
    """ "X's A flipped from U to V", with any verb in a past form; "X's A became V"."""
    match = _FROM_TO.fullmatch(work) or _BECAME.fullmatch(work)
    if match is None:
        return None
    groups = match.groupdict()
    verb = groups.get("verb")
    if verb and not is_past(verb):
        return None
    slot, value = slot_named(match["np"], turn), clean_value(match["v"])
    if (
        value is not None
        and re.match(TIME, value, re.IGNORECASE)
        and (slot is None or lookup(slot[1]) is None)
    ):
        return None  # a date of a thing, not a thing that is a date
    old = clean_value(groups["old"]) if groups.get("old") else None
    if slot is None or value is None or not NAMED.match(value) or (verb and not _fits(value, old or "")):
        return None
    turn.mention(slot[0])
    return Raw(
        *slot,
        value,
        "en.from_to" if verb else "en.became",
        kind_named(slot[1]),
        text,
        update=True,
        replaces=old,
    )


def _fits(value: str, before: str) -> bool:
    """Whether the value may stand in the place of the one before; anything does in the place of nothing."""
    return not before or same_sort(value, before)
