"""Memories of which nothing is left once a request took its words out: forgotten with a tombstone, and back with the words."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime

from accounts.actor import Actor, system_actor
from memories.adapters.factory import get_clock
from memories.core.forgetting.marks import ANY_MARK
from memories.core.forgetting.remains import nothing_left
from memories.core.policy import Policy
from memories.models import ForgetRequest, Memory, Status
from memories.services.bring_back import bring_back
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
