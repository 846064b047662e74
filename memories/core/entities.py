"""Which keys of facts name the same person or thing: a name, a relation, and a name with its relation (R15).

"我同事王芳" is read as `user:colleague:王芳`, "我妈妈" as `user:mother`, "王芳" alone as `王芳`, "茶艺交流会" as itself. What
the facts say ties them together; where two could be meant, nothing is tied.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable

from memories.core.extraction.relations import BY_WORD as RELATION_WORDS
from memories.core.extraction.relations import MANY
from memories.core.text.stopwords import word_set
from memories.core.text.words import tagged
from memories.core.values.normalise import canonical

Known = tuple[str, str, str]
"""(entity, attribute, value) of a fact that holds."""

_RELATIONS = frozenset(RELATION_WORDS.values())
_LOOSE_NAME = re.compile(
    r"[小老阿大][\u4e00-\u9fff]|[\u4e00-\u9fff]{1,2}(?:哥|姐|总|工|老师|先生|女士|阿姨|叔叔|师傅|经理)"
)
"""小李, 王老师: too many people are called so for two of them to be one person."""
_MODIFIER = re.compile(
    r"(?:(?:19|20)?\d\d年?(?:度)?|第[\d一二三四五六七八九十]+[届期次季]|[春夏秋冬]季|[上下]半年|[上下]个?[月周]|本[届次期]|首届|年度|全[国市省校]|"
    r"公司|集团|部门|团队|学校|学院|社区|小区|单位|线[上下]|国际|全球|[东南西北]区|我们?的?|咱们?的?|[\u4e00-\u9fff]{2,4}[省市区县州])+"
)
_MIN_SHORT, _MAX_NAME = 3, 60
"""Characters of a short name at least, and of a name at most: what is longer is a text, and nobody shortens it."""
_OF_PEOPLE = word_set(
    "allergy birthday blood_type diet education email employer english_name gender hobby marital_status medication nationality"
    " nickname occupation phone qq religion school shoe_size speaks wechat workplace zodiac"
)
"""Attributes that people have and things have not."""


class Entities:
    """The entities of one user's facts, tied together where the facts leave no doubt."""

    def __init__(self, facts: Iterable[Known]) -> None:
        self._people: dict[str, set[str]] = defaultdict(set)
        self._named: dict[str, set[str]] = defaultdict(set)
        self._spelling: dict[str, str] = {}
        self._seen: set[str] = set()
        self._keys: dict[str, str] = {}
        self._persons: set[str] = set()
        for entity, attribute, value in facts:
            self._seen.add(entity)
            if attribute in _OF_PEOPLE:
                self._persons.add(entity)
            root, relation, name = _parts(entity)
            if relation and name is None and attribute == "name" and not _parts_of_kin(entity):
                name = value
            if relation and name:
                self._people[f"{root}:{relation}"].add(canonical(name))
                self._named[canonical(name)].add(f"{root}:{relation}")
                self._spelling.setdefault(canonical(name), name)

    def key(self, entity: str) -> str:
        """The one key of whoever or whatever the entity is; equal for two that are surely the same. Idempotent."""
        found = self._keys.get(entity)
        if found is None:
            found = self._keys[entity] = self._resolved(entity)
        return found

    def same(self, one: str, other: str) -> bool:
        """Whether two keys surely name the same."""
        return canonical(self.key(one)) == canonical(self.key(other))

    def aliases(self, entity: str) -> set[str]:
        """Every key and name among the facts that means this entity, itself included."""
        key = self.key(entity)
        found = {one for one in self._seen if self.key(one) == key} | {entity, key}
        found |= {spelling for spelling in self._spelling.values() if self.key(spelling) == key}
        return found

    def _resolved(self, entity: str) -> str:
        parts = entity.split(":")
        if len(parts) > 1 and _parts_of_kin(entity):
            # somebody's mother: the mother of whoever that is
            return f"{self.key(':'.join(parts[:-1]))}:{parts[-1]}"
        if len(parts) == 1:
            return self._of_name(entity)
        root, relation, name = _parts(entity)
        person = f"{root}:{relation}"
        names = self._people.get(person, set())
        if name is None:
            return self._of_person(person, next(iter(names))) if len(names) == 1 else entity
        return self._of_person(person, canonical(name), name)

    def _of_person(self, person: str, name: str, spelling: str | None = None) -> str:
        """The key of the one called so who stands in this relation."""
        others = self._named.get(name, set())
        shown = self._spelling.get(name) or spelling or name
        if len(others) > 1 and not _LOOSE_NAME.fullmatch(shown):
            # one name in two relations ("my friend" and "my colleague"): one person, the narrowest relation first
            person = min(others, key=lambda one: (one.split(":")[-1] in MANY, one))
        relation = person.split(":", 1)[1]
        alone = relation in _RELATIONS and relation not in MANY and self._people.get(person, {name}) <= {name}
        return person if alone else f"{person}:{shown}"

    def _of_name(self, entity: str) -> str:
        name = canonical(entity)
        people = self._named.get(name, set())
        if people and (len(people) == 1 or not _LOOSE_NAME.fullmatch(entity)):
            return self._of_person(min(people), name)
        if people:
            return entity
        longer = self._longer(entity)
        return self.key(longer) if longer is not None else entity

    def _longer(self, short: str) -> str | None:
        """The only longer name of the same: "杭州茶艺交流会" for "茶艺交流会", "Tom Smith" for "Tom"; None for none or several."""
        names = {*self._seen, *self._spelling.values()}
        found = {
            one
            for one in names
            if ":" not in one and one != short and _is_short_for(short, one)
            # "Tom" is short for a person "Tom Smith"; "Apple" is none for "Apple Pie"
            and (not short.isascii() or " " in short or one in self._persons or canonical(one) in self._named)
        }  # fmt: skip
        if len(found) > 1:
            # 杭州茶艺交流会 and 2026杭州茶艺交流会: the longest has all the others in it
            most = max(found, key=lambda one: (len(one), one))
            found = {most} if all(one == most or _is_short_for(one, most) for one in found) else found
        return next(iter(found)) if len(found) == 1 else None


def _parts(entity: str) -> tuple[str, str | None, str | None]:
    """(root, relation, name) of a key."""
    parts = entity.split(":")
    if len(parts) == 3 and parts[2] not in _RELATIONS:
        return parts[0], parts[1], parts[2]
    if len(parts) == 2:
        return parts[0], parts[1], None
    return entity, None, None


def _parts_of_kin(entity: str) -> bool:
    """True for someone in relation to somebody else than the user: `王芳:mother`, `user:boss:wife`."""
    parts = entity.split(":")
    return (len(parts) == 2 and parts[0] != "user" and parts[1] in _RELATIONS) or (
        len(parts) > 2 and parts[-1] in _RELATIONS
    )


def _is_short_for(short: str, long: str) -> bool:
    """Whether the long name is the short one with no more than a place, a date or an owner before it."""
    if short.isascii():
        words, more = short.split(), long.split()
        if len(more) <= len(words) or not long.isascii():
            return False
        if len(words) == 1 and len(more) == 2:
            return more[0] == short and short[:1].isupper() and more[1][:1].isupper()
        before = more[: len(more) - len(words)]
        return (
            len(words) > 1
            and [word.casefold() for word in more[len(before) :]] == [word.casefold() for word in words]
            and all(word[:1].isupper() or word.isdigit() for word in before)
        )
    if len(short) < _MIN_SHORT or len(long) <= len(short) or not long.endswith(short):
        return False
    prefix = long[: len(long) - len(short)]
    if _MODIFIER.fullmatch(prefix):
        return True
    return all(tag == "ns" or _MODIFIER.fullmatch(word) for word, tag in tagged(prefix))


def short_forms(name: str) -> list[str]:
    """The shorter names that a name of a thing goes by, without a place, a date or an owner before it; longest first."""
    if len(name) > _MAX_NAME:
        return []
    if name.isascii():
        words = name.split()
        tails = [" ".join(words[at:]) for at in range(1, len(words) - 1)]
    else:
        tails = [name[at:] for at in range(1, len(name) - _MIN_SHORT + 1)]
    return [one for one in tails if _is_short_for(one, name)]
