"""Merge: many confirmations of one claim become one stable memory, and come apart again (R17)."""

from __future__ import annotations

import uuid
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db.models import Max

from accounts import audit
from accounts.actor import Actor
from memories.adapters.factory import get_clock
from memories.core.errors import MemoryNotFound, NotUndoable
from memories.core.policy import Policy
from memories.models import Contradiction, Evidence, Memory, MemoryVersion, Status
from memories.services.contradictions import close_for, open_again
from memories.services.get_memory import readable
from memories.services.index_memory import index_memory
from memories.services.policies import policy_of
from memories.services.resolve import require_settler
from memories.services.undo_records import before, end, put_back, refuse_rival
from memories.services.versioning import Change, save_change
from memories.store.locks import lock_subject
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import Conflict, Invalid

GAINED = ("strength", "importance", "valid_from")
"""What the survivor gets from those that are merged into it."""
KEPT = "merge"
"""Where a merged memory's newest version keeps what unmerging needs: ids, numbers and times."""


def merge_memories(
    *,
    actor: Actor,
    survivor_id: uuid.UUID,
    merged_ids: Collection[uuid.UUID],
    rule: str = "merge.asked",
    reason: str = "",
) -> Memory:
    """The survivor, with the evidence and the hits of all; the others are merged into it, out of recall, until unmerged.

    All must be current memories of one subject and one reach. Pins are never merged away: at most the survivor is pinned.
    Raises MemoryNotFound, Invalid, Conflict when one of them is not current, or two of them are in an open contradiction.
    """
    ids = set(merged_ids) - {survivor_id}
    if not ids:
        raise Invalid(
            "there is nothing to merge",
            hint="Name at least one other memory.",
            fields={"memories": "too few"},
        )
    now = get_clock().now()
    policy, _ = policy_of(actor.tenant_id)
    with tenant_transaction(actor.tenant_id):
        subject_id = readable(actor, survivor_id).subject_id
        require_settler(actor, subject_id, "no such memory")
        lock_subject(subject_id)
        return merge_locked(
            actor, subject_id, survivor_id, ids, Change("merged", rule, reason), policy, now
        )  # fmt: skip


def merge_locked(
    actor: Actor,
    subject_id: uuid.UUID,
    survivor_id: uuid.UUID,
    ids: Collection[uuid.UUID],
    change: Change,
    policy: Policy,
    now: datetime,
) -> Memory:
    """The same in an open transaction that holds the subject's lock."""
    found = (
        Memory.objects.select_for_update().of(subject_id).filter(id__in=[survivor_id, *ids]).order_by("id")
    )
    rows = {memory.id: memory for memory in found}
    if set(rows) != {survivor_id, *ids}:
        raise MemoryNotFound("no such memory")
    survivor = rows.pop(survivor_id)
    _check(survivor, rows)
    own = _own(survivor)
    for memory in rows.values():
        record: dict[str, Any] = {**before(memory), "survivor": str(survivor.id), "own": own}
        moved = Evidence.objects.filter(memory_id=memory.id)
        record["evidence"] = [str(one) for one in moved.values_list("id", flat=True)]
        moved.update(memory_id=survivor.id)
        survivor.hits += memory.hits
        fields = end(memory, status=Status.MERGED, successor=survivor.id, until=now)
        save_change(memory, actor, change, now, fields)
        _keep(memory, record)
        close_for(memory.id, by=survivor.id, now=now)
    survivor.said_at = max(m.said_at for m in (survivor, *rows.values()))
    _give(survivor, _together([own, *map(_own, rows.values())], policy))
    confirmed = Change("confirmed", change.rule, change.reason)
    save_change(
        survivor, actor, confirmed, now, ["hits", "said_at", *GAINED]
    )  # fmt: skip
    audit.record(
        actor, "memory.merged", target_kind="memory", target_id=survivor.id, subject_id=subject_id,
        rule=change.rule, merged=sorted(rows),
    )  # fmt: skip
    return survivor


def unmerge(*, actor: Actor, memory_id: uuid.UUID) -> Memory:
    """The merged memory, current again with its own evidence; the survivor keeps what it had and what came since.

    What it had from this one alone goes: hits, the last time it was said, and strength, importance and start where nothing else
    has changed them since.

    Raises MemoryNotFound, NotUndoable when it is not merged (any more) or something newer stands in its place.
    """
    now = get_clock().now()
    policy, _ = policy_of(actor.tenant_id)
    with tenant_transaction(actor.tenant_id):
        seen = readable(actor, memory_id)
        require_settler(actor, seen.subject_id, "no such memory")
        lock_subject(seen.subject_id)
        # Whom it was merged into may be another by now than when it was seen.
        into = Memory.objects.filter(id=memory_id).values_list("superseded_by_id", flat=True).first()
        ids = [one for one in (memory_id, into) if one is not None]
        rows = {m.id: m for m in Memory.objects.select_for_update().filter(id__in=ids).order_by("id")}
        if memory_id not in rows:
            raise MemoryNotFound("no such memory")
        memory = rows[memory_id]
        version = MemoryVersion.objects.filter(memory_id=memory.id).latest("number")
        record = version.state.get(KEPT)
        if memory.status != Status.MERGED or not record:
            raise NotUndoable(
                f"the memory is {memory.status}, and was not merged as a confirmation",
                hint="Undo what changed it last.",
            )
        refuse_rival(memory, since=version.at, but=ids)
        survivor = rows.get(uuid.UUID(record["survivor"]))
        fields = put_back(memory, record)
        save_change(memory, actor, Change("unmerged", "merge.undo"), now, fields)
        index_memory(memory, None)
        Evidence.objects.filter(id__in=record["evidence"]).update(memory_id=memory.id)
        if survivor is not None:
            # Its own hits and strength since stay; only what this one had brought goes.
            survivor.hits = max(0, survivor.hits - memory.hits)
            said = Evidence.objects.filter(memory_id=survivor.id).aggregate(last=Max("said_at"))["last"]
            survivor.said_at = said or survivor.said_at
            _take_back(survivor, memory, record.get("own"), policy)
            save_change(survivor, actor, Change("unmerged", "merge.undo"), now, ["hits", "said_at", *GAINED])
            open_again(by=survivor.id)
        audit.record(
            actor, "memory.unmerged", target_kind="memory", target_id=memory.id, subject_id=memory.subject_id
        )
    return memory


def _own(memory: Memory) -> dict[str, Any]:
    """What a memory brings into a merge, as it may be kept in JSON."""
    starts = memory.valid_from.isoformat() if memory.valid_from else None
    return {"strength": memory.strength, "importance": memory.importance, "valid_from": starts}


def _together(parts: Sequence[Mapping[str, Any]], policy: Policy) -> dict[str, Any]:
    """What several have as one: the greatest strength (up to the cap) and importance, the earliest start."""
    starts = [datetime.fromisoformat(one["valid_from"]) for one in parts if one["valid_from"]]
    return {
        "strength": min(policy.number("strength.cap"), max(one["strength"] for one in parts)),
        "importance": max(one["importance"] for one in parts),
        "valid_from": min(starts) if starts else None,
    }


def _give(memory: Memory, values: Mapping[str, Any]) -> None:
    for column, value in values.items():
        setattr(memory, column, value)


def _take_back(survivor: Memory, memory: Memory, own: Mapping[str, Any] | None, policy: Policy) -> None:
    """Give the survivor what it would have without this one, wherever it still has what the merge gave it."""
    if own is None:
        return
    left = Memory.objects.filter(superseded_by_id=survivor.id, status=Status.MERGED).exclude(id=memory.id)
    parts = [own, *map(_own, left)]
    with_it, without = _together([*parts, _own(memory)], policy), _together(parts, policy)
    _give(
        survivor, {name: value for name, value in without.items() if getattr(survivor, name) == with_it[name]}
    )


def _check(survivor: Memory, others: dict[uuid.UUID, Memory]) -> None:
    def reach(memory: Memory) -> tuple[object, ...]:
        return memory.scope, memory.agent_id, memory.session_id if memory.scope == "session" else None

    for memory in (survivor, *others.values()):
        if memory.status != Status.CURRENT:
            raise Conflict(
                f"the memory {memory.id} is {memory.status}", hint="Only current ones can be merged."
            )
        if reach(memory) != reach(survivor):
            raise Invalid("they do not reach equally far", fields={"memories": "of one scope"})
        if memory.content_encrypted is not None:
            raise Invalid("what is encrypted is not merged", fields={"memories": "not sensitive"})
    if any(memory.pinned for memory in others.values()):
        raise Conflict("a pinned memory is not merged away", hint="Unpin it, or merge the others into it.")
    ids = [survivor.id, *others]
    open_ones = Contradiction.objects.filter(
        state=Contradiction.State.OPEN, older_id__in=ids, newer_id__in=ids
    )
    if open_ones.exists():
        raise Conflict("two of them contradict each other", hint="Settle the contradiction first.")


def _keep(memory: Memory, record: dict[str, Any]) -> None:
    version = MemoryVersion.objects.get(memory_id=memory.id, number=memory.version)
    version.state = {**version.state, KEPT: record}
    version.save(update_fields=["state"])
