"""Whether what is left of a text says anything, once words were taken out."""

from __future__ import annotations

import re

from memories.core.extraction.directives import strip_explicit
from memories.core.extraction.sentences import is_small_talk
from memories.core.forgetting.marks import ANY_MARK, Span
from memories.core.text.clauses import phrases
from memories.core.text.lexical import terms
from memories.core.text.sentences import sentences
from memories.core.text.words import tagged
from memories.core.values.sorts import is_hard

TRIM = " \t\r\n\u3000，,、。.;；:：!！?？~～…"


def clauses(text: str) -> list[Span]:
    """The clauses of a text, trimmed."""
    return [(start, end) for start, end, _ in phrases(text)]


def nothing_left(text: str) -> bool:
    """Whether a masked text says nothing by itself any more: courtesies, "please note", a lone word, a bare topic."""
    if ANY_MARK.search(text) is None:
        return not text.strip()
    left: list[str] = []
    for low, high in sentences(text):
        cut = ANY_MARK.search(text, low, high) is not None
        rest = ANY_MARK.sub(" ", text[low:high])
        for start, end in clauses(rest):
            piece = strip_explicit(rest[start:end])[0].strip(TRIM)
            if piece and not is_small_talk(piece) and not (cut and _is_topic(piece)):
                left.append(piece)
    whole = " ".join(left)
    if is_hard(whole):
        return False
    return sum(terms(whole).values()) <= 1


_TOPIC_ZH = re.compile(r"(?:关于|至于|对于|说到|说起|提到|有关|我说的|我[^，]{0,8}的).+|[^，]{1,20}的[^，]+")


_TOPIC_EN = re.compile(
    r"(?:(?:as for|as to|about|regarding|concerning|speaking of|on the subject of|with regard to)\b.*|(?P<noun>(?:my|our|his|her|their|the|this|that)\s+(?:[\w'-]+\s*){1,5}))",
    re.IGNORECASE,
)


_VERB_EN = re.compile(
    r"\b(?:am|is|are|was|were|be|been|has|have|had|do|does|did|will|would|can|could|shall|should|may|might|must|\w+(?:ed|ing)|said|went|got|made|took|came|saw|knew|\w+n't)\b|'(?:m|re|ve|ll|d)\b",
    re.IGNORECASE,
)


_DOTTED = re.compile(r"[\u3400-\u9fff\w]+[·•][\u3400-\u9fff\w]+")
"""A name in two parts: whatever its parts mean, it is one noun."""


_SAYING = frozenset(["是", "在", "有", "叫", "了", "过", "要", "会", "想", "能", "可以", "应该", "得"])
"""Words with which a phrase tells something of its noun."""


def _is_topic(piece: str) -> bool:
    """A phrase that names what the forgotten words were about, and says nothing of it ("the camp that I will join, …")."""
    if re.search(r"[\u3400-\u9fff]", piece):
        if _TOPIC_ZH.fullmatch(piece) is None:
            return False
        words = tagged(_DOTTED.sub("名字", piece.rsplit("的", 1)[-1]))
        # A last 会 is a meeting, no "will".
        says = any(
            tag[:1] in {"d", "a", "y", "u"} or (word in _SAYING and (word != "会" or at + 1 < len(words)))
            for at, (word, tag) in enumerate(words)
        )
        last, tag = words[-1] if words else ("", "")
        # "b" and "s" tell a kind and a place: no word of theirs is a predicate.
        named = tag[:1] in set("njlexkgvbs") or (last[:1] in "那这" and len(last) > 1)
        return bool(words) and named and not says
    topic = _TOPIC_EN.fullmatch(piece)
    if topic is None or _VERB_EN.search(piece) is not None:
        return False
    # In doubt it says something: a word in -s behind a noun may be its verb ("my sister lives", "the hotel costs").
    behind = piece.split()[2:]
    return topic["noun"] is None or not any(re.search(r"[a-z]s$", word) for word in behind)
