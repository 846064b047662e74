"""What forgetting memories does to them, whoever asked and however many they are: out of recall, with a tombstone, and not learnt again."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from datetime import datetime

from django.db.models import CharField
from django.db.models.functions import Cast, JSONObject

from accounts.actor import Actor
from memories.core.policy import Policy
from memories.models import Approval, Contradiction, ForgetRequest, Memory, Status, Tombstone
from memories.services.forget_rules import bind_memories
from memories.services.tombstones import stone_of
from memories.services.versioning import Change, save_changes
from memories.store.index import remove_from_index


def remove(
    memories: Sequence[Memory],
    *,
    actor: Actor,
    cause: str,
    reason: str,
    policy: Policy,
    now: datetime,
    before: datetime,
    request: ForgetRequest | None = None,
) -> list[Tombstone]:
    """Take memories, locked with their subject, out of recall; their tombstones, in the same order.

    What said them up to `before` does not teach them again. A number of statements that does not grow with the memories; their
    texts, the undo and the audit are the caller's.
    """
    ids = [memory.pk for memory in memories]
    # Swept before, forgotten now: the person's word replaces the sweep's.
    Tombstone.objects.filter(memory_id__in=ids, restored_at__isnull=True).update(restored_at=now)
    stones = [
        stone_of(
            memory,
            actor=actor,
            previous=memory.status,
            cause=cause,
            rule="forget" if request is None else "forget.words",
            reason=reason,
            policy=policy,
            now=now,
            request=request,
        )
        for memory in memories
    ]
    change = Change("forgotten", f"forget.{cause}", reason)
    save_changes(memories, actor, change, now, status=Status.FORGOTTEN)
    remove_from_index(ids)
    Tombstone.objects.bulk_create(stones, batch_size=2_000)
    Approval.objects.filter(memory_id__in=ids, state=Approval.State.WAITING).update(
        state=Approval.State.REFUSED, decided_at=now, decided_by=actor.id[:64]
    )
    close_contradictions(ids, now)
    bind_memories(memories, before, request)
    return stones


def close_contradictions(memory_ids: Sequence[uuid.UUID], now: datetime) -> None:
    """Where one side is gone, the other stands; the record says so and a restore opens it again."""
    for side, kept in (
        ("older", Contradiction.Resolution.KEEP_NEW),
        ("newer", Contradiction.Resolution.KEEP_OLD),
    ):
        gone = Contradiction.objects.filter(**{f"{side}_id__in": memory_ids}, state=Contradiction.State.OPEN)
        gone.update(
            state=Contradiction.State.RESOLVED,
            resolution=kept,
            resolved_at=now,
            resolved_by="forget",
            undo=JSONObject(forgotten=Cast(f"{side}_id", CharField())),
        )
