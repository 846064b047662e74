"""Acts that an English clause takes for granted: "the importer I wrote hangs", "my Redis cache", "I used to ride horses".

What is only taken for granted is no news: it is learnt where it stands against what is known (core/placement/acts.py), else not.
"""

from __future__ import annotations

import re
from dataclasses import replace

from memories.core.extraction.en import done
from memories.core.extraction.en.verbs import is_clear_past, past_of
from memories.core.extraction.raw import Raw, Turn

PRESUPPOSED = "en.presupposed"
"""The rule of an act that the words take for granted."""
_RELATIVE = re.compile(
    r"\b(?P<np>(?i:the|my|our|this|that|an?)\s+(?:[\w.+#'’-]+\s+){1,4}?)(?:(?:that|which)\s+)?(?P<s>I|we)\s+(?:(?:have|had|just|already|recently|finally|once)\s+)*(?P<verb>[a-z]+)\b(?P<rest>(?:\s+(?:with|in|on|for|to|at)\s+[^,;]{2,40})?)"
)
_USED_TO = re.compile(r"(?P<s>.{1,40}?)\s+used\s+to\s+(?P<verb>[a-z]+)\s+(?P<rest>.{2,60})", re.IGNORECASE)
_A_PERIOD = re.compile(r"\s+(?:an?|per|each|every)\s+(?:day|night|week|month|year|morning|evening|weekend)\b.*", re.IGNORECASE | re.DOTALL)  # fmt: skip
_SO_MUCH = re.compile(r"(?:about\s+|around\s+)?(?:\d\S*|[a-z]+)\s+(?:miles?|km|kilomet(?:er|re)s?|meters?|metres?|laps?|steps?|hours?|minutes?|dollars?|euros?|pounds?|bucks|times)", re.IGNORECASE)  # fmt: skip
_BE = re.compile(r"(?:be|have|think|like|love|hate|live|work|know|want)\b", re.IGNORECASE)


def read(text: str, work: str, turn: Turn) -> list[Raw]:
    """The acts that the clause takes for granted; [] where it takes none."""
    used = _USED_TO.fullmatch(work)
    if used and not _BE.match(used["verb"]):
        what = _A_PERIOD.sub("", used["rest"])
        if _SO_MUCH.fullmatch(what):
            return []  # "five miles a day" tells how much, not what
        return done.read(text, f"{used['s']} have {past_of(used['verb'])} {what}", turn)
    found: list[Raw] = []
    for match in _RELATIVE.finditer(work):
        if is_clear_past(match["verb"]):
            plain = f"{match['s']} have {match['verb']} {match['np'].strip()}{match['rest']}"
            found += [
                replace(raw, rule=PRESUPPOSED, open=True)
                for raw in done.read(text, plain, turn)
                if raw.attribute
            ]
    return found
