"""Take a rule back: one's own, or as an operator one that holds for the whole tenant (R12)."""

from __future__ import annotations

import uuid
from collections.abc import Callable

from accounts import audit
from accounts.actor import Actor
from accounts.permissions import Capability
from memories.adapters.factory import get_clock
from memories.core.errors import MemoryNotFound
from memories.core.kinds import Kind
from memories.models import Memory, Status
from memories.services.forget_rules import bind_memories
from memories.services.get_memory import readable
from memories.services.policies import policy_of
from memories.services.removing import close_contradictions
from memories.services.tenant_subject import tenant_subject
from memories.services.tombstones import lay
from memories.services.versioning import Change, save_change
from memories.store.index import remove_from_index
from memories.store.locks import lock_subject
from memoryhub.common.db import tenant_transaction


def withdraw_constraint(
    *, actor: Actor, memory_id: uuid.UUID, reason: str = "", match: Callable[[int], None] | None = None
) -> None:
    """From now on it is no rule in any context; its history and what was said in the chat stay. Twice changes nothing.

    What was said so far does not lay it down again; said again, it does. To have the words gone, too, forget the memory.
    MemoryNotFound for what is no rule, or not the actor's to see; PermissionDenied for a tenant's rule without the
    capability to write constraints. `reason` must hold no content. `match` is given the version that is withdrawn, under the
    subject's lock, and may refuse it.
    """
    with tenant_transaction(actor.tenant_id):
        memory = Memory.objects.filter(id=memory_id, kind=Kind.CONSTRAINT.value).first()
        if memory is None:
            raise MemoryNotFound("no such rule")
        of_tenant = memory.subject_id == tenant_subject()
        if of_tenant:
            actor.require(Capability.CONSTRAINTS_WRITE)
        else:
            readable(actor, memory_id)
            actor.require_subject(memory.subject_id, write=True)
        own = actor.subject_id == memory.subject_id
        _withdraw(actor, memory, reason, cause="user" if own else "operator", bind=not of_tenant, match=match)


def _withdraw(
    actor: Actor,
    found: Memory,
    reason: str,
    *,
    cause: str,
    bind: bool,
    match: Callable[[int], None] | None,
) -> None:
    """Unlike what is forgotten, its words stay in the chat. `bind`: turns may have said it, and are not to teach it again."""
    policy, _ = policy_of(actor.tenant_id)
    now = get_clock().now()
    lock_subject(found.subject_id)
    memory = Memory.objects.select_for_update().get(pk=found.pk)
    if match is not None:
        match(memory.version)
    if memory.status != Status.CURRENT:
        return
    memory.status = Status.FORGOTTEN
    save_change(memory, actor, Change("withdrawn", "constraint.withdrawn", reason), now, ["status"])
    remove_from_index([memory.pk])
    lay(
        memory,
        actor=actor,
        previous=Status.CURRENT,
        cause=cause,
        rule="constraint.withdrawn",
        reason=reason,
        policy=policy,
        now=now,
    )
    close_contradictions([memory.pk], now)
    if bind:
        bind_memories([memory], now)
    audit.record(
        actor,
        "constraint.withdrawn",
        target_kind="memory",
        target_id=memory.pk,
        subject_id=memory.subject_id,
    )
