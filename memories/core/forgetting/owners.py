"""Whose attribute a request means: as named, named before, or the only one who has it."""

from __future__ import annotations

import re

from memories.core.entities import short_forms
from memories.core.extraction.attributes import BY_NAME
from memories.core.forgetting.reach import Store, name_in
from memories.core.forgetting.target import Target
from memories.core.text.needles import pattern_of
from memories.core.values.normalise import canonical

NOBODY_ELSE = frozenset({"user", "general"})
"""Whom "he" and "she" cannot mean: the one who asks, and nobody."""


def owner_of(target: Target, store: Store) -> tuple[str | None, bool]:
    """(entity, sure): as named; else named in what was said before; else the only one that has such an attribute."""
    if target.entity:
        return _known(target.entity, store), True
    named = named_in(target.context, store)
    if named is not None:
        return named, True
    owners = {store.entities.key(fact.entity) for fact in store.facts if fact.attribute in target.attributes}
    if target.third:
        # "his phone", and nobody is named before: never the speaker's own; the only other one's after a yes.
        owners -= NOBODY_ELSE
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


def _known(entity: str, store: Store) -> str:
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


def named_in(text: str, store: Store) -> str | None:
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


def _named_short(text: str, store: Store) -> str | None:
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
