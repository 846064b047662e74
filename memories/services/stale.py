"""Stale memories: what matters and was not confirmed for long is asked about, instead of being trusted or dropped (R24)."""

from __future__ import annotations

import uuid
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import OuterRef, Q, Subquery

from accounts.actor import Actor
from accounts.reading import note_reading
from accounts.tenancy import NEWEST
from memories.adapters.factory import get_clock
from memories.core.kinds import Kind
from memories.core.policy import Policy
from memories.models import Evidence, Feedback, Memory
from memories.querysets import MemoryQuerySet
from memories.services.feedback import Verdict
from memories.services.policies import policy_of
from memories.services.recall_result import RecallItem
from memoryhub.common.db import tenant_transaction

NOT_ASKED = (Kind.CONSTRAINT, Kind.DIGEST, Kind.CHUNK, Kind.SENSITIVE, Kind.EVENT, Kind.TODO)
"""Rules hold until they are lifted; what happened, happened; excerpts and secrets are nobody's question."""


@dataclass(frozen=True, slots=True)
class Stale:
    """Ids of recalled memories that nobody confirmed for long, and those among them to ask about now."""

    ids: frozenset[uuid.UUID] = frozenset()
    to_ask: frozenset[uuid.UUID] = frozenset()


def stale_rows(*, actor: Actor, subject_id: uuid.UUID, policy: Policy, now: datetime) -> MemoryQuerySet:
    """Current memories that matter (`stale.importance`) and that nobody confirmed for `stale.days`, for a door that pages.

    Said again, or found right by a person (feedback), is confirmed. Evaluated inside the tenant's transaction. NotFound for a
    subject that is not the actor's to read.
    """
    actor.require_subject(subject_id, write=False)
    note_reading(actor, subject_id, "memories.stale")
    return _stale_rows(subject_id, policy, now)


def stale_sample(policy: Policy, now: datetime, newest_of: int) -> tuple[int, int]:
    """(stale ones, current ones) among the tenant's newest memories, as many as that, in the open tenant transaction."""
    newest = Memory.objects.order_by(NEWEST).values("pk")[:newest_of]
    current = Memory.objects.current().filter(pk__in=newest).count()
    return stale_newest(policy, now, newest_of).count(), current


def stale_newest(policy: Policy, now: datetime, newest_of: int) -> MemoryQuerySet:
    """The stale ones among the tenant's newest memories, as many as that."""
    newest = Memory.objects.order_by(NEWEST).values("pk")[:newest_of]
    rows: MemoryQuerySet = Memory.objects.filter(pk__in=newest)
    return _stale_of(rows, policy, now)


def _stale_rows(subject_id: uuid.UUID, policy: Policy, now: datetime) -> MemoryQuerySet:
    rows: MemoryQuerySet = Memory.objects.get_queryset().of(subject_id)  # type: ignore[attr-defined]
    return _stale_of(rows, policy, now)


def _stale_of(rows: MemoryQuerySet, policy: Policy, now: datetime) -> MemoryQuerySet:
    since = now - timedelta(days=policy.number("stale.days"))
    rows = rows.current().filter(
        importance__gte=policy.number("stale.importance"), expires_at__isnull=True, said_at__lt=since
    )
    rows = rows.filter(Q(valid_to__isnull=True) | Q(valid_to__gt=now)).exclude(kind__in=NOT_ASKED)
    said = Evidence.objects.filter(memory_id=OuterRef("pk"), said_at__gte=since)
    right = Feedback.objects.filter(memory_id=OuterRef("pk"), verdict=Verdict.RIGHT, at__gte=since)
    # Looked up a row: an anti-join may be planned as a walk over the evidence of every tenant.
    return rows.alias(said=Subquery(said.values("pk")[:1]), right=Subquery(right.values("pk")[:1])).filter(
        said__isnull=True, right__isnull=True
    )


def stale_memories(
    *, actor: Actor, subject_id: uuid.UUID, limit: int = 20, now: datetime | None = None
) -> list[Memory]:
    """What to ask about, the most important first; changes nothing.

    A yes is feedback `right`; a no is an edit, another statement, or forgetting.
    """
    policy, _ = policy_of(actor.tenant_id)
    with tenant_transaction(actor.tenant_id):
        rows = stale_rows(actor=actor, subject_id=subject_id, policy=policy, now=now or get_clock().now())
        return list(rows.order_by("-importance", "said_at", "id")[:limit])


def stale_among(
    *, actor: Actor, subject_id: uuid.UUID, items: Collection[RecallItem], policy: Policy, now: datetime
) -> Stale:
    """Which of these recalled memories are stale, and which of those were not asked about lately; changes nothing.

    Who may read the subject is the caller's to check. Most matter too little or are too new, which the items tell by
    themselves: where all do, nothing is read.
    """
    since, least = now - timedelta(days=policy.number("stale.days")), policy.number("stale.importance")
    ids = [
        item.id
        for item in items
        if item.item_kind == "memory"
        and item.importance >= least
        and item.said_at < since
        and item.kind not in NOT_ASKED
    ]
    if not ids:
        return Stale()
    asked = now - timedelta(days=policy.number("stale.ask_again_days"))
    with tenant_transaction(actor.tenant_id):
        rows = _stale_rows(subject_id, policy, now).filter(id__in=ids)
        found = dict(rows.values_list("id", "asked_about_at"))
    due = frozenset(one for one, at in found.items() if at is None or at <= asked)
    return Stale(frozenset(found), due)


def mark_asked(*, actor: Actor, subject_id: uuid.UUID, ids: Collection[uuid.UUID], now: datetime) -> int:
    """Note that a context asked about these; how many. A consequence of a read, so no version and no audit entry."""
    if not ids:
        return 0
    with tenant_transaction(actor.tenant_id):
        actor.require_subject(subject_id, write=False)
        return Memory.objects.of(subject_id).filter(id__in=ids).update(asked_about_at=now)
