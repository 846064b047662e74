"""What an English clause says of an attribute: "<subject>'s <attribute> is <value>" and its relatives."""

from __future__ import annotations

import re

from memories.core.extraction import schedule
from memories.core.extraction.attributes import canonical_attribute, lookup
from memories.core.extraction.en.heads import favourite, split_head
from memories.core.extraction.en.noun_words import MEASURES
from memories.core.extraction.en.plurals import singular
from memories.core.extraction.en.rules import COPULA, NAME, REL, clean_value
from memories.core.extraction.en.subjects import stated
from memories.core.extraction.raw import Pending, Raw, Turn
from memories.core.kinds import Kind
from memories.core.values.sorts import is_amount

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
        split = split_head(
            head, turn, coded=value is not None and _CODED.fullmatch(value) is not None, named=named
        )
        if split is None or value is None:
            continue
        who, word = split
        if (
            re.search(r"\s(?:on|at)$", copula["cop"].strip())
            and not re.match(
                r"(?:the\s+)?(?:[A-Z]|\S*\d|(?:[a-z]+\s+)?(?:room|floor|desk|office|building)\b)", value
            )
            and not schedule.starts_with_time(value)
        ):
            return []  # "my family is on the road": where they are, not what the attribute holds
        if lookup(word) is None and _PLANNED.match(value):
            return []  # "my demo is scheduled for Thursday" tells when it is
        provided = _WITH_SOMEBODY.fullmatch(value) if _is_arrangement(word) else None
        if provided:
            value = provided["v"]
        elif lookup(word) is None and re.match(
            r"(?:[a-z]+ed\s+by|in|at|on|with|from|for|of|about|under|into|off|by)\b", value
        ):
            return []  # "my son is in year 4", "my car is at the garage"
        if word.lower().split()[-1] in _AMOUNTS and not re.search(
            r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|zero|hundred|thousand|free|nothing)\b",
            value,
        ):
            return []  # "my rent is insane"
        if _INFINITIVE.match(value) and (row := lookup(word)) is not None and row.kind is Kind.PROFILE:
            return []  # "my job is to make people smile" says what it is for
        if not _is_value(word, value) or (lookup(word) is None and re.search(r"\s[A-Z]", _unplaced(word))):
            return []  # "my pup Toby is ...": a name is no attribute
        measured = singular(word.lower().split()[-1]) in MEASURES
        if lookup(word) is None and not measured and schedule.starts_with_time(value):
            return []  # "the sync of X moved to Friday" tells a time, not a sync
        attribute = favourite(word) or canonical_attribute(word)
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
            Raw(
                who,
                attribute,
                value,
                "en.attribute",
                kind,
                stated(text, who),
                update=changed is not None,
                single=True if lookup(word) is None and measured and is_amount(value) else None,
            )
        ]
    return []


_PLANNED = re.compile(
    r"(?:scheduled|booked|planned|slated|set|just)\s+(?:for|on|at|in|to|[a-z]+ed)\b", re.IGNORECASE
)
_WITH_SOMEBODY = re.compile(r"(?:with|through|at|from)\s+(?P<v>[A-Z][\w&'’.-]*(?:\s[A-Z&][\w&'’.-]*){0,3})")


def _is_arrangement(word: str) -> bool:
    """Whether the noun is what one has with a firm ("my car insurance is with X"): abstract by its ending, or a compound."""
    low = word.lower()
    return re.search(r"(?:ance|tion|sion|age|ment|ship|ract|plan|loan|account|policy|card)$", low) is not None


_INFINITIVE = re.compile(r"(?:(?:all|only|just|mostly|always|never|not)\s+)*to\s+[a-z]+\b", re.IGNORECASE)
_SOMEWHERE = re.compile(
    rf"(?P<noun>(?!(?:\w+ )*?{REL}\b).*?\w)\s(?:in|at|near|for|on)\s(?:the\s)?[A-Z][\w'’-]*(?:\s[A-Z][\w'’-]*)*"
)


def _unplaced(word: str) -> str:
    """The attribute without the name of the place or matter that it is for: "usual hotel in Berlin" is one of several hotels."""
    match = _SOMEWHERE.fullmatch(word)
    return match["noun"] if match else word


_DESCRIBES = re.compile(
    r"(?:(?:so|very|really|quite|pretty|too|more|less|most|much|such|rather|super|extremely|always|also|just|always|almost|all|still|already|not|never|only|getting|being|going|coming|doing|looking|like|about|based|that|to|in|out|up|down|as|better|worse|over|up)\b"
    r"|an?\s+(?:great|good|nice|bad|lovely|real|huge|big|lot|bit|little|joy|blast|mess|must|treat|dream|shame|pity|relief|pleasure|wonder|surprise|joke|pain|challenge|blessing|source|way|part|reminder|testament|game|reflection|comfort|place)\b"
    r"|[a-z]+in['’](?=\s|$)|[a-z]+(?:ing|ed|ly|ful|ous|ive|less|able|ible|ish)\b(?!-)|(?:visiting|gone|done|fine|final|great|good|bad|nice|amazing|awesome|special|important|crazy|cool|fun|hard|easy|tough|slow|fast|huge|big|small|tiny|messy|happy|sad|sick|tired|busy|safe|"
    r"strong|weak|high|low|long|short|full|empty|real|true|wrong|right|ready|clear|simple|perfect|beautiful|wonderful|similar|different|same|key|everything|nothing|something|anything|here|there|crucial|essential|strict|tight|solid|steady|stable|delicious|cute|sweet|adorable|it|this|them|these|those|what|how|my|our|your|his|her|their)\b)",
    re.IGNORECASE,
)
_DIGIT_OR_NAME = re.compile(r"[\d@#]|(?:^|\s)[A-Z]")


def _is_value(word: str, value: str) -> bool:
    """Whether what stands after "is" is a value and not a description ("is so special", "is coming along").

    A name, a number or a code is one; words are one where they are a short noun phrase that describes nothing.
    """
    if favourite(word) is not None:
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
    r"(?:so|very|really|quite|pretty|too|more|such|always|an?\s+(?:great|good|bit|lot|little|source|joy|pity|shame|relief|blast|pleasure|mess|surprise|dream|wonder|pain|joke|treat)|great|good|bad|nice|amazing|awesome|special|important|crazy|cool|fun|hard|easy|slow|coming|going|getting|doing|what|how|everything|like|about|that|all|just|also|not|up|out|over|better|worse)\b",
    re.IGNORECASE,
)
