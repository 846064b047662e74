"""Questions whether somebody ever did something: what they say they never did, and what tells that they did, answer both (R18)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from memories.core.text.lexical import terms
from memories.core.text.passages import Sentence, Sentences, share, weights

_ASKS: Final = re.compile(
    r"^\W*(?:so |and |but |well |hey )?(?:have|had|did|has) (?:i|we)\b|\b(?:have|did) (?:i|we) (?:ever|already|actually)\b"
    r"|我们?(?:有没有|是否|是不是|曾经?)[^。！]{1,40}过?|我们?[^。！?？]{1,40}过[^。！?？]{0,20}(?:吗|没有?|么)",
    re.IGNORECASE,
)
_NEVER: Final = re.compile(
    r"\b(?:i|we)(?:'ve|’ve| have| had)? (?:actually |really |honestly )?(?:never|not yet|not ever)\b|\b(?:i|we) (?:haven't|haven’t|hadn't|didn't|didn’t|don't|don’t) (?:\w+ ){0,2}(?:ever|yet|any|have)?\b"
    r"|(?:从来?|从未|还|一直|根本)?(?:没有?|未)[^，。！？]{1,30}过|从未|从来没|还没",
    re.IGNORECASE,
)
_DID: Final = re.compile(
    r"\b(?:i|we)(?:'ve|’ve| have)\b(?! (?:never|not|yet|to|no)\b)|\b(?:i|we) (?:\w+ly |just |also |already )?\w{2,}ed\b|\balready\b|\bafter \w+ing\b"
    r"|\bmy (?:[\w/%-]+ ){1,8}?(?:\w{2,}ed|grew|rose|fell|went|was|were|got)\b|\bmy (?:\w+ ){0,2}(?:score|result|grade|progress|accuracy|experience|version)\b"
    r"|已经?|[^\s，。]过|我[^，。！？]{0,20}了",
    re.IGNORECASE,
)
_DID_WORD: Final = re.compile(
    r"\b\w{2,}(?:ed|wn|en)\b|\b(?:have|has|had|did|ever|before|already)\b", re.IGNORECASE
)
_DONE: Final = 0.8
"""What a telling of having done it counts beside the words that it was never done."""
LEAST: Final = 0.2
"""Share of the topic's words below which a sentence is about something else."""


def asks_experience(question: str) -> bool:
    """True for "have I ever …?", "did we …?", "我有没有…过?", "我…过…吗?"."""
    return _ASKS.search(question) is not None


def experiences(texts: Sequence[Sentences], question: str) -> list[float]:
    """For each text 0..1 how surely it tells that the person did, or never did, what the question is about.

    By its best sentence: the share of the topic's words (the question's without its verbs, which the answer's words
    seldom repeat), in full for "I've never …", a little less for what was done. 0 for texts about something else.
    """
    verbs = frozenset(term for match in _DID_WORD.finditer(question) for term in terms(match.group()))
    weight = weights(question, texts, verbs)
    return [max((_told(one, share(one.terms, weight)) for one in text), default=0.0) for text in texts]


def _told(sentence: Sentence, about: float) -> float:
    if about < LEAST:
        return 0.0
    if _NEVER.search(sentence.text):
        return about
    return _DONE * about if _DID.search(sentence.text) else 0.0
