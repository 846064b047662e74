"""Named speakers: the index terms that say who said something, and the names of speakers in a question.

In a conversation between named people a question says "What did Mia plan?": the name tells who said it, not what was
said. Left in, it draws every turn that addresses Mia; taken out of the text and matched with who spoke, it helps.
"""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections.abc import Collection
from typing import Final

from memories.core.text.language import HAN

LENGTH_TERM: Final = ""
"""Each item has one posting of the empty term, so that BM25 knows how many items there are and how long they are."""

SPEAKER_SIGN: Final = "@"
"""Begins a speaker's term; no term of a text begins with it."""

MAX_NAME: Final = 63
MAX_CANDIDATES: Final = 96
_ROLES: Final = frozenset({"", "user", "assistant", "system", "tool", "用户", "助手", "助理"})
_LATIN = r"[^\W\d_](?:[\w.\-]*\w)?"
_LATIN_NAME = re.compile(_LATIN)
_HAN_RUN = re.compile(f"[{HAN}]{{2,}}")
_HAN_NAME_LENGTHS: Final = (2, 3, 4)


def speaker_term(speaker: str) -> str:
    """The index term of a named speaker; "" for a plain role or no name at all."""
    name = _normal(speaker)
    return "" if name in _ROLES or len(name) > MAX_NAME else SPEAKER_SIGN + name


def name_candidates(text: str) -> list[str]:
    """Speaker terms that the text might mention: its words, pairs of words, and Chinese runs of 2 to 4 characters."""
    normal = _normal(text)
    words = [match.group() for match in _LATIN_NAME.finditer(normal) if not _HAN_RUN.search(match.group())]
    names = [
        *words,
        *(f"{one} {two}" for one, two in itertools.pairwise(words)),
    ]
    for run in _HAN_RUN.findall(normal):
        names.extend(run[at : at + n] for n in _HAN_NAME_LENGTHS for at in range(len(run) - n + 1))
    terms = dict.fromkeys(speaker_term(name) for name in names)
    terms.pop("", None)
    return list(terms)[:MAX_CANDIDATES]


def without_names(text: str, names: Collection[str]) -> str:
    """The text without the speakers whose terms are given; the text itself when nothing else would be left."""
    left = text
    for term in sorted(names, key=len, reverse=True):
        name = re.escape(term.removeprefix(SPEAKER_SIGN)).replace(r"\ ", r"\s+")
        pattern = name if _HAN_RUN.search(term) else rf"\b{name}\b(?:['’]s\b)?"
        left = re.sub(pattern, " ", left, flags=re.IGNORECASE)
    left = re.sub(r"\s+", " ", left).strip()
    return left if re.search(r"\w", left) else text


def _normal(text: str) -> str:
    return re.sub(r"\s+", " ", unicodedata.normalize("NFKC", text).replace("’", "'").lower()).strip()
