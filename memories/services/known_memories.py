"""What the subject already has that a batch of statements could repeat, replace or contradict; three narrow look-ups."""

from __future__ import annotations

import uuid
from collections.abc import Collection, Sequence
from datetime import datetime

from django.db.models import Q

from memories.core.placement.placing import Known
from memories.core.statement import FactPart, Statement
from memories.core.values.forms import value_form
from memories.models import Evidence, Fact, Memory, Status

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
    "expires_at",
    "event_start",
    "claim",
    "superseded_by_id",
)
_LATER_NEEDED = frozenset({Status.CURRENT, Status.SUPERSEDED, Status.ARCHIVED, Status.EXPIRED})
MAX_HISTORY = 200
"""Values of one batch's slots, the newest first, among which a late statement finds its place."""


def load_known(
    subject_id: uuid.UUID,
    statements: Sequence[Statement],
    prints: Collection[bytes],
    claims: Collection[bytes] = (),
) -> list[Known]:
    """Memories with the same words in whatever state, holders of the same slots, of the same keys and the same claims.

    Of a slot come the current holders, its history, and what was swept of the same value.

    All are locked until the transaction ends, in the order of ids as reinforcement does, so that what is decided about
    them still holds when it is stored.
    """
    wanted = Q(fingerprint__in=list(prints))
    keys = {statement.key for statement in statements if statement.key}
    holders = _holders(subject_id, statements)
    if holders:
        wanted |= Q(id__in=holders)
    if claims:
        wanted |= Q(status=Status.CURRENT, claim__in=list(claims))
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
    _add_words(known, statements)
    _add_turns(known, {statement.turn_id for statement in statements if statement.turn_id})
    return known


def slots_of(statements: Sequence[Statement]) -> set[str]:
    """The slots that the statements speak of."""
    return {fact.slot for statement in statements for fact in statement.facts}


def _holders(subject_id: uuid.UUID, statements: Sequence[Statement]) -> set[uuid.UUID]:
    """Memories whose facts could matter to the statements.

    A slot that takes many values ("likes") may have hundreds of holders; unless something is corrected, only those with
    the same value do, and only their rows are read in full.
    """
    by_slot: dict[str, list[tuple[Statement, FactPart]]] = {}
    for statement in statements:
        for fact in statement.facts:
            by_slot.setdefault(fact.slot, []).append((statement, fact))
    if not by_slot:
        return set()
    rows = Fact.objects.filter(
        subject_id=subject_id, slot_key__in=list(by_slot), memory__status__in=_LATER_NEEDED
    ).values_list("memory_id", "slot_key", "value", "single_valued", "memory__status", "memory__said_at")
    current: set[uuid.UUID] = set()
    history: dict[uuid.UUID, datetime] = {}
    for memory_id, slot, value, single, status, said_at in rows:
        matters = [_matters(statement, fact, value, single) for statement, fact in by_slot[slot]]
        same = any(value_form(value) == fact.value_form for _, fact in by_slot[slot])
        if status == Status.CURRENT:
            current |= {memory_id} if any(matters) else set()
        elif same or (status == Status.SUPERSEDED and any(matters)):
            # The history of the slot, and what was swept of the same value.
            history[memory_id] = said_at
    newest = sorted(history, key=lambda memory_id: (history[memory_id], memory_id))[-MAX_HISTORY:]
    return current | set(newest)


def _matters(statement: Statement, fact: FactPart, value: str, single: bool) -> bool:
    named = statement.correction or statement.replaces is not None
    return single or fact.single or named or value_form(value) == fact.value_form


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
        expires_at=memory.expires_at,
        event_start=memory.event_start,
        claim=bytes(memory.claim) if memory.claim else None,
        successor=memory.superseded_by_id,
    )


def _add_facts(known: Sequence[Known]) -> None:
    """What each of them states now; a fact that ended before its memory did is not stated any more."""
    by_id = {one.id: one for one in known if one.status in _LATER_NEEDED}
    if not by_id:
        return
    for row in Fact.objects.filter(memory_id__in=by_id).order_by("id"):
        one = by_id[row.memory_id]
        if one.current and row.valid_to is not None and (one.valid_to is None or row.valid_to < one.valid_to):
            continue
        one.facts += (FactPart(row.entity, row.attribute, row.value, row.single_valued, row.negated),)


def _add_words(known: Sequence[Known], statements: Sequence[Statement]) -> None:
    """The texts of those that could be told from a statement by a number or a name only: of slots with many values, of claims."""
    slots = {fact.slot for statement in statements for fact in statement.facts if not fact.single}
    by_id = {
        one.id: one
        for one in known
        if one.claim is not None or any(fact.slot in slots and not fact.single for fact in one.facts)
    }
    for memory_id, content in (
        Memory.objects.filter(id__in=by_id).values_list("id", "content") if by_id else ()
    ):
        by_id[memory_id].content = content


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
