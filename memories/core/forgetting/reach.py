"""Whom and what a request means, tied to what is stored: keys, the words that texts use, and what is matched with it."""

from __future__ import annotations

import re
import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from memories.core.entities import Entities
from memories.core.extraction.attributes import BY_NAME, lookup
from memories.core.extraction.relations import BY_WORD as RELATIONS
from memories.core.extraction.relations import NAMES as RELATION_NAMES
from memories.core.forgetting.target import Scope, Target
from memories.core.text.needles import pattern_of

_MIN_HARD = 4


@dataclass(frozen=True, slots=True)
class KnownFact:
    """A structured fact of a memory."""

    entity: str
    attribute: str
    value: str
    holds: bool = True


@dataclass(frozen=True, slots=True)
class KnownMemory:
    """A memory as matching sees it; whatever its status, as long as it is not gone already."""

    id: uuid.UUID
    content: str
    kind: str
    current: bool = True
    facts: tuple[KnownFact, ...] = ()
    turn_ids: frozenset[uuid.UUID] = frozenset()
    speaker: str = ""


@dataclass(frozen=True, slots=True)
class Reach:
    """What a request means, tied to what is stored.

    `entities` are all keys of the one that is meant, `names` the words that texts call it by, `attributes` canonical (none
    means all), `values` what the matching memories hold. `everything` reaches all texts. `spared` is left out of all that.
    """

    target: Target
    entities: frozenset[str] = frozenset()
    names: tuple[str, ...] = ()
    attributes: frozenset[str] = frozenset()
    words: tuple[str, ...] = ()
    everything: bool = False
    spared: tuple[Spared, ...] = ()

    @property
    def own(self) -> bool:
        """About the person themself."""
        return "user" in self.entities


@dataclass(frozen=True, slots=True)
class Spared:
    """What a request leaves out, as words of texts: what these quotes say, and what else tells these values of the reach."""

    reach: Reach
    quotes: frozenset[str] = frozenset()
    values: frozenset[str] = frozenset()
    fields: frozenset[str] = frozenset()
    """Whose the facts are and what they are called, as their columns hold it."""


@dataclass(frozen=True, slots=True)
class Matched:
    """`clear` are meant, `likely` may be; `ask` says that the person is to be asked before anything goes."""

    reach: Reach
    clear: tuple[KnownMemory, ...] = ()
    likely: tuple[KnownMemory, ...] = ()
    ask: bool = False
    why: str = ""


@dataclass(slots=True)
class Store:
    memories: Sequence[KnownMemory]
    facts: list[KnownFact] = field(default_factory=list)
    entities: Entities = field(default_factory=lambda: Entities(()))


def is_distinctive(value: str) -> bool:
    """A number, code or address of at least four characters, which hardly stands in a text by chance."""
    bare = re.sub(r"[\s()-]", "", value)
    return (
        len(bare) >= _MIN_HARD
        and re.search(r"\d{3}|@|\d.*[A-Za-z]|[A-Za-z].*\d", bare) is not None
        and len(value) <= 80
    )


def name_in(entity: str) -> str:
    """The name in a key, without its quotation marks; "" for the person, the matter, and relations without a name."""
    last = entity.split(":")[-1].strip("\"'“”‘’「」『』《》")
    return "" if last in {"user", "general", "assistant"} or last in RELATION_NAMES or len(last) < 2 else last


def keys_of(entity: str, store: Store) -> set[str]:
    return {*store.entities.aliases(entity), entity}


def names_of(keys: Iterable[str], target: Target) -> tuple[str, ...]:
    """The words that texts call the entity by: its names, and "my boss", "我上司" for relations."""
    names: dict[str, None] = {}
    for key in sorted(keys):
        if called := name_in(key):
            names[called] = None
        parts = key.split(":")
        if len(parts) > 1 and parts[0] == "user":
            for word, relation in RELATIONS.items():
                if relation == parts[1]:
                    names |= dict.fromkeys(
                        [f"{whose}{word}" for whose in ("我", "我的", "我们", "你", "你的", "您", "您的")]
                        if not word.isascii()
                        else [f"{whose} {word}" for whose in ("my", "our", "your")]
                    )
    if target.scope is Scope.ENTITY and target.words and ":" not in target.entity:
        names[target.words] = None
    return tuple(names)


def named_reach(target: Target) -> Reach:
    """The reach of a target whose entity is known by its key alone."""
    keys = {target.entity}
    return Reach(target, frozenset(keys), names_of(keys, target), target.attributes)


def mention(reach: Reach) -> re.Pattern[str] | None:
    """Finds the entity in a text by its names; None for the person themself."""
    return pattern_of(reach.names)


def attribute_words(attributes: Iterable[str]) -> list[str]:
    """The words of both languages for the attributes."""
    words: dict[str, None] = {}
    for name in attributes:
        row = BY_NAME.get(name) or lookup(name)
        words |= dict.fromkeys(row.words if row is not None else [name.replace("_", " ")])
    return [word for word in words if word]
