"""Approve: a person's yes or no to a memory that waits for it (R34)."""

from __future__ import annotations

import uuid

from django.db.models import QuerySet

from accounts import audit
from accounts.actor import Actor
from accounts.models import Subject
from accounts.reading import note_reading
from memories.adapters.factory import get_clock
from memories.core.extraction.engine import extract
from memories.core.kinds import Kind
from memories.core.policy import Policy
from memories.core.statement import Statement
from memories.models import Approval, Fact, Memory, MemoryVersion, Status
from memories.services.edit import reread
from memories.services.embedding import embed_passages
from memories.services.index_memory import index_memory
from memories.services.policies import policy_of
from memories.services.rows import fact_rows
from memories.services.statements import ASK_RULE
from memories.services.subjects import zone_of
from memories.services.tenant_subject import check_writable
from memories.services.tombstones import lay
from memories.services.versioning import Change, save_change
from memories.store.locks import lock_subject
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import Conflict, NotFound


def waiting_rows(*, actor: Actor, subject_id: uuid.UUID) -> QuerySet[Approval]:
    """What waits for the subject's answer, for a door that pages; evaluated inside the tenant's transaction."""
    actor.require_subject(subject_id, write=False)
    note_reading(actor, subject_id, "approvals.list")
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

    Where the policy asks before it keeps something (`ask`), a yes makes it an ordinary memory, in the clear, and a no
    destroys what was kept sealed while it waited; a sensitive memory stays encrypted after the yes.
    Only who may write the subject's memory decides. Raises NotFound, Conflict when it was decided the other way already.
    """
    now = get_clock().now()
    policy, _ = policy_of(actor.tenant_id)
    with tenant_transaction(actor.tenant_id):
        approval = _mine(actor, approval_id)
        statement = _after_yes(approval, policy) if approve and approval.rule == ASK_RULE else None
        content = statement.content if statement is not None else approval.memory.content
    embedded = embed_passages([content], policy) if approve else None
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
        fields = ["status"]
        if statement is not None:
            fields += _open(memory, statement)
        elif not approve and approval.rule == ASK_RULE:
            memory.content_encrypted = None
            fields.append("content_encrypted")
            MemoryVersion.objects.filter(memory_id=memory.id).update(content_encrypted=None)
        save_change(memory, actor, Change("approved" if approve else "refused", "approval"), now, fields)
        if statement is not None:
            Fact.objects.bulk_create(fact_rows(memory.subject_id, memory, statement))
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


def _after_yes(approval: Approval, policy: Policy) -> Statement | None:
    """What waited, read again as the ordinary memory that it becomes; None when its original is gone."""
    memory = approval.memory
    if memory.content_encrypted is None:
        return None
    subject = Subject.objects.get(id=memory.subject_id)
    text = str(memory.content_encrypted)
    found = extract(
        text, role=memory.source, speaker=memory.speaker, said_at=memory.said_at, tz=zone_of(subject)
    )
    kind = found[0].kind.value if len(found) == 1 else Kind.FACT.value
    return reread(memory, subject, text, kind, policy, consented=True)


def _open(memory: Memory, statement: Statement) -> list[str]:
    """Put the statement over the memory; the columns that changed."""
    memory.content, memory.content_encrypted = statement.content, statement.clear
    memory.kind, memory.language, memory.key = statement.kind, statement.language, statement.key
    return ["content", "content_encrypted", "kind", "language", "key"]


def _mine(actor: Actor, approval_id: uuid.UUID) -> Approval:
    approval: Approval | None = Approval.objects.select_related("memory").filter(id=approval_id).first()
    if approval is None:
        raise NotFound("no such approval")
    check_writable(actor, approval.subject_id)
    return approval
