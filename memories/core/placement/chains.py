"""Which known fact a changed value is of, by a part of its name in Chinese words: 套餐 for my 手机套餐, 宿舍熄灯 for 宿舍熄灯时间.

A noun that stands right before or behind that part, and is none of the name's, makes it another thing: 书房空调温度 is no
客厅空调温度. Of several facts that fit, the one with the longest common part is meant; of two of one length, none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from memories.core.extraction.attributes import BY_NAME
from memories.core.extraction.raw import UNSAID
from memories.core.extraction.relations import BY_WORD as RELATIONS
from memories.core.extraction.relations import NAMES as RELATION_NAMES
from memories.core.placement.opened import GENERAL, spoken
from memories.core.statement import FactPart
from memories.core.text.words import tagged

_NAMING = frozenset({"s", "n", "vn", "j", "eng", "nz", "nt", "ns", "nr", "nrt", "an", "b"})
_OTHERS = re.compile(r"(?:[她他你您]|别人|人家|大家)(?:们|家)?的?$")
_BETWEEN = frozenset("updvctmqryfwxa")
"""How the tags begin of what may stand before a name and is no part of it."""
_OURS = re.compile(r"(?:[我咱](?:们|家)?|家里?|公司|单位|学校|的|现在|目前|店里?|位置|那边|这边)")


def facts_named(said: FactPart, words: str, held: Sequence[FactPart]) -> list[FactPart]:
    """The facts of `held`, one a slot, whose name has the longest part in the words; `held` are those whose value may be replaced."""
    rest = words.replace(said.value, "\n", 1)
    best = 1
    found: dict[str, FactPart] = {}
    for one in held:
        long = _common(rest, one) if _may_be_of(said, one, rest) and not _of_another(said, one) else 0
        if long < 2 or long < best:
            continue
        if long > best:
            found, best = {}, long
        found[one.slot] = one
    return list(found.values())


def _of_another(said: FactPart, one: FactPart) -> bool:
    """Whether both names end alike and each begins with words of its own: 接口测试覆盖率 is no 单元测试覆盖率."""
    if said.attribute == UNSAID:
        return False
    mine, its = (
        f"{'' if fact.entity in {'user', GENERAL} else fact.entity}{fact.attribute}" for fact in (said, one)
    )
    alike = 0
    while alike < min(len(mine), len(its)) and mine[-alike - 1] == its[-alike - 1]:
        alike += 1
    return 1 < alike < min(len(mine), len(its))


def _kin(entity: str) -> str | None:
    """The relation of a person of the speaker's, None for anybody and anything else."""
    name = entity.split(":")[1] if entity.startswith("user:") else ""
    return name if name in RELATION_NAMES else None


def _may_be_of(said: FactPart, one: FactPart, words: str) -> bool:
    """Whether nobody else is spoken of: a person that has the fact is named in the words, or is whom they are about."""
    spoken_of, owner = _kin(said.entity), _kin(one.entity)
    if spoken_of is not None:
        return one.entity == said.entity or (owner is None and one.entity != "user")
    named = [
        name for word, name in RELATIONS.items() if len(word) > 1 and not word.isascii() and word in words
    ]
    return owner is None or owner in named


def _common(words: str, one: FactPart) -> int:
    """The characters of the longest part of the fact's name that the words have, with no other noun beside it."""
    kin = _kin(one.entity)
    owners = frozenset(word for word, name in RELATIONS.items() if name == kin)
    return max((_part(words.lower(), part, name, owners) for part, name in _parts(one)), default=0)


def _part(words: str, part: str, name: str, owners: frozenset[str]) -> int:
    at = words.find(part)
    if at < 0 or not re.fullmatch(r"[\u4e00-\u9fffa-z]+", part):
        return 0
    return 0 if _beside(words, at, at + len(part), name, owners) else len(part)


def _parts(one: FactPart) -> Iterator[tuple[str, str]]:
    """The ends of the fact's name, its owner, and the beginnings of an attribute that nobody has: with the whole name."""
    bare = one.entity in {"user", GENERAL} or _kin(one.entity) is not None
    owner = "" if bare else spoken(one.entity.split(":")[-1]).lower()
    row = BY_NAME.get(one.attribute)
    words = (
        [word for word in row.words if word and not word.isascii()] if row is not None else [one.attribute]
    )
    if len(owner) > 1:
        yield from ((owner[at:], owner) for at in range(len(owner) - 1))
    for word in words:
        name = re.sub(r"的$", "", f"{owner}{word}".replace("_", "")).lower()
        yield from ((name[at:], name) for at in range(len(name) - 1))
        if not owner:
            yield from ((name[:to], name) for to in range(2, len(name)))


def _beside(words: str, start: int, end: int, name: str, owners: frozenset[str]) -> bool:
    """Whether the part cuts a word, or another noun, or somebody else's pronoun, stands beside it.

    What else of the name stands there is passed over: before 温度 of 书房空调温度 is 卧室, in 卧室空调温度.
    """
    whole = words[start:end] == name
    before: list[tuple[str, str]] = []
    after: list[tuple[str, str]] = []
    at = 0
    for word, tag in tagged(words):
        low, high = at, at + len(word)
        at = high
        if not whole and (low < start < high or low < end < high) and len(word) > 1:
            return True
        if high <= start:
            before.append((word, tag))
        elif low >= end:
            after.append((word, tag))
    left = start
    for word, tag in reversed(before):
        if _OTHERS.search(words[:left]) is not None:
            return True
        if not _belongs(word, name, owners):
            if tag in _NAMING or tag[:1] not in _BETWEEN:
                return True
            break
        left -= len(word)
    for word, tag in after:
        if not _belongs(word, name, owners):
            return tag in _NAMING and re.match("[太很不更真挺]", word) is None
    return False


def _belongs(word: str, name: str, owners: frozenset[str]) -> bool:
    return word in name or word in owners or _OURS.fullmatch(word) is not None
