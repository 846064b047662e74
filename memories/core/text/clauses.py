"""The clauses of a sentence in Chinese, English and mixed text: for reading facts, for requests, and for taking words out.

Three cuts, each finer than the one before: at punctuation (PUNCTUATION), where another statement begins (statements), and
at both (phrases). What forgetting takes out is thereby never more than what extraction read as one statement.
"""

from __future__ import annotations

import re

from memories.core.text.sentences import Bounds, sentences
from memories.core.text.stopwords import AUXILIARIES, CONJUNCTIONS, PREPOSITIONS, PRONOUNS

PUNCTUATION = r"[，；;]+|(?<!\d),|,(?!\d)|(?:(?<!\s)\s++)?(?:——+|—|–|--)\s*+|(?<!\s)\s++-\s++"
"""Where a clause may end, as a pattern without groups; no comma inside a number. Here and below a run of spaces is taken
whole and from its beginning only (possessive), so that reading stays linear."""
_EDGE = " \t\r\n\u3000，,。；;、!！~～…"
_TRIM = _EDGE + ".:：?？"
_PIECE = re.compile(rf"{PUNCTUATION}|[、\n]+")
_CJK = re.compile(r"[\u3400-\u9fff]")
_NO_VERB = (
    "(?:" + "|".join(sorted(PREPOSITIONS | CONJUNCTIONS | PRONOUNS | AUXILIARIES)) + r"|[a-z]+(?:ing|ly))\b"
)
"""Words before "me" or "them" that ask for nothing: "between us", "giving me"."""

_ZH_CUT = re.compile(r"[，；]+|(?<!\d),|,(?!\d)|;|(?:(?<!\s)\s++)?(?:——|--)\s*+")
_ZH_SPACE = re.compile(
    r"(?<=[\u4e00-\u9fff][\u4e00-\u9fff])[ \u3000]+(?=[\u4e00-\u9fff]|[A-Za-z]+[\u4e00-\u9fff])|(?<=[\u4e00-\u9fff]\d)[ \u3000]+(?=[\u4e00-\u9fff])|(?<=\d\d)[ \u3000]+(?=[\u4e00-\u9fff]{3})"
)
"""A space that stands where a comma should; not one that sets off words in Latin letters."""
_EN_BREAK = re.compile(
    r"(?:(?<!\s)\s++)?;\s*+|(?<!\s)\s++(?:-|–|—)\s++|—"
    r"|(?:,|(?<![\s,]))\s++(?:but|because|although|though|whereas|however)\s++"
    r"|(?:,|(?<![\s,]))\s++so\s++(?=(?:I|I'm|I've|he|she|we|they|my|our|his|her|the)\b)"
    r"|:\s+(?=(?:I|I'm|I've|we|we've|we're|he|she|he's|she's|it's|they|my|our|his|her|the\s+(?:[\w'’-]+\s+){1,5}?(?:is|are|was|has|have|will))\b)"
    r"|,\s++(?:(?:and|so|then|which means)\b\s*+)?(?=(?:I|I'm|I've|he|she|it|we|they|you|my|his|her|its|our|their|there|this|that|please(?!\s*[,.!?]|\s*$)|not|don't|never|always|the)\b)"
    r"|,\s+(?:and\s+)?(?=(?:[A-Z][a-z]+(?:\s+[A-Z][a-z]+)?)(?:'s\s+\w+)?\s+(?:is|was|has|lives|works|likes|loves|hates|will|moved|prefers)\b)"
    r"|(?:,|(?<![\s,]))\s++and\s++(?=(?:I|I'm|he|she|it|we|they|my|his|her|our|their|the)\b)"
    r"|(?:,|(?<![\s,]))\s++and\s++(?=[A-Z][a-z]+(?:'s\s+\w+)?\s+(?:is|has|lives|works|likes|loves|hates|will|moved|prefers)\b)"
    r"|(?:,|(?<![\s,]))\s++and\s++(?=(?:also\s+)?(?:work|works|live|lives|love|loves|hate|hates|prefer|prefers|am|have|has|was|moved|switched|started|bought|study|studies|speak|speaks|don't|doesn't|can't|will|never|always)\b)"
    r"|,\s+(?:and\s+|so\s+|but\s+)?(?=(?:can|could|would|will|should|do|does|how|what|which|where|any)\s+(?:you|i|we|it|there|that|this|my|the|do|can|could|should|are|is|other|tips|if)\b)"
    r"|,\s+(?=(?:live|lives|work|works|love|loves|hate|hates|prefer|prefers)\s)"
    r"|,\s+(?:(?:and|so|but|please|just|then)\s+){0,3}(?=(?!" + _NO_VERB + r")[a-z]+\s+(?:me|us|him|them)\b)"
)


def statements(sentence: str) -> list[Bounds]:
    """The bounds of the clauses of one sentence that may each state something; trimmed, none empty.

    A comma inside a value stays ("Bonn, Germany"); what begins with a subject, a question or an order is another clause.
    """
    return _between(sentence, 0, len(sentence), _breaks(sentence), _EDGE, _EDGE + ".")


def phrases(text: str) -> list[tuple[int, int, bool]]:
    """(start, end, whether it begins a sentence) of the smallest pieces of a text: cut as statements are, and at every comma."""
    found: list[tuple[int, int, bool]] = []
    for low, high in sentences(text):
        cuts = [
            *(match.span() for match in _PIECE.finditer(text, low, high)),
            *((low + start, low + end) for start, end in _breaks(text[low:high])),
        ]
        pieces = _between(text, low, high, sorted(cuts), _TRIM, _TRIM)
        found += [(start, end, at == 0) for at, (start, end) in enumerate(pieces)]
    return found


def _breaks(sentence: str) -> list[Bounds]:
    """Where one statement ends and the next begins."""
    if _CJK.search(sentence) is None:
        return [match.span() for match in _EN_BREAK.finditer(sentence)]
    return sorted(match.span() for match in [*_ZH_CUT.finditer(sentence), *_spaced(sentence)])


def _between(text: str, low: int, high: int, cuts: list[Bounds], left: str, right: str) -> list[Bounds]:
    """What lies between the cuts (in order; one inside another counts once), without the characters at its edges."""
    found: list[Bounds] = []
    at = low
    for start, end in [*cuts, (high, high)]:
        if end <= at and start < high:
            continue
        if (piece := trimmed(text, at, max(start, at), left, right))[0] < piece[1]:
            found.append(piece)
        at = end
    return found


def trimmed(text: str, start: int, end: int, left: str = _TRIM, right: str = _TRIM) -> Bounds:
    """The bounds without spaces and punctuation at either end."""
    while start < end and text[start] in left:
        start += 1
    while start < end and text[end - 1] in right:
        end -= 1
    return start, end


def _spaced(sentence: str) -> list[re.Match[str]]:
    """The spaces that cut a Chinese sentence written without commas; none where every word is set apart."""
    found = list(_ZH_SPACE.finditer(sentence))
    pieces = [piece for piece in re.split(r"[\s，,]+", sentence) if piece]
    short = sum(1 for piece in pieces if len(piece) < 3)
    return found if found and short * 3 <= len(pieces) else []
