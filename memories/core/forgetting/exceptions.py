"""What a request leaves out ("everything except my name"): whose that is, which memories say it, and which words of texts.

Nothing goes before all that is left out is known: an exception that fits nothing stored is told, and nothing is removed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from memories.core.forgetting.reach import KnownMemory, Matched, Reach, Spared, attribute_words
from memories.core.forgetting.target import Scope, Target
from memories.core.text.needles import pattern_of
from memories.core.values.normalise import canonical

NOT_UNDERSTOOD = "exception not understood"
Match = Callable[[Target, Sequence[KnownMemory]], Matched]
_UNDERSTOOD = frozenset({Scope.ATTRIBUTE, Scope.ENTITY, Scope.VALUE, Scope.WORDS})


def with_exceptions(target: Target, left: Sequence[Target]) -> Target:
    """The target with what is left out of it, told of the same owner; without what it could not reach anyhow."""
    kept = [_owned(one, target) for one in left]
    return replace(target, kept=tuple(one for one in kept if not _apart(one, target)))


def _owned(one: Target, target: Target) -> Target:
    """ "Forget all about Ann, but not her home": whose home is the target's business."""
    if one.scope is Scope.ATTRIBUTE and (one.third or not one.entity) and target.scope is Scope.ENTITY:
        return replace(one, entity=target.entity, third=False)
    return one


def _apart(one: Target, target: Target) -> bool:
    """Whether the two are different attributes: "forget my phone, but keep my email" leaves nothing out."""
    both = one.scope is target.scope is Scope.ATTRIBUTE
    return both and not one.attributes & target.attributes


def without_kept(
    matched: Matched,
    target: Target,
    memories: Sequence[KnownMemory],
    match: Match,
) -> Matched:
    """The match without what is left out, always asked about; no memories and NOT_UNDERSTOOD where that is not known."""
    if target.standing or target.scope is Scope.LAST:
        return Matched(replace(matched.reach, target=target), why=NOT_UNDERSTOOD)
    kept = [_kept_by(one, memories, match) for one in target.kept]
    if not all(kept):
        return Matched(replace(matched.reach, target=target), why=NOT_UNDERSTOOD)
    ids = {memory.id for found in kept for memory in found}
    meant = replace(matched.reach.target, kept=target.kept)
    return replace(
        matched,
        reach=replace(matched.reach, target=meant, spared=spared_by(target, memories, match)),
        clear=tuple(memory for memory in matched.clear if memory.id not in ids),
        likely=tuple(memory for memory in matched.likely if memory.id not in ids),
        ask=True,
    )


def spared_by(target: Target, memories: Sequence[KnownMemory], match: Match) -> tuple[Spared, ...]:
    """What the target leaves out, as words of texts, as far as memories still say it."""
    kept = [(one, _kept_by(one, memories, match)) for one in target.kept]
    return tuple(_spared(one, found, match(one, memories).reach) for one, found in kept if found)


def _kept_by(one: Target, memories: Sequence[KnownMemory], match: Match) -> Sequence[KnownMemory]:
    """The memories that say what is left out: in doubt more of them, as what is kept by mistake can still be forgotten."""
    if one.scope not in _UNDERSTOOD:
        return ()
    found = match(one, memories)
    by_id = {memory.id: memory for memory in (*found.clear, *found.likely)}
    if one.scope is Scope.ATTRIBUTE:
        words = pattern_of(attribute_words(one.attributes))
        forms = {canonical(key) for key in found.reach.entities} if one.entity else set()
        for memory in memories:
            facts = [fact for fact in memory.facts if fact.attribute in one.attributes]
            has = any(not forms or canonical(fact.entity) in forms for fact in facts)
            told = not memory.facts and words is not None and words.search(memory.content) is not None
            if has or (told and memory.kind != "digest"):
                by_id[memory.id] = memory
    return list(by_id.values())


def _spared(one: Target, found: Sequence[KnownMemory], reach: Reach) -> Spared:
    """The words of texts that stay: what the memories say, and the same facts said otherwise."""
    facts = [fact for memory in found for fact in memory.facts]
    if one.scope is Scope.ATTRIBUTE and not reach.entities:
        reach = replace(reach, entities=frozenset(fact.entity for fact in facts), attributes=one.attributes)
    values = frozenset(fact.value for fact in facts if not one.attributes or fact.attribute in one.attributes)
    fields = frozenset(word for fact in facts for word in (fact.entity, fact.attribute, fact.value))
    return Spared(reach, frozenset(memory.content for memory in found), values, fields)
