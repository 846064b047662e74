"""Finds among a person's memories those that a request means, and says how sure that is."""

from __future__ import annotations

import re
import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from memories.core.entities import Entities, short_forms
from memories.core.extraction.attributes import BY_NAME, lookup
from memories.core.extraction.relations import BY_WORD as RELATIONS
from memories.core.forgetting.targets import Scope, Target, content_words
from memories.core.text.lexical import terms
from memories.core.text.needles import pattern_of
from memories.core.values.forms import value_form
from memories.core.values.normalise import canonical

WIDE = 10
"""More memories than these at once are asked about first."""


_NOBODY_ELSE = frozenset({"user", "general"})
"""Whom "he" and "she" cannot mean: the one who asks, and nobody."""


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
    means all), `values` what the matching memories hold. `everything` reaches all texts.
    """

    target: Target
    entities: frozenset[str] = frozenset()
    names: tuple[str, ...] = ()
    attributes: frozenset[str] = frozenset()
    words: tuple[str, ...] = ()
    everything: bool = False

    @property
    def own(self) -> bool:
        """About the person themself."""
        return "user" in self.entities


@dataclass(frozen=True, slots=True)
class Matched:
    """`clear` are meant, `likely` may be; `ask` says that the person is to be asked before anything goes."""

    reach: Reach
    clear: tuple[KnownMemory, ...] = ()
    likely: tuple[KnownMemory, ...] = ()
    ask: bool = False
    why: str = ""


@dataclass(slots=True)
class _Store:
    memories: Sequence[KnownMemory]
    facts: list[KnownFact] = field(default_factory=list)
    entities: Entities = field(default_factory=lambda: Entities(()))


def match(target: Target, memories: Sequence[KnownMemory], last_turn: uuid.UUID | None = None) -> Matched:
    """The memories that the target means; `last_turn` is what was said before the request, for "what I just said"."""
    facts = [fact for memory in memories for fact in memory.facts]
    store = _Store(
        memories,
        facts,
        Entities((fact.entity, fact.attribute if fact.holds else "", fact.value) for fact in facts),
    )
    match target.scope:
        case Scope.LAST:
            found = [one for one in memories if last_turn is not None and one.turn_ids == {last_turn}]
            return Matched(Reach(target), tuple(found), why="said last")
        case Scope.EVERYTHING:
            gone = tuple(one for one in memories if one.kind != "constraint" or one.speaker != "operator")
            return Matched(Reach(target, everything=True), gone, ask=True, why="everything")
        case Scope.VALUE:
            return _by_value(target, store)
        case Scope.WORDS:
            return _by_words(target, store)
        case Scope.ENTITY:
            return _by_entity(target, store)
        case _:
            return _by_attribute(target, store)


def _by_value(target: Target, store: _Store) -> Matched:
    form = value_form(target.value)
    pattern = pattern_of([target.value])
    found = [
        memory
        for memory in store.memories
        if (pattern is not None and pattern.search(memory.content))
        or any(value_form(fact.value) == form for fact in memory.facts)
    ]
    decided = _decided(Reach(target), found, "same value")
    # A common word stands in many texts by chance; only a number, a code or an address speaks for itself.
    return decided if is_distinctive(target.value) else replace(decided, ask=True, why="a common word")


def is_distinctive(value: str) -> bool:
    """A number, code or address of at least four characters, which hardly stands in a text by chance."""
    bare = re.sub(r"[\s()-]", "", value)
    return (
        len(bare) >= _MIN_HARD
        and re.search(r"\d{3}|@|\d.*[A-Za-z]|[A-Za-z].*\d", bare) is not None
        and len(value) <= 80
    )


def _by_words(target: Target, store: _Store) -> Matched:
    wanted = content_words(target.words)
    reach = Reach(target, words=tuple(wanted))
    if not wanted:
        return Matched(reach, why="nothing named")
    entity = _named_in(target.words, store)
    if entity is not None and len(canonical(entity)) >= 0.6 * len(canonical(target.words)):
        return _by_entity(replace(target, scope=Scope.ENTITY, entity=entity), store)
    all_of, half = [], []
    for memory in store.memories:
        there = terms(f"{memory.content} " + " ".join(fact.entity for fact in memory.facts))
        hits = sum(1 for word in wanted if word in there)
        if hits == len(wanted):
            all_of.append(memory)
        elif hits * 2 > len(wanted):
            half.append(memory)
    if all_of:
        found = _decided(reach, all_of, "all words")
        return found if target.explicit else replace(found, ask=True)
    return Matched(reach, likely=tuple(half), ask=bool(half), why="some words")


def _by_entity(target: Target, store: _Store) -> Matched:
    keys = _keys(target.entity, store)
    reach = Reach(target, frozenset(keys), _names(keys, target))
    pattern = mention(reach)
    inside = {canonical(key) for key in keys}
    found = [
        memory
        for memory in store.memories
        if any(_within(fact.entity, inside) for fact in memory.facts)
        or any(canonical(fact.value) in inside for fact in memory.facts if fact.entity.startswith("user:"))
        or (pattern is not None and pattern.search(memory.content))
    ]
    decided = _decided(reach, found, "same entity")
    person = ":" in target.entity or any(":" in key for key in keys)
    return (
        decided
        if target.explicit or target.standing or person
        else replace(decided, ask=decided.ask or bool(found))
    )


def _within(entity: str, keys: set[str]) -> bool:
    """The entity itself, or somebody in relation to it."""
    form = canonical(entity)
    return form in keys or any(
        canonical(":".join(entity.split(":")[:n])) in keys for n in range(2, entity.count(":") + 1)
    )


def _by_attribute(target: Target, store: _Store) -> Matched:
    entity, sure = _owner(target, store)
    if entity is None:
        facts = [fact for fact in store.facts if not target.third or fact.entity not in _NOBODY_ELSE]
        kept = set(map(id, facts))
        several = [
            one
            for one in store.memories
            if any(id(fact) in kept and _fits(fact, target, None) for fact in one.facts)
        ]
        reach = Reach(target, attributes=target.attributes)
        return Matched(reach, likely=tuple(several), ask=bool(several), why="whose is not clear")
    keys = _keys(entity, store)
    reach = Reach(replace(target, entity=entity), frozenset(keys), _names(keys, target), target.attributes)
    forms = {canonical(key) for key in keys}
    found = [one for one in store.memories if any(_fits(fact, target, forms) for fact in one.facts)]
    if not found and not target.value:
        found = _said_of(reach, target, store)
    decided = _decided(reach, found, "same slot")
    return decided if sure else replace(decided, ask=bool(found), why="whose is not clear")


def _said_of(reach: Reach, target: Target, store: _Store) -> list[KnownMemory]:
    """Memories without that slot whose words name the attribute, of the entity or (for the person's own) of nobody else."""
    words = attribute_words(target.attributes)
    wanted = pattern_of(words)
    who = mention(reach)
    if wanted is None:
        return []
    forms = {canonical(key) for key in reach.entities}
    return [
        memory
        for memory in store.memories
        if wanted.search(memory.content)
        and (
            (who is not None and who.search(memory.content))
            or any(canonical(fact.entity) in forms for fact in memory.facts)
            or (reach.own and not memory.facts)
        )
        and not any(canonical(fact.entity) not in forms for fact in memory.facts)
    ]


def _fits(fact: KnownFact, target: Target, forms: set[str] | None) -> bool:
    if fact.attribute not in target.attributes or (forms is not None and canonical(fact.entity) not in forms):
        return False
    if target.past and fact.holds:
        return False
    if not target.value:
        return True
    one, other = value_form(fact.value), value_form(target.value)
    return one == other or (min(len(one), len(other)) > 1 and (one in other or other in one))


def _owner(target: Target, store: _Store) -> tuple[str | None, bool]:
    """(entity, sure): as named; else named in what was said before; else the only one that has such an attribute."""
    if target.entity:
        return _known(target.entity, store), True
    named = _named_in(target.context, store)
    if named is not None:
        return named, True
    owners = {store.entities.key(fact.entity) for fact in store.facts if fact.attribute in target.attributes}
    if target.third:
        # "his phone", and nobody is named before: never the speaker's own; the only other one's after a yes.
        owners -= _NOBODY_ELSE
        return (next(iter(owners)) if len(owners) == 1 else None), False
    if not target.context and any(
        (row := BY_NAME.get(one)) is not None and row.personal for one in target.attributes
    ):
        return "user", True
    if len(owners) == 1:
        return next(iter(owners)), not target.context
    if "general" in owners and not target.context:
        return "general", True
    return ("user", True) if not owners else (None, False)


def _known(entity: str, store: _Store) -> str:
    """The stored entity that a name is short for, where there is only one."""
    seen = {fact.entity for fact in store.facts}
    if entity in seen or ":" in entity or len(entity) < 2 or entity in {"user", "general"}:
        return entity
    form = canonical(entity)
    near = {
        one
        for one in seen
        if ":" not in one and len(one) > 1 and (form in canonical(one) or canonical(one) in form)
    }
    keys = {store.entities.key(one) for one in near}
    return near.pop() if len(keys) == 1 else entity


def _named_in(text: str, store: _Store) -> str | None:
    """The longest stored entity that the text names; else the only one that a topic of the text is short for."""
    found = [
        one
        for fact in store.facts
        for one in [fact.entity]
        if name_in(one) and (pattern := pattern_of([name_in(one)])) and pattern.search(text)
    ]
    if not found:
        return _named_short(text, store)
    return max(found, key=lambda one: (len(name_in(one)), one))


_LEAD = re.compile(r"(?:那个?|这个?|关于|我的?|the|that|this|my|our)\s*", re.IGNORECASE)


def _named_short(text: str, store: _Store) -> str | None:
    """The entity whose name is kept in a longer form only ("杭州茶艺交流会"), where a clause begins with the shorter one.

    A clause that begins with another place or date before it ("上海茶艺交流会") names something else.
    """
    openings = [
        _LEAD.sub("", clause, count=1) for clause in re.split(r"[，,。.；;！!？?\s]+", text) if clause
    ]
    found = {
        store.entities.key(one)
        for one in {fact.entity for fact in store.facts}
        for short in short_forms(name_in(one))
        if any(clause.startswith(short) for clause in openings)
    }
    return found.pop() if len(found) == 1 else None


def name_in(entity: str) -> str:
    """The name in a key; "" for the person, the matter, and relations without a name."""
    last = entity.split(":")[-1]
    return (
        ""
        if last in {"user", "general", "assistant"} or last in RELATIONS.values() or len(last) < 2
        else last
    )


def _keys(entity: str, store: _Store) -> set[str]:
    return {*store.entities.aliases(entity), entity}


def _names(keys: Iterable[str], target: Target) -> tuple[str, ...]:
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
    return Reach(target, frozenset(keys), _names(keys, target), target.attributes)


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


def _decided(reach: Reach, found: Sequence[KnownMemory], why: str) -> Matched:
    live = sum(1 for one in found if one.current)
    return Matched(reach, tuple(found), ask=live > WIDE, why="many" if live > WIDE else why)
