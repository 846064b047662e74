"""What restoring some tombstones' memories would bring back, and what stands in the way of which; nothing is changed."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from accounts.actor import Actor
from accounts.permissions import Capability
from memories.adapters.factory import get_clock
from memories.models import Memory, Status, Tombstone
from memories.services.emptied import emptied
from memories.services.limits import AT_ONCE
from memories.services.restore import RESTORABLE
from memories.services.undo_records import rivals_of
from memoryhub.common.db import tenant_transaction

SUBJECTS = 20
"""Rivals take a few statements a subject: beyond so many subjects they are found when the restore is done."""


@dataclass(frozen=True, slots=True)
class Restorable:
    """One tombstone and its memory. `obstacle` is "" where nothing is known to stand in the way, else restored, over (its
    retention has ended), gone (its status allows none), emptied, or rival: then `rival_id` is the memory that holds its place.
    """

    stone: Tombstone
    memory: Memory
    obstacle: str = ""
    rival_id: uuid.UUID | None = None


def restorable(*, actor: Actor, tombstone_ids: Sequence[uuid.UUID]) -> list[Restorable]:
    """By tombstone in the given order, at most AT_ONCE; those of other tenants are left out. Needs the capability to restore."""
    actor.require(Capability.RESTORE)
    now = get_clock().now()
    with tenant_transaction(actor.tenant_id):
        rows = (
            Tombstone.objects.filter(id__in=list(tombstone_ids)[:AT_ONCE])
            .select_related("memory")
            .defer("undo", "memory__content_encrypted")
        )
        found = {row.pk: row for row in rows}
        stones = [found[pk] for pk in tombstone_ids[:AT_ONCE] if pk in found]
        rivals = _rivals([one for one in stones if not _obstacle(one, now)])
        return [
            Restorable(
                one,
                one.memory,
                _obstacle(one, now) or ("rival" if one.memory_id in rivals else ""),
                rivals.get(one.memory_id),
            )
            for one in stones
        ]


def _obstacle(stone: Tombstone, now: datetime) -> str:
    if stone.restored_at is not None:
        return "restored"
    if stone.purge_after <= now:
        return "over"
    if stone.memory.status not in RESTORABLE:
        return "gone"
    return "emptied" if emptied(stone.memory.content) else ""


def _rivals(stones: Sequence[Tombstone]) -> dict[uuid.UUID, uuid.UUID]:
    by_subject: dict[uuid.UUID, list[tuple[Memory, datetime]]] = {}
    for one in stones:
        if one.previous_status in {Status.CURRENT, Status.ARCHIVED, Status.EXPIRED}:
            by_subject.setdefault(one.subject_id, []).append((one.memory, one.at))
    found: dict[uuid.UUID, uuid.UUID] = {}
    for mine in list(by_subject.values())[:SUBJECTS]:
        found |= rivals_of(mine)
    return found
