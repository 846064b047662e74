"""Settle plans: when a later value comes into force, the one that held until then becomes history (R18)."""

from __future__ import annotations

import uuid
from datetime import datetime

from django.db.models import Exists, OuterRef, Q

from accounts import audit
from accounts.actor import Actor
from memories.adapters.factory import get_clock
from memories.models import Fact, Memory, Status
from memories.services.contradictions import close_for
from memories.services.undo_records import end
from memories.services.versioning import Change, save_change
from memories.store.locks import lock_subject
from memoryhub.common.db import tenant_transaction

BATCH = 500
_Place = tuple[uuid.UUID, uuid.UUID]
_START: _Place = (uuid.UUID(int=0), uuid.UUID(int=0))


def settle_plans(*, actor: Actor, subject_id: uuid.UUID | None = None, now: datetime | None = None) -> int:
    """How many memories became history: those bounded by a plan whose day has come, of one subject or of all.

    Recall does not need it, since it looks at the times itself; it keeps lists, history and undo honest. Safe to repeat.
    """
    at = now or get_clock().now()
    settled, after = 0, _START
    while due := _due(actor, subject_id, at, after):
        for subject in sorted({subject for subject, _ in due}):
            ids = [memory_id for owner, memory_id in due if owner == subject]
            with tenant_transaction(actor.tenant_id):
                actor.require_subject(subject, write=True)
                lock_subject(subject)
                settled += sum(_settle(actor, memory_id, at) for memory_id in ids)
        after = due[-1]
    return settled


def _due(actor: Actor, subject_id: uuid.UUID | None, at: datetime, after: _Place) -> list[_Place]:
    """(subject, memory) of the next ones that ended and whose slot somebody else holds now, in this order, `BATCH` at most.

    What merely ended is not among them, however much of it there is; and none comes twice in a run.
    """
    with tenant_transaction(actor.tenant_id):
        follows = Fact.objects.filter(
            subject_id=OuterRef("subject_id"),
            slot_key=OuterRef("slot_key"),
            memory__status=Status.CURRENT,
            memory__scope=OuterRef("memory__scope"),
            memory__valid_from__lte=at,
            memory__valid_from__gte=OuterRef("memory__valid_to"),
        ).exclude(memory_id=OuterRef("memory_id"))
        rows = Fact.objects.filter(Exists(follows), memory__status=Status.CURRENT, memory__valid_to__lte=at)
        if subject_id is not None:
            rows = rows.filter(subject_id=subject_id)
        rows = rows.filter(Q(subject_id__gt=after[0]) | Q(subject_id=after[0], memory_id__gt=after[1]))
        pairs = rows.order_by("subject_id", "memory_id").values_list("subject_id", "memory_id").distinct()
        return list(pairs[:BATCH])


def _settle(actor: Actor, memory_id: uuid.UUID, now: datetime) -> bool:
    """Whether a value of the same slot has taken over; without one the memory merely ended, which a sweep sees to."""
    memory = Memory.objects.select_for_update().current().filter(id=memory_id, valid_to__lte=now).first()
    if memory is None or memory.valid_to is None:
        return False
    slots = Fact.objects.filter(memory_id=memory.id).values("slot_key")
    follows = (
        Memory.objects.of(memory.subject_id)
        .current()
        .filter(
            scope=memory.scope, agent_id=memory.agent_id, valid_from__lte=now, valid_from__gte=memory.valid_to,
            facts__slot_key__in=slots,
        )
        .exclude(id=memory.id)
        .order_by("valid_from")
        .first()
    )  # fmt: skip
    if follows is None:
        return False
    fields = end(memory, status=Status.SUPERSEDED, successor=follows.id, until=memory.valid_to)
    save_change(memory, actor, Change("settled", "slot.planned"), now, fields)
    close_for(memory.id, by=follows.id, now=now)
    audit.record(
        actor, "memory.settled", target_kind="memory", target_id=memory.id, subject_id=memory.subject_id,
        successor=follows.id,
    )  # fmt: skip
    return True
