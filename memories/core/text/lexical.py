"""Turns text into index terms, the same way for memories and queries, in Chinese and English; and scores them by BM25."""

from __future__ import annotations

import math
import re
import threading
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final

import rjieba
import snowballstemmer

from memories.core.text.language import HAN
from memories.core.text.stopwords import EN_STOP, ZH_STOP, ZH_STOP_CHARS

MAX_TERM_LENGTH: Final = 64
MAX_TERMS: Final = 2000
MAX_QUERY_TERMS: Final = 128
K1: Final = 1.2
B: Final = 0.75

_EMAIL = r"[a-z0-9._%+-]+@[a-z0-9-]+(?:\.[a-z0-9-]+)+"
_CODE = r"[a-z0-9]+(?:[-_./:#@+][a-z0-9]+)+|[a-z]+\d[a-z0-9]*|\d+[a-z][a-z0-9]*"
_DIGITS = r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?: \d{2,}){2,}|\d+"
_WORD = r"[a-z\u00c0-\u024f]+(?:'[a-z]+)?"
_TOKEN = re.compile(
    f"(?P<email>{_EMAIL})|(?P<digits>{_DIGITS})(?![a-z0-9_./:#@+-]*[a-z0-9])|(?P<code>{_CODE})|(?P<han>[{HAN}]+)|(?P<word>{_WORD})|(?P<number>\\d+)|(?P<other>[^\\W_]+)"
)
_PARTS = re.compile(r"\d+|[a-z\u00c0-\u024f]+")
_ASKING = re.compile(
    "为什么|怎么样|什么样|是不是|有没有|能不能|什么|怎么|怎样|如何|哪里|哪儿|哪个|哪些|多少|几个|请问"
)
_stemmers = threading.local()


def terms(text: str) -> Counter[str]:
    """How often each term occurs in the text: at most 2,000 different ones of at most 64 characters.

    Chinese gives words (search mode) and character bigrams, English gives stems without stop words, and ids, codes,
    e-mails, phone and other numbers stay whole, joined without separators, and are given in their parts too.
    """
    counted: Counter[str] = Counter()
    for term in _terms(text):
        if len(counted) >= MAX_TERMS and term not in counted:
            continue
        counted[term] += 1
    return counted


def query_terms(text: str) -> list[str]:
    """The different terms of a query in the order of their first appearance, at most 128."""
    return list(dict.fromkeys(_terms(text)))[:MAX_QUERY_TERMS]


def bm25(
    query: Sequence[str], documents: Sequence[Mapping[str, int]], k1: float = K1, b: float = B
) -> list[float]:
    """The BM25 score of each document (term -> frequency) for the query's different terms; 0.0 without a match.

    score(d) = sum over t of idf(t) * tf * (k1 + 1) / (tf + k1 * (1 - b + b * |d| / avgdl)), where
    idf(t) = ln(1 + (N - df + 0.5) / (df + 0.5)), N is the number of documents, df the number that hold t, |d| the sum of
    d's frequencies and avgdl their mean (Robertson and Zaragoza 2009, with the idf that is never negative). This is the
    reference that the SQL in the store is tested against.
    """
    if not documents:
        return []
    lengths = [sum(document.values()) for document in documents]
    mean = sum(lengths) / len(lengths) or 1.0
    scores = [0.0] * len(documents)
    for term in dict.fromkeys(query):
        frequencies = [document.get(term, 0) for document in documents]
        df = sum(1 for frequency in frequencies if frequency)
        idf = math.log(1 + (len(documents) - df + 0.5) / (df + 0.5))
        for at, frequency in enumerate(frequencies):
            if frequency:
                norm = k1 * (1 - b + b * lengths[at] / mean)
                scores[at] += idf * frequency * (k1 + 1) / (frequency + norm)
    return scores


def _terms(text: str) -> Iterator[str]:
    normal = unicodedata.normalize("NFKC", text).replace("’", "'").lower()
    for match in _TOKEN.finditer(normal):
        piece = match.group()
        found: Iterable[str]
        match match.lastgroup:
            case "han":
                found = _han(piece)
            case "word":
                found = _word(piece)
            case "email" | "code":
                found = _code(piece)
            case _:
                found = _number(piece)
        for term in found:
            if len(term) <= MAX_TERM_LENGTH:
                yield term


def _han(run: str) -> Iterator[str]:
    """The terms of each part between question words, which would only make senseless bigrams with their neighbours."""
    for part in _ASKING.split(run):
        if part:
            yield from _han_part(part)


def _han_part(run: str) -> Iterator[str]:
    """Words in search mode and bigrams of the run; a word of two characters is its own bigram and is given once."""
    if len(run) == 1:
        if run not in ZH_STOP_CHARS:
            yield run
        return
    for word in rjieba.cut_for_search(run):
        if len(word) == 1:
            if word not in ZH_STOP_CHARS:
                yield word
        elif len(word) > 2 and word not in ZH_STOP:
            yield word
    for at in range(len(run) - 1):
        pair = run[at : at + 2]
        if pair not in ZH_STOP and not (pair[0] in ZH_STOP_CHARS and pair[1] in ZH_STOP_CHARS):
            yield pair


def _word(word: str) -> Iterator[str]:
    bare = word.split("'", 1)[0]
    if word not in EN_STOP and bare not in EN_STOP and len(bare) > 1:
        yield stem(bare)


def _code(code: str) -> Iterator[str]:
    """The code as written, without its separators, and its parts ("kx-7731": kx-7731, kx7731, kx, 7731).

    Words that are only joined by a hyphen or a slash are words, not a code.
    """
    parts = _PARTS.findall(code)
    if not any(char.isdigit() for char in code) and "@" not in code and "_" not in code:
        for part in parts:
            yield from _word(part)
        return
    yield code
    joined = "".join(parts)
    if joined != code:
        yield joined
    if len(parts) > 1:
        for part in parts:
            if part.isdigit():
                if part.strip("0"):
                    yield part
            elif part not in EN_STOP and len(part) > 1:
                yield stem(part)


def _number(number: str) -> Iterator[str]:
    """The number without separators; groups written with spaces (phone, card) are given one by one too."""
    yield number.replace(",", "").replace(" ", "")
    if " " in number:
        yield from number.split(" ")


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """The English Snowball stem of a lower-case word. Stemmers keep state, so each thread has its own."""
    stemmer = getattr(_stemmers, "english", None)
    if stemmer is None:
        stemmer = _stemmers.english = snowballstemmer.stemmer("english")
    return str(stemmer.stemWord(word))
