"""Finds among a person's memories those that a request means, and says how sure that is."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import replace

from memories.core.entities import Entities
from memories.core.extraction.attributes import BY_NAME
from memories.core.forgetting.exceptions import spared_by, without_kept
from memories.core.forgetting.owners import NOBODY_ELSE, named_in, owner_of
from memories.core.forgetting.probes import content_words
from memories.core.forgetting.reach import (
    KnownFact,
    KnownMemory,
    Matched,
    Reach,
    Spared,
    Store,
    attribute_words,
    is_distinctive,
    keys_of,
    mention,
    names_of,
)
from memories.core.forgetting.target import Scope, Target
from memories.core.text.lexical import terms
from memories.core.text.needles import pattern_of
from memories.core.values.forms import value_form
from memories.core.values.normalise import canonical

WIDE = 10
"""More memories than these at once are asked about first."""


def match(target: Target, memories: Sequence[KnownMemory], last_turn: uuid.UUID | None = None) -> Matched:
    """The memories that the target means; `last_turn` is what was said before the request, for "what I just said"."""
    found = _match(target, memories, last_turn)
    if target.unsure:
        found = replace(found, ask=found.ask or bool(found.clear or found.likely))
    return without_kept(found, target, memories, _match) if target.kept else found


def spared(target: Target, memories: Sequence[KnownMemory]) -> tuple[Spared, ...]:
    """What the target leaves out ("…, except my name"), as words of texts."""
    return spared_by(target, memories, _match)


def _match(target: Target, memories: Sequence[KnownMemory], last_turn: uuid.UUID | None = None) -> Matched:
    facts = [fact for memory in memories for fact in memory.facts]
    store = Store(
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


def _by_value(target: Target, store: Store) -> Matched:
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


def _by_words(target: Target, store: Store) -> Matched:
    wanted = content_words(target.words)
    reach = Reach(target, words=tuple(wanted))
    if not wanted:
        return Matched(reach, why="nothing named")
    entity = named_in(target.words, store)
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
        common = len(wanted) < 2 and not is_distinctive(target.words)
        return replace(found, ask=True) if common or not target.explicit else found
    return Matched(reach, likely=tuple(half), ask=bool(half), why="some words")


def _by_entity(target: Target, store: Store) -> Matched:
    keys = keys_of(target.entity, store)
    reach = Reach(target, frozenset(keys), names_of(keys, target))
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


def _by_attribute(target: Target, store: Store) -> Matched:
    entity, sure = owner_of(target, store)
    if not target.entity and any(one.scope is Scope.ENTITY for one in target.kept):
        entity = None  # All phones but my wife's.
    if entity is None:
        facts = [fact for fact in store.facts if not target.third or fact.entity not in NOBODY_ELSE]
        kept = set(map(id, facts))
        several = [
            one
            for one in store.memories
            if any(id(fact) in kept and _fits(fact, target, None) for fact in one.facts)
        ]
        reach = Reach(target, attributes=target.attributes)
        return Matched(reach, likely=tuple(several), ask=bool(several), why="whose is not clear")
    keys = keys_of(entity, store)
    reach = Reach(replace(target, entity=entity), frozenset(keys), names_of(keys, target), target.attributes)
    forms = {canonical(key) for key in keys}
    fitting = [fact for fact in store.facts if _fits(fact, target, forms)]
    same = {id(fact) for fact in (*fitting, *_in_other_words(fitting, target, forms, store))}
    found = [one for one in store.memories if any(id(fact) in same for fact in one.facts)]
    if not found and not target.value:
        found = _said_of(reach, target, store)
    decided = _decided(reach, found, "same slot")
    return decided if sure else replace(decided, ask=bool(found), why="whose is not clear")


def _in_other_words(
    fitting: Sequence[KnownFact], target: Target, forms: set[str], store: Store
) -> list[KnownFact]:
    """The same value under an attribute that the table does not know and that has the attribute's word in it."""
    values = {value_form(fact.value) for fact in fitting}
    named = pattern_of(attribute_words(target.attributes))
    if named is None:
        return []
    return [
        fact
        for fact in store.facts
        if fact.attribute not in BY_NAME
        and canonical(fact.entity) in forms
        and value_form(fact.value) in values
        and named.search(fact.attribute.replace("_", " "))
    ]


def _said_of(reach: Reach, target: Target, store: Store) -> list[KnownMemory]:
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
        return target.instead != "" and value_form(fact.value) != value_form(target.instead)
    if not target.value:
        return True
    one, other = value_form(fact.value), value_form(target.value)
    return one == other or (min(len(one), len(other)) > 1 and (one in other or other in one))


def _decided(reach: Reach, found: Sequence[KnownMemory], why: str) -> Matched:
    live = sum(1 for one in found if one.current)
    return Matched(reach, tuple(found), ask=live > WIDE, why="many" if live > WIDE else why)
