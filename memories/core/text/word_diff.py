"""What changed between two texts: word by word, and character by character in Chinese."""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import takewhile
from typing import Literal

Op = Literal["same", "del", "ins"]

_HAN = "\u3400-\u9fff\uf900-\ufaff"
_TOKEN = re.compile(rf"[{_HAN}]|[^\W{_HAN}]+(?:['’-][^\W{_HAN}]+)*|\s+|.", re.DOTALL)
MOST = 600
"""Tokens that are compared on each side, apart from what both begin and end with: the comparison is quadratic."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of text that is in both, only in the old one, or only in the new one."""

    op: Op
    text: str


def word_diff(old: str, new: str) -> list[Piece]:
    """The pieces in order, deletions before insertions; those that are not `ins` give `old`, those that are not `del` `new`.

    Where more than MOST tokens lie between the common beginning and end, they count as replaced altogether.
    """
    a, b = _TOKEN.findall(old), _TOKEN.findall(new)
    head = _common(a, b)
    tail = _common(a[head:][::-1], b[head:][::-1])
    middle_a, middle_b = a[head : len(a) - tail], b[head : len(b) - tail]
    pieces = [
        Piece("same", "".join(a[:head])),
        *_compared(middle_a, middle_b),
        Piece("same", "".join(a[len(a) - tail :])),
    ]
    return [piece for piece in pieces if piece.text]


def _compared(a: list[str], b: list[str]) -> list[Piece]:
    if len(a) > MOST or len(b) > MOST:
        return [Piece("del", "".join(a)), Piece("ins", "".join(b))]
    pieces: list[Piece] = []
    for op, a1, a2, b1, b2 in SequenceMatcher(None, a, b, autojunk=False).get_opcodes():
        if op == "equal":
            pieces.append(Piece("same", "".join(a[a1:a2])))
        else:
            pieces += [Piece("del", "".join(a[a1:a2])), Piece("ins", "".join(b[b1:b2]))]
    return pieces


def _common(a: list[str], b: list[str]) -> int:
    """How many of their first tokens are the same."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(a, b, strict=False)))
