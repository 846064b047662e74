"""Approve: a person's yes or no to a memory that waits for it (R34)."""

from __future__ import annotations

import uuid
from dataclasses import replace

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
from memories.models import Approval, Evidence, Memory, MemoryVersion, Status
from memories.services.edit import reread
from memories.services.embedding import embed_passages
from memories.services.policies import policy_of
from memories.services.statements import ASK_RULE, Origin, of_candidate, sealed
from memories.services.subjects import zone_of
from memories.services.tenant_subject import check_writable
from memories.services.tombstones import lay
from memories.services.versioning import Change, save_change
from memories.services.write_memory import store_embedded
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
    """The memory: kept after a yes, forgotten with a tombstone after a no.

    A yes is as if it were said now in so many words: it replaces, contradicts or repeats what is known. Where another
    memory says the same, that one is the answer, and what waited is merged into it; where a later value stands, it is history.
    Where the policy asks before it keeps something (`ask`), a yes makes it an ordinary memory, in the clear, and a no
    destroys what was kept sealed while it waited; a sensitive memory stays encrypted after the yes.
    Only who may write the subject's memory decides. Raises NotFound, Conflict when it was decided the other way already.
    """
    now = get_clock().now()
    policy, _ = policy_of(actor.tenant_id)
    with tenant_transaction(actor.tenant_id):
        approval = _mine(actor, approval_id)
        statement = _after_yes(approval, policy) if approve else None
    embedded = embed_passages([statement.content], policy) if statement is not None else None
    with tenant_transaction(actor.tenant_id):
        lock_subject(approval.subject_id)
        approval = _mine(actor, approval_id)
        memory = Memory.objects.select_for_update().get(id=approval.memory_id)
        wanted = Approval.State.APPROVED if approve else Approval.State.REFUSED
        if approval.state != Approval.State.WAITING:
            if approval.state == wanted:
                return _kept(memory)
            raise Conflict(f"this was {approval.state} already")
        approval.state, approval.decided_at, approval.decided_by = wanted, now, actor.id[:64]
        approval.save(update_fields=["state", "decided_at", "decided_by"])
        if memory.status != Status.PENDING:
            raise Conflict(f"the memory is {memory.status} by now", hint="Reload the list.")
        if statement is not None:
            store_embedded(
                actor=actor, subject_id=memory.subject_id, statements=[statement], policy=policy, now=now,
                embedded=embedded, approved=memory,
            )  # fmt: skip
            if memory.status == Status.PENDING:
                raise Conflict(
                    "what stands in its place may not be replaced by who said this", hint="Say no to it."
                )
        else:
            memory.status = Status.FORGOTTEN
            fields = ["status"]
            if approval.rule == ASK_RULE:
                memory.content_encrypted = None
                fields.append("content_encrypted")
                MemoryVersion.objects.filter(memory_id=memory.id).update(content_encrypted=None)
            save_change(memory, actor, Change("refused", "approval"), now, fields)
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
        return _kept(memory)


def _kept(memory: Memory) -> Memory:
    """The memory that holds what was approved: itself, or the one that it was merged into."""
    if memory.status == Status.MERGED and memory.superseded_by_id is not None:
        return Memory.objects.get(id=memory.superseded_by_id)
    return memory


def _after_yes(approval: Approval, policy: Policy) -> Statement:
    """What waited as it is said with the yes: read again where the policy asked, sealed as it was where it is sensitive."""
    memory = approval.memory
    proof = Evidence.objects.filter(memory_id=memory.id).order_by("said_at", "id").first()
    waited = Statement(
        content=memory.content,
        clear=str(memory.content_encrypted) if memory.content_encrypted is not None else None,
        kind=memory.kind,
        source=memory.source,
        said_at=memory.said_at,
        event_start=memory.event_start,
        event_end=memory.event_end,
        valid_from=memory.valid_from,
        valid_to=memory.valid_to,
        expires_at=memory.expires_at,
    )
    if approval.rule == ASK_RULE and memory.content_encrypted is not None:
        subject = Subject.objects.get(id=memory.subject_id)
        text = str(memory.content_encrypted)
        found = extract(
            text, role=memory.source, speaker=memory.speaker, said_at=memory.said_at, tz=zone_of(subject)
        )
        if len(found) == 1:
            # Its words of change and its times count, as in any statement.
            origin = Origin(memory.source, memory.said_at, memory.speaker)
            said = replace(of_candidate(found[0], origin), content=text, quote="")
            said = replace(said, valid_from=said.valid_from or memory.valid_from)
            waited = sealed(said, policy, consented=True)
        else:
            waited = reread(memory, subject, text, Kind.FACT.value, policy, consented=True)
    return replace(
        waited,
        language=memory.language,
        speaker=memory.speaker,
        quote=proof.quote if proof is not None else "",
        rule=memory.rule,
        scope=memory.scope,
        agent_id=memory.agent_id,
        session_id=memory.session_id or (proof.session_id if proof is not None else None),
        turn_id=proof.turn_id if proof is not None else None,
        needs_approval=False,
    )


def _mine(actor: Actor, approval_id: uuid.UUID) -> Approval:
    approval: Approval | None = Approval.objects.select_related("memory").filter(id=approval_id).first()
    if approval is None:
        raise NotFound("no such approval")
    check_writable(actor, approval.subject_id)
    return approval
