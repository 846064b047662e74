"""What the subject already has that a batch of statements could repeat, replace or contradict; three narrow look-ups."""

from __future__ import annotations

import uuid
from collections.abc import Collection, Iterable, Sequence

from django.db.models import Q

from memories.core.placement import Known
from memories.core.statement import FactPart, Statement, value_form
from memories.models import Evidence, Fact, ForgetRule, Memory, Status

_LOOKED_AT = (
    "id",
    "status",
    "kind",
    "source",
    "said_at",
    "fingerprint",
    "scope",
    "agent_id",
    "session_id",
    "key",
    "valid_from",
    "valid_to",
    "superseded_by_id",
)


def load_known(
    subject_id: uuid.UUID, statements: Sequence[Statement], prints: Collection[bytes]
) -> list[Known]:
    """Memories with the same words in whatever state, current holders of the same slots, and of the same keys.

    All are locked until the transaction ends, in the order of ids as reinforcement does, so that what is decided about
    them still holds when it is stored.
    """
    wanted = Q(fingerprint__in=list(prints))
    keys = {statement.key for statement in statements if statement.key}
    holders = _holders(subject_id, statements)
    if holders:
        wanted |= Q(id__in=holders, status=Status.CURRENT)
    if keys:
        # Rules have keys, and so have the words that lifted one.
        wanted |= Q(status=Status.CURRENT, key__in=keys)
    if any(statement.lifts for statement in statements):
        wanted |= Q(status=Status.CURRENT, kind="constraint")
    found = Memory.objects.of(subject_id).filter(wanted).values_list("id", "status", "superseded_by_id")
    ids = {memory_id for memory_id, _, _ in found}
    ids |= {survivor for _, status, survivor in found if status == Status.MERGED and survivor}
    rows = Memory.objects.select_for_update().filter(id__in=ids).order_by("id").only(*_LOOKED_AT)
    known = [known_of(row) for row in rows] if ids else []
    _add_facts(known)
    _add_turns(known, {statement.turn_id for statement in statements if statement.turn_id})
    return known


def _holders(subject_id: uuid.UUID, statements: Sequence[Statement]) -> set[uuid.UUID]:
    """Current memories whose facts could matter to the statements.

    A slot that takes many values ("likes") may have hundreds of holders; unless something is corrected, only those with
    the same value do, and only their rows are read in full.
    """
    by_slot: dict[str, list[Statement]] = {}
    for statement in statements:
        if statement.fact is not None:
            by_slot.setdefault(statement.fact.slot, []).append(statement)
    if not by_slot:
        return set()
    rows = Fact.objects.filter(
        subject_id=subject_id, slot_key__in=list(by_slot), memory__status=Status.CURRENT
    ).values_list("memory_id", "slot_key", "value", "single_valued")
    return {
        memory_id
        for memory_id, slot, value, single in rows
        if single or any(_matters(statement, value) for statement in by_slot[slot])
    }


def _matters(statement: Statement, value: str) -> bool:
    fact = statement.fact
    assert fact is not None
    return fact.single or statement.correction or value_form(value) == fact.value_form


def known_of(memory: Memory) -> Known:
    """The placement's view of a stored memory, without its facts."""
    return Known(
        id=memory.id,
        status=memory.status,
        kind=memory.kind,
        source=memory.source,
        said_at=memory.said_at,
        fingerprint=bytes(memory.fingerprint),
        reach=(memory.scope, memory.agent_id, memory.session_id),
        key=memory.key,
        valid_from=memory.valid_from,
        valid_to=memory.valid_to,
        successor=memory.superseded_by_id,
    )


def blocked_prints(subject_id: uuid.UUID, prints: Iterable[bytes]) -> list[ForgetRule]:
    """The standing forget rules over any of these fingerprints, those of the very words first."""
    rows = ForgetRule.objects.filter(
        subject_id=subject_id, fingerprint__in=list(prints), removed_at__isnull=True
    )
    return list(rows.order_by("-kind", "id"))


def _add_facts(known: Sequence[Known]) -> None:
    by_id = {one.id: one for one in known if one.current}
    if not by_id:
        return
    for row in Fact.objects.filter(memory_id__in=by_id):
        part = FactPart(row.entity, row.attribute, row.value, row.single_valued, row.negated)
        by_id[row.memory_id].facts += (part,)


def _add_turns(known: Sequence[Known], turn_ids: Collection[uuid.UUID]) -> None:
    by_id = {one.id: one for one in known}
    if not by_id or not turn_ids:
        return
    rows = Evidence.objects.filter(memory_id__in=by_id, turn_id__in=turn_ids).values_list(
        "memory_id", "turn_id"
    )
    for memory_id, turn_id in rows:
        if turn_id is not None:
            by_id[memory_id].turn_ids.add(turn_id)
