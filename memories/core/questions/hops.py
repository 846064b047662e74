"""One hop: what the best rows are about leads to what else was said about it ("the phone of the one who works in …") (R21)."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection, Sequence
from typing import Final

from memories.core.text.language import HAN

ANCHORS: Final = 3
"""Best rows from which a hop may start."""
LEVEL: Final = 20
"""Place in the ranking from which a row no longer stands out, so that nothing hangs on it."""
LEAST_LINK: Final = 0.3
"""Share of what the anchor tells anew that another row must hold to be about the same."""
LINK_ALONE: Final = 0.6
"""What a link counts when the row holds none of the question's other words: it may say them differently."""
LONGEST: Final = 30
"""Terms beyond which a text tells of many things, so that what it shares with another says little; Chinese ones count half,
since its characters stand in words and in pairs."""
_HAN: Final = re.compile(f"[{HAN}]")


def hops(terms: Sequence[Collection[str]], scores: Sequence[float], asked: Collection[str]) -> list[float]:
    """For each row how much of the distance to an anchor above it is earned by the hop, as a score of at least 0.

    `terms` are the index terms of the rows, `scores` their rank values, `asked` the question's terms. An anchor fits a part
    of the question and names something that the question does not; a row linked to it holds those words. The row is
    pulled towards the anchor's score by the link's share (by rarity among the rows) and by how much of the question's other
    words it holds. 0 for everything where the ranking has no anchor.
    """
    gains = [0.0] * len(terms)
    if len(terms) < 2:
        return gains
    short = [_length(row) <= LONGEST for row in terms]
    order = sorted(range(len(terms)), key=lambda at: (-scores[at], at))
    rarity = _rarity(terms)
    question = frozenset(asked)
    level = scores[order[min(LEVEL, len(order) - 1)]]
    for anchor in order[:ANCHORS]:
        if scores[anchor] <= level:
            break
        held = frozenset(terms[anchor])
        if not short[anchor]:
            continue
        told = held - question
        rest = [term for term in question - held if term in rarity]
        mass, missing = sum(rarity[term] for term in told), sum(rarity[term] for term in rest)
        if mass <= 0:
            continue
        for at, row in enumerate(terms):
            distance = scores[anchor] - scores[at]
            if distance <= 0 or not short[at] or (len(row) == len(held) and held.issuperset(row)):
                continue
            link = sum(rarity[term] for term in told.intersection(row)) / mass
            if link < LEAST_LINK:
                continue
            more = sum(rarity[term] for term in rest if term in row) / missing if missing else 0.0
            gains[at] = max(gains[at], link * min(1.0, LINK_ALONE + more) * distance)
    return gains


def _length(terms: Collection[str]) -> float:
    """Up to twice LONGEST terms are looked at: more than that is too long in any language."""
    if len(terms) <= LONGEST or len(terms) > 2 * LONGEST:
        return float(len(terms))
    return sum(0.5 if _HAN.match(term) else 1.0 for term in terms)


def _rarity(terms: Sequence[Collection[str]]) -> dict[str, float]:
    """BM25's idf of each term among the rows."""
    many = len(terms)
    counted: Counter[str] = Counter()
    for row in terms:
        counted.update(row)
    # Most terms stand in one row or two: a logarithm a number, not one a term.
    idf = {df: math.log(1 + (many - df + 0.5) / (df + 0.5)) for df in set(counted.values())}
    return {term: idf[df] for term, df in counted.items()}
