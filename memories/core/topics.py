"""What a text is about: the nouns of it, without who is greeted and without words that are no topic."""

from __future__ import annotations

import re

from memories.core.text.language import HAN
from memories.core.text.stopwords import CLOSED_CLASS, LIGHT_VERBS, PLAIN_NOUNS, ZH_PLAIN_NOUNS, word_set
from memories.core.text.words import tagged

_NOUN = frozenset({"n", "nz", "vn", "ns", "nt", "nr", "nrt", "nrfg", "eng", "l", "i"})

_ADDRESS = re.compile(
    r"^\s*(?:(?:你好|您好|嗨|哈[喽啰]|早上好|上午好|中午好|下午好|晚上好|早安|晚安)[啊呀哦吗]?[，,！!~～。\s]*"
    r"(?:[^，,。！!？?~～\s我你他她帮请给想要能会在是有吗呢的]{1,8}[，,！!~～])?"
    r"|(?i:hi|hey|hello|good (?:morning|afternoon|evening))\b(?:,?\s+(?:there\b|[A-Z][\w'-]+(?=\s*[,!.])))?[\s,!.]*)"
)


def without_address(text: str) -> str:
    """The text behind a greeting and the name of whoever is greeted: they say nothing of what it is about."""
    return _ADDRESS.sub("", text, count=1)


_EN_PHRASE = re.compile(
    r"\b(?:the|a|an|my|our|your|his|her|their|this|that|these|those|some|any|no|for|about|of|on|in|with|from|at|into|between|without|during|after|before)\s+"
    r"(?P<words>[A-Za-z][\w'-]+(?:\s+[A-Za-z][\w'-]+){0,3})",
    re.IGNORECASE,
)
_ENDS = CLOSED_CLASS | word_set(
    "work works look looks need needs take takes cost costs feel feels seem seems keep keeps"
)
"""Words that end a noun phrase: of grammar, and verbs that often stand behind one."""
_PLAIN = PLAIN_NOUNS | CLOSED_CLASS | LIGHT_VERBS | word_set("good great nice new")
_EN_NO_NOUN = re.compile(r"(?:ing|ed|ly|est|ful|ous|ive|able|ible)$", re.IGNORECASE)
_EN_PREDICATE = re.compile(
    r"\b(?:is|are|was|were|am|be|been|i'm|it's|so|very|too|really|feel|feels|looks|seems)\s+(?P<word>[a-z'-]+)",
    re.IGNORECASE,
)


def topics(text: str) -> list[str]:
    """The nouns that say what a text is about, in its language; the longest few."""
    found: list[str] = []
    if re.search(f"[{HAN}]", text):
        found = [
            w for w, tag in tagged(text[:400]) if tag in _NOUN and len(w) > 1 and w not in ZH_PLAIN_NOUNS
        ]
    else:
        found = _english_topics(text[:400])
    return sorted(dict.fromkeys(found), key=len, reverse=True)[:3]


def _english_topics(text: str) -> list[str]:
    """Noun phrases behind articles, possessives and prepositions; where there are none, words that can be nouns."""
    found = []
    for match in _EN_PHRASE.finditer(text):
        words: list[str] = []
        for word in match["words"].split():
            if word.lower() in _ENDS:
                break
            words.append(word)
        while words and (words[0].lower() in _PLAIN or len(words[0]) < 3):
            words.pop(0)
        phrase = " ".join(words[:3])
        if len(phrase) >= 3 and phrase.lower() not in _PLAIN:
            found.append(phrase)
    if found:
        return found
    said_of = {match["word"].lower() for match in _EN_PREDICATE.finditer(text)}
    words = re.findall(r"[A-Za-z][A-Za-z'-]{3,}", text)
    return [
        word
        for word in words
        if "'" not in word
        and word.lower() not in _PLAIN
        and word.lower() not in said_of
        and not _EN_NO_NOUN.search(word)
    ]
