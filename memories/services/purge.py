"""Purge: remove for good what is past its retention: tombstoned memories, traces, finished work (R25)."""

from __future__ import annotations

from datetime import datetime, timedelta

from accounts import audit
from accounts.actor import Actor
from accounts.permissions import Capability
from memories.adapters.factory import get_clock
from memories.models import IdempotencyKey, Memory, RecallTrace, Tombstone
from memories.services.jobs import purge_finished
from memories.services.policies import policy_of
from memories.store.index import remove_from_index
from memoryhub.common.db import tenant_transaction

BATCH = 1_000


def purge(*, actor: Actor, now: datetime | None = None) -> dict[str, int]:
    """Rows removed, by what they were; in batches of a transaction each, so that it may be cut short and run again.

    A memory goes with everything that hangs on it; the forget rules stay, so that its turns are not learnt anew.
    """
    actor.require(Capability.SWEEP)
    at = now or get_clock().now()
    policy, _ = policy_of(actor.tenant_id)
    gone = {"memories": 0, "traces": 0, "idempotency_keys": 0, "jobs": 0}
    while batch := _memories(actor, at):
        gone["memories"] += batch
    oldest = at - timedelta(days=policy.number("trace.retention_days"))
    with tenant_transaction(actor.tenant_id):
        gone["traces"] = RecallTrace.objects.filter(at__lt=oldest).delete()[0]
        gone["idempotency_keys"] = IdempotencyKey.objects.filter(expires_at__lte=at).delete()[0]
        gone["jobs"] = purge_finished(at)
    return gone


def _memories(actor: Actor, now: datetime) -> int:
    """One batch of memories past their tombstone's retention; how many."""
    with tenant_transaction(actor.tenant_id):
        stones = Tombstone.objects.filter(restored_at__isnull=True, purge_after__lte=now).order_by(
            "purge_after", "id"
        )
        ids = list(stones.values_list("memory_id", flat=True)[:BATCH])
        if not ids:
            return 0
        remove_from_index(ids)
        # The database's own cascades take versions, evidence, facts and tombstones along.
        rows = Memory.objects.filter(id__in=ids)
        removed = int(rows._raw_delete(rows.db))
        audit.record(actor, "memory.purged", target_kind="memory", memories=removed)
        return removed
