"""How many of a kind somebody says that they have: "我养了三只狗", "I own two cats". Another count takes the place of the one before."""

from __future__ import annotations

import re

from memories.core.statement import FactPart
from memories.core.values.numerals import EN_NUMBER, ZH_NUMBER, en_number, zh_number

_COUNTED_ZH = re.compile(
    rf"(?<![没又再还另])(?:养|有)(?:着|了)?(?P<n>{ZH_NUMBER})(?:个|位|只|条|头|匹|辆|台|部|套|间|栋|架|把|艘)$"
)
_BESIDE = re.compile(
    r"[又再另]|还[养有]|\b(?:another|more|also|too|adopted|(?<!have )got|new)\b", re.IGNORECASE
)
"""What comes beside what is had already."""
_COUNTED_EN = re.compile(
    rf"(?P<n>{EN_NUMBER})\s+(?P<kind>[a-z][a-z -]*?)(?:\s+(?:named|called)\b.*)?", re.IGNORECASE
)
_HAVE = re.compile(r"\b(?:have|has|own|owns)\b", re.IGNORECASE)


def other_count(one: FactPart, said: str, other: FactPart, other_said: str) -> bool:
    """Whether both sentences say of one kind how many are had, and differ in the number.

    `said` and `other_said` are the contents of the two facts. Symmetric; False where either gives no count.
    """
    if one.slot != other.slot:
        return False
    mine, theirs = _count(one, said), _count(other, other_said)
    return mine is not None and theirs is not None and mine[0] == theirs[0] and mine[1] != theirs[1]


def _count(fact: FactPart, said: str) -> tuple[str, float] | None:
    """The kind, in the singular, and how many of it."""
    if fact.negated or _BESIDE.search(said):
        return None
    if fact.attribute.startswith("owns:"):
        match = _COUNTED_ZH.search(said[: max(0, said.find(fact.value))])
        number = zh_number(match["n"]) if match else None
        return None if number is None else (fact.value, number)
    if fact.attribute == "pet" and _HAVE.search(said):
        match = _COUNTED_EN.fullmatch(fact.value.strip())
        number = en_number(match["n"]) if match else None
        if match is not None and number is not None:
            return re.sub(r"(?<=[a-z])s$", "", match["kind"].lower()), number
    return None
