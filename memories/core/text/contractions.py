"""English contractions in full: "I've" is "I have", "my sister's moved to" is "my sister has moved to"."""

from __future__ import annotations

import re

_BE_AFTER = (
    r"(?:now|still|not|a|an|the|my|our|at|on|in|from|into|called|named|allergic|actually|just|also|currently|always|retired|pregnant|engaged|married|"
    r"only(?=\s+[\d$€£])|[\d$€£]\S*(?=\s*$|[,.;!]|\s+(?:now|years?|months?|kg|lbs?|an?\b|per\b)))"
)
_HAVE_AFTER = r"(?:been|gone|become|had|(?:\w+ly\s+|just\s+|now\s+|recently\s+|finally\s+)?(?:moved|switched|turned|started|changed|gone|got|quit|left|joined|grown|dropped|risen|increased|relocated|retired)\s+(?:to|from|back|into|up|down|out|over|a|an|the|at|in|\d))"
_CONTRACTIONS = (
    (re.compile(r"\b(I)['’]m\b"), r"\1 am"),
    (re.compile(rf"(?<=\w)['’]s(?=\s+{_HAVE_AFTER}\b)", re.IGNORECASE), " has"),
    (re.compile(r"\b(he|she|it|that|there|what|who)['’]s\b(?=\s)", re.IGNORECASE), r"\1 is"),
    (re.compile(rf"(?<=\w)['’]s(?=\s+{_BE_AFTER}(?:\s|$|[,.;!]))", re.IGNORECASE), " is"),
    (re.compile(r"\b(we|they|you)['’]re\b", re.IGNORECASE), r"\1 are"),
    (re.compile(r"\b(\w+)['’]ve\b", re.IGNORECASE), r"\1 have"),
    (re.compile(r"\b(\w+)['’]ll\b", re.IGNORECASE), r"\1 will"),
    (re.compile(r"\b(I|he|she|we|they|you)['’]d\b", re.IGNORECASE), r"\1 would"),
    (re.compile(r"\b(do|does|did|is|are|was|has|have)n['’]t\b", re.IGNORECASE), r"\1 not"),
    (re.compile(r"\bcan['’]t\b", re.IGNORECASE), "cannot"),
)
_REST = (
    (re.compile(r"\bcan't\b|\bcannot\b", re.IGNORECASE), "can not"),
    (re.compile(r"\bwon't\b", re.IGNORECASE), "will not"),
    (re.compile(r"n't\b", re.IGNORECASE), " not"),
    (re.compile(r"'m\b", re.IGNORECASE), " am"),
    (re.compile(r"'re\b", re.IGNORECASE), " are"),
    (re.compile(r"'s\b", re.IGNORECASE), " is"),
    (re.compile(r"'d\b", re.IGNORECASE), " would"),
)
"""What written_out() leaves, for forms that are only compared: a possessive may come out as "is" there."""

_CANNOT = re.compile("cannot", re.IGNORECASE)


def written_out(text: str) -> str:
    """The text with its contractions in full ("I've" is "I have", "my sister's moved to" is "my sister has moved to")."""
    work = text.replace("’", "'")
    if "'" not in work:
        return work  # Each of the patterns holds one.
    for pattern, full in _CONTRACTIONS:
        work = pattern.sub(full, work)
    return work


def wholly_written_out(text: str) -> str:
    """The same with no contraction left; what reads so is for comparing, not for reading."""
    work = written_out(text)
    if "'" not in work and not _CANNOT.search(work):
        return work
    for pattern, full in _REST:
        work = pattern.sub(full, work)
    return work
