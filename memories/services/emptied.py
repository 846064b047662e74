"""Memories of which nothing is left once a request took its words out: forgotten with a tombstone, and back with the words."""

from __future__ import annotations

import uuid
from collections.abc import Collection, Sequence
from datetime import datetime

from accounts.actor import Actor, system_actor
from memories.adapters.factory import get_clock
from memories.core.forgetting.marks import ANY_MARK
from memories.core.forgetting.remains import nothing_left
from memories.core.policy import Policy
from memories.models import ForgetRequest, Memory, Status, Tombstone
from memories.services.bring_back import bring_back
from memories.services.forget_cuts import open_cuts
from memories.services.policies import policy_of
from memories.services.tombstones import audit_forgotten, lay, open_one, open_ones
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


def await_words(
    request: ForgetRequest, memories: Sequence[Memory], stones: Sequence[Tombstone]
) -> dict[uuid.UUID, bool]:
    """Memories that lost all their words and that the request gives back: whether words of theirs are kept with which they come back.

    Where another request or tombstone than the request's `stones` keeps them, the memory is that one's from now on.
    """
    if not memories:
        return {}
    standing, own = open_cuts(request.subject_id), {str(request.id), *(str(stone.id) for stone in stones)}
    by: dict[uuid.UUID, list[str]] = {
        one.pk: [cut.owner for cut in standing.get(("memories", str(one.pk), "content"), [])]
        for one in memories
    }
    foreign = {owner for owners in by.values() for owner in owners} - own
    requests: dict[str, uuid.UUID | None] = {owner: uuid.UUID(owner) for owner in foreign}
    others = Tombstone.objects.filter(id__in=list(foreign)).values_list("id", "request_id")
    requests |= {str(stone_id): request_id for stone_id, request_id in others}
    moved: dict[uuid.UUID | None, list[uuid.UUID]] = {}
    for memory_id, owners in by.items():
        if owners:
            keeper = next((requests[owner] for owner in owners if owner in foreign), request.id)
            moved.setdefault(keeper, []).append(memory_id)
    for request_id, ids in moved.items():
        Tombstone.objects.filter(memory_id__in=ids, restored_at__isnull=True).update(
            request_id=request_id, rule=EMPTIED
        )
    return {memory_id: bool(owners) for memory_id, owners in by.items()}


def revive(memories: Sequence[Memory]) -> None:
    """Give the memories that were forgotten for want of words, and have them again, their former status; the rest stays as it is."""
    if not memories:
        return
    stones = open_ones(memories)
    found = [one for one in memories if one.pk not in stones or stones[one.pk].rule == EMPTIED]
    tenant_id, now = memories[0].tenant_id, get_clock().now()
    policy, _ = policy_of(tenant_id)
    bring_back(
        found, stones, actor=system_actor(tenant_id), rule=lambda _: "restore.words", policy=policy, now=now
    )
