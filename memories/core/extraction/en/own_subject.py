"""What an English clause is about by a noun of its own: "the new phone comes with 256 GB now" is about a phone."""

from __future__ import annotations

import re

from memories.core.extraction.en.bare_words import CLAUSE, FINITE
from memories.core.extraction.en.plurals import singular
from memories.core.extraction.en.verbs import is_gerund, is_past
from memories.core.text.contractions import written_out
from memories.core.text.stopwords import AUXILIARIES, CLOSED_CLASS, PREPOSITIONS, word_set

_POINTING = word_set("i we it that this these those they he she everything all my our")
"""What opens a clause that is about the speaker, what is theirs, or what was spoken of before."""
_OPENERS = re.compile(
    r"(?:(?:and|but|so|now|then|also|well|ok|okay|oh|no|actually|sorry|turns out|finally|[a-z]+ly|today|yesterday|(?:last|this|next) [a-z]+|(?:as of|since|from|starting|by) [a-z]+(?: [a-z]+)?),?\s+)+",
    re.IGNORECASE,
)
_FOR_AN_ACT = re.compile(r"it\s+(?:only\s+)?(?:takes|took|costs?)\s.*?\sto\s+(?P<verb>[a-z]+)", re.IGNORECASE)
"""What takes so long is the act: "it takes 20 minutes to bake"."""
_NO_NOUN = word_set("new old current latest last first next other whole big little own same good")


def own_subject(clause: str, value: str) -> frozenset[str] | None:
    """The words, in the singular, of the noun that the part of a clause with the value is about.

    None where it is about the speaker, what is theirs, what was spoken of before, or leaves out what it is about.
    """
    work = written_out(clause.strip())
    at = work.find(value)
    parts = CLAUSE.split(work if at < 0 else work[:at])
    part = next((one for one in reversed(parts) if _has_verb(one)), parts[0])
    part = part[opens.end() :] if (opens := _OPENERS.match(part)) else part
    act = _FOR_AN_ACT.match(work[work.find(part) :]) if part else None
    if act:
        return frozenset({singular(act["verb"].lower())})
    words = re.findall(r"[a-zà-ÿ][a-zà-ÿ0-9+#-]*", part.lower().replace("'s", ""))
    if not words or words[0] in {"my", "our"}:
        return None
    if words[0] in _POINTING and (
        len(words) == 1 or words[0] not in {"that", "this", "these", "those", "all"}
    ):
        return None
    if words[0] in {"that", "this", "these", "those"} and (_is_verb(words[1]) or words[1].endswith("s")):
        return None
    found: list[str] = []
    for word in words:
        if _is_verb(word) or word in PREPOSITIONS or word == "now":
            break
        found.append(word)
    if not found:
        return None
    return frozenset(singular(word) for word in found if word not in CLOSED_CLASS | _NO_NOUN)


def _has_verb(part: str) -> bool:
    words = part.lower().split()
    return any(_is_verb(word) or (at and word.endswith("s")) for at, word in enumerate(words))


def _is_verb(word: str) -> bool:
    return word in FINITE or word in AUXILIARIES or is_past(word) or is_gerund(word)
