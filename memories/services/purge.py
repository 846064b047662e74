"""Purge: remove for good what is past its retention: tombstoned memories, traces, finished work (R25)."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from datetime import datetime, timedelta

from django.db.models import Q, QuerySet

from accounts import audit
from accounts.actor import Actor
from accounts.permissions import Capability
from memories.adapters.factory import get_clock
from memories.models import ForgetRequest, IdempotencyKey, Memory, RecallTrace, Tombstone
from memories.services.forget_cuts import make_final
from memories.services.jobs import purge_finished
from memories.services.policies import policy_of
from memories.store.index import remove_from_index
from memories.store.locks import lock_any_subject
from memoryhub.common.db import tenant_transaction

BATCH = 1_000


def purge(*, actor: Actor, now: datetime | None = None) -> dict[str, int]:
    """Rows removed, by what they were; in batches of a transaction each, so that it may be cut short and run again.

    A memory goes with everything that hangs on it, the words that were taken out of texts for it, too; the forget rules,
    which hold no words, stay, so that its turns are not learnt anew.
    """
    actor.require(Capability.SWEEP)
    at = now or get_clock().now()
    policy, _ = policy_of(actor.tenant_id)
    gone = {"memories": 0, "traces": 0, "idempotency_keys": 0, "jobs": 0, "forget_requests": 0}
    with tenant_transaction(actor.tenant_id):
        # Words that found no place when their memory was restored.
        Tombstone.objects.filter(restored_at__isnull=False, purge_after__lte=at, undo__isnull=False).update(
            undo=None
        )
    with tenant_transaction(actor.tenant_id):
        subjects = list(_late(at).order_by("subject_id").values_list("subject_id", flat=True).distinct())
    for subject_id in subjects:
        while batch := _memories(actor, subject_id, at):
            gone["memories"] += batch
    gone["forget_requests"] = _requests(actor, at)
    oldest = at - timedelta(days=policy.number("trace.retention_days"))
    with tenant_transaction(actor.tenant_id):
        gone["traces"] = RecallTrace.objects.filter(at__lt=oldest).delete()[0]
        gone["idempotency_keys"] = IdempotencyKey.objects.filter(expires_at__lte=at).delete()[0]
        gone["jobs"] = purge_finished(at)
    return gone


def _late(now: datetime) -> QuerySet[Tombstone]:
    return Tombstone.objects.filter(restored_at__isnull=True, purge_after__lte=now)


def _memories(actor: Actor, subject_id: uuid.UUID, now: datetime) -> int:
    """One batch of the subject's memories past their tombstone's retention; how many."""
    with tenant_transaction(actor.tenant_id):
        # What a forget or a restore at the same time takes out or puts back is moved with the rest, not overwritten.
        lock_any_subject(subject_id)
        mine = _late(now).filter(subject_id=subject_id).order_by("purge_after", "id")
        batch = dict(mine.values_list("id", "memory_id")[:BATCH])
        if not batch:
            return 0
        removed = remove_for_good(subject_id, batch)
        audit.record(actor, "memory.purged", target_kind="memory", memories=removed)
    return removed


def remove_for_good(subject_id: uuid.UUID, stones: Mapping[uuid.UUID, uuid.UUID]) -> int:
    """Remove the memories of one subject's tombstones (memory by tombstone), and how many; the caller holds its lock."""
    make_final(subject_id, list(stones))
    ids = list(stones.values())
    remove_from_index(ids)
    # The database's own cascades take versions, evidence, facts and tombstones along.
    rows = Memory.objects.filter(id__in=ids)
    return int(rows._raw_delete(rows.db))


def _requests(actor: Actor, now: datetime) -> int:
    """Requests past their retention, or never answered: what they were about is destroyed with them."""
    with tenant_transaction(actor.tenant_id):
        old = Q(purge_after__lte=now) | Q(purge_after__isnull=True, expires_at__lte=now)
        subjects = list(
            ForgetRequest.objects.filter(old)
            .exclude(state=ForgetRequest.State.UNDOING)
            .order_by("subject_id")
            .values_list("subject_id", flat=True)
            .distinct()
        )
    removed = 0
    for subject_id in subjects:
        with tenant_transaction(actor.tenant_id):
            lock_any_subject(subject_id)
            # Words that are on their way back are no longer forgotten.
            rows = ForgetRequest.objects.filter(old, subject_id=subject_id).exclude(
                state=ForgetRequest.State.UNDOING
            )
            ids = list(rows.values_list("id", flat=True))
            make_final(subject_id, ids)
            gone = ForgetRequest.objects.filter(id__in=ids).delete()[0]
            if gone:
                audit.record(actor, "memory.requests_purged", target_kind="forget_request", requests=gone)
            removed += gone
    return removed
