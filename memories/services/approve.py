"""Approve: a person's yes or no to a memory that waits for it (R34)."""

from __future__ import annotations

import uuid

from django.db.models import QuerySet

from accounts import audit
from accounts.actor import Actor
from memories.adapters.factory import get_clock
from memories.models import Approval, Memory, Status
from memories.services.embedding import embed_passages
from memories.services.index_memory import index_memory
from memories.services.policies import policy_of
from memories.services.tombstones import lay
from memories.services.versioning import Change, save_change
from memories.store.locks import lock_subject
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import Conflict, NotFound


def waiting_rows(*, actor: Actor, subject_id: uuid.UUID) -> QuerySet[Approval]:
    """What waits for the subject's answer, for a door that pages; evaluated inside the tenant's transaction."""
    actor.require_subject(subject_id, write=False)
    rows: QuerySet[Approval] = Approval.objects.filter(
        subject_id=subject_id, state=Approval.State.WAITING
    ).select_related("memory")
    return rows


def waiting_approvals(*, actor: Actor, subject_id: uuid.UUID) -> list[Approval]:
    """What waits for the subject's answer, the oldest first."""
    with tenant_transaction(actor.tenant_id):
        return list(waiting_rows(actor=actor, subject_id=subject_id).order_by("asked_at", "id"))


def decide_approval(*, actor: Actor, approval_id: uuid.UUID, approve: bool) -> Memory:
    """The memory: current and recallable after a yes, forgotten with a tombstone after a no.

    Only who may write the subject's memory decides. Raises NotFound, Conflict when it was decided the other way already.
    """
    now = get_clock().now()
    policy, _ = policy_of(actor.tenant_id)
    with tenant_transaction(actor.tenant_id):
        approval = _mine(actor, approval_id)
        content = approval.memory.content
    embedded = embed_passages([content]) if approve else None
    with tenant_transaction(actor.tenant_id):
        lock_subject(approval.subject_id)
        approval = _mine(actor, approval_id)
        memory = Memory.objects.select_for_update().get(id=approval.memory_id)
        wanted = Approval.State.APPROVED if approve else Approval.State.REFUSED
        if approval.state != Approval.State.WAITING:
            if approval.state == wanted:
                return memory
            raise Conflict(f"this was {approval.state} already")
        approval.state, approval.decided_at, approval.decided_by = wanted, now, actor.id[:64]
        approval.save(update_fields=["state", "decided_at", "decided_by"])
        memory.status = Status.CURRENT if approve else Status.FORGOTTEN
        save_change(memory, actor, Change("approved" if approve else "refused", "approval"), now, ["status"])
        if approve:
            index_memory(memory, embedded)
        else:
            lay(
                memory,
                actor=actor,
                previous=Status.PENDING,
                cause="user",
                rule="approval",
                reason="",
                policy=policy,
                now=now,
            )
        audit.record(
            actor,
            "memory.approved" if approve else "memory.refused",
            target_kind="memory",
            target_id=memory.id,
            subject_id=memory.subject_id,
        )
    return memory


def _mine(actor: Actor, approval_id: uuid.UUID) -> Approval:
    approval: Approval | None = Approval.objects.select_related("memory").filter(id=approval_id).first()
    if approval is None:
        raise NotFound("no such approval")
    actor.require_subject(approval.subject_id, write=True)
    return approval
