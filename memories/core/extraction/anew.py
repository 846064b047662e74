"""What a sentence that asks to forget says besides: what holds from now on, in place of what goes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from memories.core.extraction.requests import asked
from memories.core.extraction.requests_new import FORMER_ONE, NEWLY, new_value
from memories.core.extraction.sentences import Clause
from memories.core.text.clauses import phrases

_FORMER = re.compile(
    r"\b(?:old|former|previous|past|earlier|outdated|wrong)\s+(?=\w)|(?:旧|老(?=地址|号码|电话|手机|邮箱|公司|单位|住址)|以前|之前|过去|原来|原先|从前|错误)的?(?=.)",
    re.I,
)
_ASKED_FOR = re.compile(r"(?:那?[条个项]|这?[条个项])$")


def named_in(sentence: str) -> str:
    """What the sentence asks to forget, as the subject of a statement: "my address" for "my old address"; "" for several."""
    found = asked(sentence)
    if len(found) != 1 or not found[0].phrase or found[0].kept:
        return ""
    if FORMER_ONE.fullmatch(found[0].phrase):
        return found[0].phrase
    return _ASKED_FOR.sub("", _FORMER.sub("", found[0].phrase, count=1))


def _cut(clauses: list[Clause]) -> Iterator[Clause]:
    """The clauses, those that hold a request beside something else cut further."""
    for clause in clauses:
        if not asked(clause.text):
            yield clause
            continue
        for low, high, _ in phrases(clause.text):
            yield replace(
                clause, text=clause.text[low:high], start=clause.start + low, end=clause.start + high
            )


def stated_anew(clauses: list[Clause], phrase: str, *, chinese: bool) -> list[tuple[Clause, str]]:
    """(clause, what it states) for the clauses beside a request that say what holds from now on.

    A clause that names no subject of its own is completed by `phrase`, which is to be forgotten.
    """
    found: list[tuple[Clause, str]] = []
    for clause in _cut(clauses):
        if clause.asks or asked(clause.text):
            continue
        value = new_value(clause.text, chinese=chinese)
        if value and phrase and FORMER_ONE.fullmatch(phrase) is None:
            found.append(
                (clause, f"{phrase}是{value}" if chinese else f"{phrase[:1].upper()}{phrase[1:]} is {value}")
            )
        elif NEWLY.search(clause.text):
            found.append((clause, clause.text))
    return found
