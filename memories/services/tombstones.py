"""Soft deletion: the tombstone that says who, when and why, and until when it can be undone (R25)."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from datetime import datetime, timedelta

from accounts import audit
from accounts.actor import Actor
from memories.core.policy import Policy
from memories.models import ForgetRequest, Memory, Tombstone


def stone_of(
    memory: Memory,
    *,
    actor: Actor,
    previous: str,
    cause: str,
    rule: str,
    reason: str,
    policy: Policy,
    now: datetime,
    request: ForgetRequest | None = None,
) -> Tombstone:
    """The unsaved tombstone of a memory whose status was `previous`; restorable for the tenant's retention time."""
    return Tombstone(
        memory_id=memory.id,
        subject_id=memory.subject_id,
        previous_status=previous,
        cause=cause[:16],
        rule=rule[:64],
        reason=reason[:200],
        actor_kind=actor.kind,
        actor_id=actor.id[:64],
        at=now,
        request=request,
        purge_after=now + timedelta(days=policy.number("tombstone.retention_days")),
    )


def lay(
    memory: Memory,
    *,
    actor: Actor,
    previous: str,
    cause: str,
    rule: str,
    reason: str,
    policy: Policy,
    now: datetime,
    request: ForgetRequest | None = None,
) -> Tombstone:
    """The same, stored."""
    stone = stone_of(
        memory,
        actor=actor,
        previous=previous,
        cause=cause,
        rule=rule,
        reason=reason,
        policy=policy,
        now=now,
        request=request,
    )
    stone.save(force_insert=True)
    return stone


def open_one(memory: Memory) -> Tombstone | None:
    """The memory's tombstone that was not undone."""
    stone: Tombstone | None = Tombstone.objects.filter(memory_id=memory.id, restored_at__isnull=True).first()
    return stone


def open_ones(memories: Sequence[Memory]) -> dict[uuid.UUID, Tombstone]:
    """The same for many, by memory, in one statement."""
    found = Tombstone.objects.filter(
        memory_id__in=[memory.pk for memory in memories], restored_at__isnull=True
    )
    return {stone.memory_id: stone for stone in found}


def audit_forgotten(memories: Sequence[Memory], *, actor: Actor, cause: str) -> None:
    """An entry for each."""
    for memory in memories:
        audit.record(
            actor,
            "memory.forgotten",
            target_kind="memory",
            target_id=memory.id,
            subject_id=memory.subject_id,
            cause=cause,
        )
