"""What requests to forget are matched with, and which words of texts are a memory's."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from datetime import datetime

from memories.core.forgetting.reach import KnownFact, KnownMemory, Reach, named_reach
from memories.core.forgetting.remains import clauses
from memories.core.forgetting.target import Scope, Target
from memories.core.forgetting.texts import Spec
from memories.models import Evidence, Fact, Memory, Status


def spec_of(memory: Memory, reach: Reach | None = None, leaving: Sequence[uuid.UUID] = ()) -> Spec:
    """Which words of texts are this memory's: its quotes, its values, and the same fact said otherwise.

    `leaving` are memories that go with it; what others hold is theirs as well, and stays where it stands alone.
    """
    quotes = set(Evidence.objects.filter(memory_id=memory.id).values_list("quote", flat=True))
    facts = list(Fact.objects.filter(memory_id=memory.id))
    values = {fact.value for fact in facts}
    others = Fact.objects.filter(subject_id=memory.subject_id, memory__status=Status.CURRENT).exclude(
        memory_id__in=[memory.id, *leaving]
    )
    kept = set(others.values_list("value", flat=True)) if values else set()
    if reach is None and facts:
        fact = facts[0]
        target = Target(
            Scope.ATTRIBUTE, fact.entity, frozenset({fact.attribute}), fact.value, language=memory.language
        )
        reach = named_reach(target)
    if len(clauses(memory.content)) == 1:
        # A longer content may tell circumstances that are not what is forgotten.
        quotes.add(memory.content)
    return Spec(reach, frozenset(quotes - {""}), frozenset(values), frozenset(kept))


def plain_specs(subject_id: uuid.UUID, memory_ids: Sequence[uuid.UUID]) -> dict[uuid.UUID, Spec]:
    """The same for many memories in a few statements, by memory, without how else their facts might be said."""
    quotes: dict[uuid.UUID, set[str]] = {memory_id: set() for memory_id in memory_ids}
    for memory_id, quote in Evidence.objects.filter(memory_id__in=memory_ids).values_list(
        "memory_id", "quote"
    ):
        quotes[memory_id].add(quote)
    for memory_id, content in Memory.objects.filter(id__in=memory_ids).values_list("id", "content"):
        if len(clauses(content)) == 1:
            quotes[memory_id].add(content)
    values: dict[uuid.UUID, set[str]] = {}
    for memory_id, value in Fact.objects.filter(memory_id__in=memory_ids).values_list("memory_id", "value"):
        values.setdefault(memory_id, set()).add(value)
    others = Fact.objects.filter(subject_id=subject_id, memory__status=Status.CURRENT)
    others = others.exclude(memory_id__in=memory_ids)
    kept = frozenset(others.values_list("value", flat=True)) if values else frozenset()
    return {
        memory_id: Spec(None, frozenset(found - {""}), frozenset(values.get(memory_id, ())), kept)
        for memory_id, found in quotes.items()
    }


def known_memories(
    subject_id: uuid.UUID, *, digests: bool = False, until: datetime | None = None
) -> list[KnownMemory]:
    """What requests are matched with: all that is not gone already, history included; no rule of an operator's.

    With `until` only what was last said by then: whatever was said, or said again, after the request stays.
    """
    rows = Memory.objects.of(subject_id).exclude(
        status__in=[Status.FORGOTTEN, Status.REDACTED, Status.QUARANTINED]
    )
    if not digests:
        rows = rows.exclude(kind="digest")
    rows = rows.exclude(kind="constraint", source="operator")
    if until is not None:
        rows = rows.filter(said_at__lte=until).exclude(evidence__said_at__gt=until)
    facts: dict[uuid.UUID, list[Fact]] = {}
    for fact in Fact.objects.filter(subject_id=subject_id):
        facts.setdefault(fact.memory_id, []).append(fact)
    turns: dict[uuid.UUID, set[uuid.UUID]] = {}
    said = Evidence.objects.filter(memory__subject_id=subject_id, turn_id__isnull=False)
    for memory_id, turn_id in said.values_list("memory_id", "turn_id"):
        turns.setdefault(memory_id, set()).add(turn_id)
    return [_known(row, facts.get(row.id, []), turns.get(row.id, set())) for row in rows.order_by("id")]


def _known(row: Memory, facts: Sequence[Fact], turns: set[uuid.UUID]) -> KnownMemory:
    current = row.status == Status.CURRENT
    text = row.content if row.content_encrypted is None else f"{row.content}\n{row.content_encrypted!s}"
    return KnownMemory(
        row.id,
        text,
        row.kind,
        current,
        tuple(
            KnownFact(one.entity, one.attribute, one.value, current and one.valid_to is None) for one in facts
        ),
        frozenset(turns),
        row.speaker,
    )
