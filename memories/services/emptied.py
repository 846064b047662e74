"""Memories of which nothing is left once a request took its words out: forgotten with a tombstone, and back with the words."""

from __future__ import annotations

import uuid
from collections.abc import Collection
from datetime import datetime

from accounts.actor import Actor, system_actor
from memories.adapters.factory import get_clock
from memories.core.errors import NotUndoable
from memories.core.forgetting.marks import ANY_MARK
from memories.core.forgetting.remains import nothing_left
from memories.core.policy import Policy
from memories.models import ForgetRequest, Memory, Status
from memories.services.tombstones import audit_forgotten, lay, open_one
from memories.services.undo_records import refuse_rival
from memories.services.versioning import Change, save_change

EMPTIED = "forget.emptied"


def lay_for_emptied(
    memory_ids: Collection[str],
    *,
    actor: Actor,
    cause: str,
    policy: Policy,
    now: datetime,
    request: ForgetRequest | None = None,
) -> None:
    """Tombstone, version and audit entry of those of the memories that lost all their words, in the open transaction."""
    for memory in Memory.objects.filter(id__in=memory_ids, status=Status.FORGOTTEN).order_by("id"):
        if open_one(memory) is not None:
            continue
        save_change(memory, actor, Change("forgotten", EMPTIED), now, [])
        lay(
            memory,
            actor=actor,
            previous=Status.CURRENT,
            cause=cause,
            rule=EMPTIED,
            reason="",
            policy=policy,
            now=now,
            request=request,
        )
        audit_forgotten([memory], actor=actor, cause=cause)


def emptied(text: str) -> bool:
    """Whether words were taken out of the text and what is left says nothing."""
    return ANY_MARK.search(text) is not None and nothing_left(text)


def revive(memory_id: uuid.UUID) -> bool:
    """Make a memory current that was forgotten for want of words and has them again; False when it stays as it is."""
    memory = Memory.objects.get(id=memory_id)
    stone = open_one(memory)
    if memory.status != Status.FORGOTTEN or (stone is not None and stone.rule != EMPTIED):
        return False
    try:
        refuse_rival(memory, since=stone.at if stone is not None else memory.updated_at)
    except NotUndoable:
        return False
    now = get_clock().now()
    memory.status = Status.CURRENT
    save_change(memory, system_actor(memory.tenant_id), Change("restored", "restore.words"), now, ["status"])
    if stone is not None:
        stone.restored_at = now
        stone.save(update_fields=["restored_at"])
    return True
