"""How an English clause opens before it says anything: contractions, "turns out that", "after three years I", no subject at all."""

from __future__ import annotations

import re

from memories.core.extraction.en.subjects import subject
from memories.core.extraction.raw import Turn

_ASSERTS = re.compile(
    r"(?:(?:it\s+)?turn(?:s|ed)\s+out(?:\s+(?:after|from|when|in)\s+[^,]{2,30}?)?(?:\s+that)?|i\s+would\s+say(?:\s+that)?|i\s+can\s+confirm(?:\s+that)?|"
    r"i\s+(?:just\s+|only\s+just\s+)?(?:found\s+out|reali[sz]ed|noticed|learn(?:ed|t)|checked(?:\s+[^,]{0,30}?)?\s+and)(?:\s+that)?|"
    r"(?:just\s+)?(?:an?\s+)?(?:quick\s+|little\s+|friendly\s+)*(?:reminder|note|heads[- ]up|update|correction)(?:\s+that|\s*[:,-])|"
    r"i\s+am\s+(?:pretty\s+|quite\s+|very\s+|so\s+)?(?:sure|certain|happy|glad|proud|sad|sorry|pleased)(?:\s+to\s+(?:say|report|announce))?(?:\s+that)?|"
    r"the\s+thing\s+is(?:\s+that)?|(?:i\s+)?forgot\s+to\s+(?:mention|say)(?:\s+that)?|i\s+(?:already\s+)?(?:mentioned|told\s+you)(?:\s+that)?|"
    r"(?:the\s+)?(?:good|bad|big|great|exciting|sad|other)\s+news(?:\s+is)?(?:\s+that)?)[\s,:]+(?=(?:I|we|my|our|the|his|her|she|he|[A-Z][\w'’]*)\b)",
    re.IGNORECASE,
)
"""Matrix clauses that assert what they embed."""
_LABEL = re.compile(
    r"(?:[A-Za-z][a-z'’-]*\s+){0,5}(?:of|in|on|the|from|to|with)?\s*(?:plans?|change|news|update|progress|note|story|story short|thing|announcement|report|correction|reminder|context|background|recap)(?:\s+(?:of|on|from|in|for)\s+[a-z][a-z ]{1,20})?\s*:\s+(?=\S)",
    re.IGNORECASE,
)
"""A label before the statement: "Small change of plan: ..."."""
_ADVERBIAL = re.compile(
    r"(?:after|before|following|since|during|with|thanks\s+to|because\s+of|at|in|for)\s+[^,]{3,60}?\s+(?=(?:I|we)\s+(?:am|have|live|moved|work|report|answer|use|go|see|pay|sleep|started|switched|bought|[a-z]+ed)\b)",
    re.IGNORECASE,
)
_PERIOD = r"(?:second|minute|hour|day|night|week|weekend|month|quarter|term|semester|year|season|spring|summer|autumn|fall|winter|morning|afternoon|evening|sprint)s?"
_WHENEVER = re.compile(
    rf"(?:(?:and|but|so|then)\s+)*(?:so\s+far|by\s+now|since\s+then|until\s+now|up\s+to\s+now|from\s+now\s+on|after\s+all|(?:right|just|for)\s+now|nowadays|meanwhile|eventually|finally|ultimately|in\s+(?:the\s+end|the\s+meantime|total|fact|general|short)|at\s+(?:the\s+moment|present|last|first|this\s+point)|"
    rf"(?:(?:just|only|about)\s+)?(?:yesterday|today|tonight|this|last|earlier\s+(?:today|this|last)|late\s+last)(?:\s+{_PERIOD})?|(?:over|during|in|within|after|before|since|for|by)\s+(?:the\s+)?(?:(?:last|past|next|first|coming)\s+)?(?:(?:an?|few|couple\s+of|several|some|\d+|two|three|four|five|six|ten|twelve)\s+)*{_PERIOD}|"
    rf"(?:an?|a\s+few|a\s+couple\s+of|several|\d+|two|three|four|five|six)\s+{_PERIOD}\s+(?:ago|later|on))(?:\s*,\s+|\s+)(?=(?:I|we|he|she|they|it|my|our|his|her|their|the|(?-i:[A-Z][\w'’-]*))\s)",
    re.IGNORECASE,
)
"""A phrase of time before the subject; a closed class of words."""
_ELIDED = re.compile(
    r"(?:(?:just|finally|recently|officially|also|already|only)\s+)*(?:(?:have\s+)?(?:switched|moved|relocated|quit|joined|bought|sold|upgraded|downgraded|swapped|replaced|changed|ditched|renamed|migrated)\s+"
    r"(?:(?:over\s+|back\s+)?(?:from|to|into)\s|the\s|my\s|our\s|an?\s|[A-Z])|cannot\s+stand\s|used\s+to\s+(?:live|work)\s|(?:been\s+)?using\s+[A-Z]|prefer\s+(?!not\b)|allergic\s+to\s)",
)
"""A predicate of the speaker with "I" left out."""


def opened(work: str, turn: Turn) -> str:
    """The clause without what only opens it, and with "I" before a predicate that has lost it."""
    for pattern in (_LABEL, _ASSERTS):
        opens = pattern.match(work)
        if opens and opens.end() < len(work):
            work = work[opens.end() :]
    when = _WHENEVER.match(work)
    if when and when[0].strip(" ,").lower() not in {"this", "last"}:
        work = work[when.end() :]
    if turn.subject is None and _ELIDED.match(work[:1].lower() + work[1:]):
        return f"I {'am ' if work[:8].lower() == 'allergic' else ''}{work[:1].lower()}{work[1:]}"
    if re.match(r"(?:I|we|my|our|the)\b", work, re.IGNORECASE) is None:
        lead = _ADVERBIAL.match(work)
        if lead and lead.end() < len(work) and subject(work, turn) is None:
            return work[lead.end() :]
    return work
