"""Whether two facts most likely measure the same thing, though their words differ: a hint for ranking, never for replacing.

"the depth of the garden pond" and "water depth of our pond in the garden" are two slots by their words. An exact
slot replaces; a near one only lets the later of two amounts stand before the earlier.
"""

from __future__ import annotations

import re
from typing import Final

from memories.core.statement import FactPart
from memories.core.values.sorts import Sort, same_sort, sort_of

NEAR: Final = 0.5
"""Share of the smaller set of words that both must have, apart from the head."""
_OPEN: Final = frozenset({"user", "general", "", "my", "the", "total", "new", "count"})
_MEASURED: Final = frozenset({Sort.MONEY, Sort.PERCENT, Sort.NUMBER, Sort.AMOUNT, Sort.DATE, Sort.TIME})
_DONE: Final = re.compile(r"(?:ed|en|wn)$")


def same_measure(one: FactPart, other: FactPart) -> bool:
    """True for two amounts or two dates of one head noun, whose other words are of each other; False for equal slots."""
    if one.slot == other.slot or one.negated or other.negated:
        return False
    if sort_of(one.value) not in _MEASURED or not same_sort(one.value, other.value):
        return False
    mine, its = _words(one), _words(other)
    heads = mine[-1:] == its[-1:] or (mine[-1:] and mine[-1] in its) or (its[-1:] and its[-1] in mine)
    if not heads:
        return False
    first, second = set(mine), set(its)
    return len(first & second) >= max(1, round(NEAR * min(len(first), len(second)) + 0.01)) and (
        first <= second or second <= first or len(first & second) >= 2
    )


def _words(fact: FactPart) -> list[str]:
    """The words of whose and which, the head noun last; participles of progress ("completed") are no words of it."""
    text = f"{fact.entity} {fact.attribute}".lower().replace(":", " ").replace("_", " ")
    return [word for word in re.findall(r"[\w'-]+", text) if word not in _OPEN and not _DONE.search(word)]
