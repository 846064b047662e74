"""Merge confirmations: finds what a person said many times in other words and makes one stable memory of each (R17)."""

from __future__ import annotations

import uuid
from datetime import datetime, timedelta

from django.db.models import Count

from accounts.actor import Actor
from accounts.models import Subject
from memories.adapters.factory import get_clock
from memories.core.placement.confirmations import Confirmable, groups
from memories.core.statement import FactPart
from memories.models import Contradiction, Fact, Memory
from memories.services.jobs import JobContext, enqueue, handler
from memories.services.merge_memories import merge_locked
from memories.services.policies import policy_of
from memories.services.versioning import Change
from memories.store.locks import lock_subject
from memoryhub.common.db import tenant_transaction

KIND = "merge_confirmations"
LOOKED_AT = 2_000
"""Memories of one person that are compared, the newest first."""
PAGE = 500
"""People that are asked for in one transaction."""


def merge_confirmations(*, actor: Actor, subject_id: uuid.UUID, now: datetime | None = None) -> int:
    """How many memories went into others; at most `merge.batch` in one run. Each can be unmerged.

    Nothing is merged by likeness; constraints, sensitive content, digests and what is disputed are left alone.
    """
    actor.require_subject(subject_id, write=True)
    at = now or get_clock().now()
    policy, _ = policy_of(actor.tenant_id)
    if not policy.flag("merge.enabled"):
        return 0
    left, done = policy.integer("merge.batch"), 0
    with tenant_transaction(actor.tenant_id):
        lock_subject(subject_id)
        for group in groups(_confirmable(subject_id), least=policy.integer("merge.least")):
            merged = group.merged[: left - done]
            if not merged:
                break
            change = Change("merged", group.rule)
            merge_locked(actor, subject_id, group.survivor, merged, change, policy, at)
            done += len(merged)
    return done


def ask_to_merge(*, subject_id: uuid.UUID, run_after: datetime | None = None) -> None:
    """Have a worker look at the person's memories, in the open transaction; asking twice is asking once."""
    enqueue(kind=KIND, key=str(subject_id), payload={}, subject_id=subject_id, run_after=run_after)


@handler(KIND, lease=timedelta(minutes=5))
def _job(context: JobContext) -> None:
    if context.subject_id is not None:
        merge_confirmations(actor=context.actor, subject_id=context.subject_id, now=context.now)


def ask_for_all(*, actor: Actor, since: datetime) -> int:
    """Ask for every person of the tenant whose memories changed since then, some a transaction; how many."""
    asked, after = 0, uuid.UUID(int=0)
    while True:
        with tenant_transaction(actor.tenant_id):
            changed = Memory.objects.current().filter(created_at__gt=since).values("subject_id")
            people = Subject.objects.filter(id__in=changed, erased_at__isnull=True, id__gt=after)
            ids = list(people.order_by("id").values_list("id", flat=True)[:PAGE])
            for subject_id in ids:
                ask_to_merge(subject_id=subject_id)
        asked += len(ids)
        if len(ids) < PAGE:
            return asked
        after = ids[-1]


def _confirmable(subject_id: uuid.UUID) -> list[Confirmable]:
    disputed = Contradiction.objects.filter(subject_id=subject_id, state=Contradiction.State.OPEN)
    rows = (
        Memory.objects.of(subject_id)
        .current()
        .filter(content_encrypted__isnull=True)
        .exclude(kind__in=["constraint", "digest", "chunk", "sensitive"])
        .exclude(id__in=disputed.values("older_id"))
        .exclude(id__in=disputed.values("newer_id"))
        .annotate(proofs=Count("evidence"))
        .order_by("-id")[:LOOKED_AT]
    )
    memories = list(rows)
    facts: dict[uuid.UUID, list[FactPart]] = {}
    for row in Fact.objects.filter(memory_id__in=[memory.id for memory in memories]):
        part = FactPart(row.entity, row.attribute, row.value, row.single_valued, row.negated)
        facts.setdefault(row.memory_id, []).append(part)
    return [
        Confirmable(
            id=memory.id,
            kind=memory.kind,
            content=memory.content,
            reach=(memory.scope, memory.agent_id, memory.session_id if memory.scope == "session" else None),
            claim=bytes(memory.claim) if memory.claim else None,
            facts=tuple(facts.get(memory.id, ())),
            said_at=memory.said_at,
            pinned=memory.pinned,
            proofs=memory.proofs,  # type: ignore[attr-defined]
            valid_to=memory.valid_to,
            event_start=memory.event_start,
        )
        for memory in memories
    ]
