"""What the message itself says of a model's fact: whom it is about, and whether it is so (R14).

A model takes what stands beside "I" for the writer's own, and drops a "no more". The words of the message decide.
"""

from __future__ import annotations

import re
from typing import Final

from memories.core.extraction.en.subjects import subject as en_subject
from memories.core.extraction.raw import Turn, Who
from memories.core.extraction.relations import BY_WORD as RELATIONS
from memories.core.extraction.sentences import Clause, split_clauses
from memories.core.extraction.zh.subjects import leading_subject
from memories.core.text.language import detect
from memories.core.values.normalise import negated

_REL = "|".join(sorted(map(re.escape, RELATIONS), key=len, reverse=True))
_OTHERS = re.compile(
    rf"(?:我|咱|俺)们?家?的?(?:{_REL})|\b(?:my|our)\s+(?:[a-z]+\s+)?(?:{_REL})\b", re.IGNORECASE
)
"""Somebody who is told by what they are to the one who writes."""
_OWN = re.compile(r"我|咱|俺|\b(?:i|me|my|mine|we|us|our|ours|myself)\b", re.IGNORECASE)
_SOMEBODY = re.compile(r"[他她](?!们)|(?:he|she)\b", re.IGNORECASE)
_OPENS = re.compile(
    r"(?:(?:但是?|不过|而且|所以|然后|另外|对了|那个?|因为|其实|and|but|so|also|because|well|anyway|actually|then)[\s,，]*)+",
    re.IGNORECASE,
)
_BESIDE = re.compile(
    r"没(?:想到|料到|多久|几天)|不(?:料|小心|得已|由得)|忍不住|can(?:not|['’]t) (?:wait|believe)|could(?: not|n['’]t) believe|not only",
    re.IGNORECASE,
)
"""Negations that leave what stands beside them as it is."""
_INSTEAD = re.compile(r"而是|[,，;；:：]|\bbut\b", re.IGNORECASE)
_NO_MORE = re.compile(
    r"\W*(?:[我他她已经早就再都也]{0,4}(?:不|没有?)[^，,。；;]{0,4}了|(?:[a-z']+\s+){0,3}?(?:no more|no longer|any ?more)\b)",
    re.IGNORECASE,
)
"""After the value: it holds no longer."""
NOBODY_KNOWN: Final = Who("", "")
"""Somebody else, of whom nothing tells who it is."""


def somebody_else(text: str, quote: str, value: str, speaker: str) -> Who | None:
    """Who the clause with the value is about instead of the one who writes; None where it is about them, or nobody is named.

    The writer is meant where the clause speaks of them other than by what somebody is to them ("我妈"); else the nearest
    subject before the value in its sentence counts. NOBODY_KNOWN for a pronoun that stands for nobody who was named.
    """
    begin = text.find(quote)
    at = text.find(value, begin) if value in quote else begin
    turn = Turn(speaker=speaker, speaker_surface="", listener="assistant")
    meant: Who | None = None
    sentence = -1
    for clause in split_clauses(text):
        if clause.start > at:
            break
        if clause.sentence_start != sentence:
            meant, sentence = None, clause.sentence_start
        who = _of_clause(clause, value, turn)
        if who is None:
            continue
        if who.key not in {speaker, ""} and who.person:
            turn.mention(who)
        meant = who
    return None if meant is None or meant.key in {speaker, "assistant"} else meant


def _of_clause(clause: Clause, value: str, turn: Turn) -> Who | None:
    """Whom a clause is about; None where it does not say."""
    words = _OPENS.sub("", clause.text, count=1) if _OPENS.match(clause.text) else clause.text
    if _OWN.search(_OTHERS.sub(" ", words.replace(value, " "))):
        return Who(turn.speaker, "")
    found = leading_subject(words, turn) if detect(words) == "zh" else en_subject(words, turn)
    if found is not None:
        return found[0]
    return NOBODY_KNOWN if _SOMEBODY.match(words) else None


def denied(text: str, quote: str, value: str) -> bool:
    """Whether the clause says no to the value: "I do choir no more", "我不养猫". What is set against it ("not A but B") is not."""
    begin = text.find(quote)
    at = text.find(value, begin)
    clause = next((one for one in split_clauses(text) if one.start <= at < one.end), None)
    if clause is None:
        return False
    before = _INSTEAD.split(text[clause.start : at])[-1]
    after = text[at + len(value) : clause.end]
    return negated(_BESIDE.sub(" ", before)) or _NO_MORE.match(after) is not None
