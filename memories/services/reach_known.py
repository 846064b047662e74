"""Whom and what a request or a rule means, by all that was ever known: read from facts, however much is known."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import replace

from django.db.models import Case, F, Q, TextField, Value, When

from memories.core.forgetting.matching import match, spared
from memories.core.forgetting.reach import KnownFact, KnownMemory, Reach
from memories.core.forgetting.target import Scope, Target
from memories.models import Fact
from memories.services.forget_specs import known_memories

_NAMELESS = frozenset({Scope.EVERYTHING, Scope.VALUE, Scope.LAST})
"""Requests that mean the same whatever is known."""
MAX_CALLED = 5_000


def called(subject_id: uuid.UUID, targets: Sequence[Target]) -> list[tuple[str, str, str]]:
    """(entity, attribute, value) of the facts that decide what the targets mean: who there is, and how they are called.

    However much is known of somebody, they come once, with an attribute only where a target is about it and a value only
    where it is a name; of the person themself comes nothing else at all.
    """
    wanted = {attribute for target in targets for attribute in target.attributes}
    if not wanted and all(target.scope in _NAMELESS for target in targets):
        return []
    matters = Q(attribute="name") | Q(attribute__in=wanted)
    rows = Fact.objects.filter(subject_id=subject_id).filter(matters | ~Q(entity="user"))
    rows = rows.annotate(
        about=Case(When(matters, then=F("attribute")), default=Value(""), output_field=TextField()),
        named=Case(When(attribute="name", then=F("value")), default=Value(""), output_field=TextField()),
    )
    return list(rows.order_by().values_list("entity", "about", "named").distinct()[:MAX_CALLED])


def reach_of(subject_id: uuid.UUID, target: Target) -> Reach:
    """Whom and what the target means by all that was ever known of it, forgotten or not."""
    facts = tuple(KnownFact(*fact) for fact in called(subject_id, [target]))
    found = match(replace(target, kept=()), [KnownMemory(uuid.UUID(int=0), "", "fact", facts=facts)]).reach
    left_out = spared(target, known_memories(subject_id)) if target.kept else ()
    return replace(found, everything=target.scope is Scope.EVERYTHING, spared=left_out)
