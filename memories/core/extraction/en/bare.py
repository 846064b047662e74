"""A new value in an English clause that names its fact only in part or not at all: "we're down to 3 open bugs", "it runs at 4am now".

Words that say that something changed must stand there ("now", "down to", "make that"), and one value of a sort of its own.
Which fact is meant is told by what is known (core/placement/named.py); where none fits, nothing is learnt.
"""

from __future__ import annotations

import re

from memories.core.extraction.en.dates import TIME
from memories.core.extraction.en.spots import AMOUNT, FOUND
from memories.core.extraction.en.subjects import subject
from memories.core.extraction.en.verbs import is_past
from memories.core.extraction.raw import UNSAID, Raw, Turn, Who
from memories.core.extraction.relations import BY_WORD, relation
from memories.core.kinds import Kind

_NOW = r"now|these days|nowadays|as of (?:now|today|yesterday|this (?:week|month|morning)|last night)|instead|so far|at this point|at the moment|by now|already|since then|from now on|in total"
_CHANGES = re.compile(
    rf"\b(?:{_NOW}|total|tally|bringing|only|left|remaining|since|has|have|down|up|back|moved|got|became|new)\b|\b(?:which|this) makes\b|^(?:that is|that makes|make that|make it|i meant|i mean)\b",
    re.IGNORECASE,
)
_SAYS_NOW = re.compile(rf"\b(?:{_NOW}|left|remaining)\b", re.IGNORECASE)
_TO = re.compile(
    r"(?:\b(?:down|up|back|closer|out|forward|on)\s+(?:to|at)|\b[a-z]+(?:ed|t|n)\s+(?:it\s+|that\s+|them\s+|things\s+)?(?:(?:down|up|back|forward|out)\s+)?(?:to|at|until)|\b(?:make|makes|bring|brings)\s+(?:that|it)(?:\s+to)?|^(?:that|it)\s+is|\b(?:that|which|this)\s+makes(?:\s+it)?|\bmeant|\bmean|\b(?:bring|bringing|brings|brought)\s+(?:the\s+|my\s+|our\s+)?[a-z]+\s+(?:up\s+|down\s+)?to|\b(?:total|tally|count)(?:\s+(?:is|now|up|down|at|to|of))+)\s+(?:(?:about|around|roughly|just|only|a|the)\s+)*$",
    re.IGNORECASE,
)
_VALUE = re.compile(
    rf"(?:(?:every\s+)?{TIME})|\bv\d+(?:\.\d+)*\b|\b\d+\.\d+(?:\.\d+)+\b|(?:every\s+)?(?:{AMOUNT})|[\w.+-]+@[\w-]+\.[\w.]+|\+?\d[\d -]{{5,}}\d",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r"[,;]\s+(?:(?:so|and|but|which|now|then)\s+)*")
_BEFORE = re.compile(
    r"\b(?:from|instead of|rather than|not|was|were|had|used to be|than|of the|of)\s+$", re.IGNORECASE
)
"""Before what a value was, or what it is compared with."""
_UNREAL = re.compile(
    r"\b(?:will|would|could|should|might|may|can|(?<!as i )said|if|whether|want|wants|hope|hoping|aim|aiming|try|trying|tried|attempted|need|needs|goal|target|plan|planning|think|guess|maybe|not|never|no|n't|cannot|let's|suppose|almost|nearly|(?:is|are|was|were)\s+(?:supposed|meant|going)\s+to)\b|n't\b|\?",
    re.IGNORECASE,
)
_OWNED = re.compile(r"(?P<o>\b[A-Za-z][\w-]*)(?:['’]s?|(?<=s)['’])(?=\s)")
_SOMEBODY = frozenset(["someone", "somebody", "anyone", "anybody", "everyone", "everybody", "nobody", "else", "people", "other", "others"])  # fmt: skip
_YOURS = re.compile(r"\b(?:your|yours|you)\b", re.IGNORECASE)
_THEIRS = re.compile(r"\b(?:his|her|hers|their|theirs|he|she)\b", re.IGNORECASE)
_ELSEWHERE = re.compile(
    r"\b(?:got|get|gets|woke|wake|wakes|stood|sat)\s+(?:back\s+)?(?:up|down)\s+(?:at\s+)?(?:about\s+|around\s+)?\n|\bback\s+to\s+\n(?:19|20)\d\d$|^(?:please\s+|just\s+)*(?:turn|bring|keep|push|move|take|drop|lower|raise)\s+(?:it|that|them|the|my|this)\b",
    re.IGNORECASE,
)
"""Before a number that is no new value: when somebody got up, a year in memory, an order."""
_NOUNS_OF_TIME = re.compile(r"\s*(?:of\s+(?:us|them|you)\b|more|extra|another|additional|times?\s+(?:faster|slower|more)|ago|later|before|earlier)\b", re.IGNORECASE)  # fmt: skip


def read(text: str, work: str, turn: Turn) -> list[Raw]:
    """The one value that the clause gives anew, as a fact that only what is known can name; [] for anything else."""
    if (
        _UNREAL.search(work)
        or len(work) > 160
        or not (turn.correcting or _CHANGES.search(work) or re.search(r"\sto\s+\S*\d", work))
    ):
        return []
    found = [
        match
        for match in _VALUE.finditer(work)
        if _whole_number(work, match) and not _BEFORE.search(work[: match.start()])
    ]
    told = [match for match in found if _leads_to(work[: match.start()])]
    alone = len(found) == 1 and (turn.correcting or _SAYS_NOW.search(work) is not None)
    match = told[-1] if told else found[0] if alone else None
    if (
        match is None
        or _NOUNS_OF_TIME.match(work[match.end() :])
        or _ELSEWHERE.search(work[: match.start()] + "\n" + match[0])
    ):
        return []
    if _of_somebody(work[: match.start()], turn):
        return []
    who = _owner(work[: match.start()], turn) or _about(_CLAUSE.split(work[: match.end()])[-1], turn)
    if who is None:
        return []
    value = re.sub(r"^(?:at|around)\s+", "", match[0].strip(), flags=re.IGNORECASE)
    return [Raw(who, UNSAID, value, "en.bare", Kind.FACT, text, update=True, single=True, open=True)]


def _leads_to(left: str) -> bool:
    """Whether the words before a value say that something came to it: "down to", "cut the load time to"."""
    if _TO.search(left):
        return True
    return re.search(r"\sto\s+$", left) is not None and any(
        is_past(word) and word not in {"wanted", "needed", "used", "had", "went", "talked"}
        for word in re.findall(r"[a-z]+", left[-60:])
    )


def _whole_number(work: str, match: re.Match[str]) -> bool:
    """No part of a longer number, date or code."""
    one = FOUND.match(work, match.start()) or not match[0][:1].isdigit()
    return bool(one) or re.search(r"[:@.\-]|[ap]m", match[0]) is not None


def _of_somebody(words: str, turn: Turn) -> bool:
    """Whether the words before the value tell of another's thing, and it is not known whose: nothing known is theirs."""
    owners = list(_OWNED.finditer(words))
    return (
        _YOURS.search(words) is not None
        or (_THEIRS.search(words) is not None and turn.person is None)
        or (bool(owners) and owners[-1]["o"].lower() in _SOMEBODY)
    )


def _owner(words: str, turn: Turn) -> Who | None:
    """The other whose thing they tell of: "Ana's desk", "my sister's desk", "her desk"; None for the speaker's and a thing's."""
    if _THEIRS.search(words):
        return turn.person
    owners = list(_OWNED.finditer(words))
    if not owners:
        return None
    word = owners[-1]["o"]
    if word.lower() in BY_WORD:
        return Who(f"{turn.speaker}:{relation(word)}", owners[-1][0].strip())
    return Who(word, word) if word[:1].isupper() else None


def _about(work: str, turn: Turn) -> Who | None:
    """Somebody else whom the clause is about; nobody in particular where it is the speaker or a thing."""
    found = subject(work, turn)
    if found is None:
        return Who("general", "", person=False)
    who = found[0]
    if who.key == turn.listener:
        return None
    named = ":" in who.key or re.match(r"(?:is|has|was|will|[a-z]+s|[a-z]+ed)\b", found[1]) is not None
    return who if named and who.person and who.key != turn.speaker else Who("general", "", person=False)
