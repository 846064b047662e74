"""Reveal: an operator reads a masked or encrypted memory in clear, with a reason, on the record, for its subject to see (R28, R31)."""

from __future__ import annotations

import uuid
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from accounts import audit
from accounts.actor import Actor
from accounts.permissions import Capability
from memories.adapters.factory import get_clock
from memories.core.errors import MemoryGone
from memories.models import Evidence, Fact, Memory, MemoryVersion, Reveal, Status
from memories.services.get_memory import readable
from memories.services.limits import clean
from memories.services.policies import policy_of
from memories.services.screen import screen
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import Invalid

MAX_REASON = 200
MAX_VERSIONS = 50
MAX_PARTS = 50


@dataclass(frozen=True, slots=True)
class Revealed:
    """The memory with its words in clear: `text` is decrypted where it is kept encrypted; at most 50 of each part, newest first."""

    memory: Memory
    text: str
    versions: Sequence[tuple[MemoryVersion, str]]
    quotes: Sequence[Evidence]
    facts: Sequence[Fact]
    reveal: Reveal


def reveal(*, actor: Actor, memory_id: uuid.UUID, reason: str) -> Revealed:
    """What the memory says, once: each reading is a reveal of its own, since a screen that was left open is no reason.

    In one transaction the reading is noted where the subject sees it (who, when, why) and in the audit (ids only). The reason
    is required, at most 200 characters, and screened like anything that is written: what the policy masks is masked, what it
    refuses is Invalid. Needs the capability to reveal, which platform staff do not have. MemoryNotFound where there is no
    such memory; MemoryGone for one that was redacted.
    """
    actor.require(Capability.REVEAL)
    kept = _checked(actor, reason)
    with tenant_transaction(actor.tenant_id):
        memory = readable(actor, memory_id)
        if memory.status == Status.REDACTED:
            raise MemoryGone("the memory was redacted", hint="Nothing of it is left to reveal.")
        made = Reveal.objects.create(
            memory=memory,
            actor_kind=actor.kind,
            actor_id=actor.id[:64],
            reason=kept,
            at=get_clock().now(),
        )
        audit.record(
            actor,
            "memory.revealed",
            target_kind="memory",
            target_id=memory.id,
            subject_id=memory.subject_id,
            reveal_id=str(made.pk),
        )
        versions = MemoryVersion.objects.filter(memory_id=memory.id).order_by("-number")[:MAX_VERSIONS]
        return Revealed(
            memory,
            _clear(memory),
            [(one, _clear(one)) for one in versions],
            list(Evidence.objects.filter(memory_id=memory.id).order_by("-said_at", "-id")[:MAX_PARTS]),
            list(Fact.objects.filter(memory_id=memory.id).order_by("-id")[:MAX_PARTS]),
            made,
        )


def own_reveals(
    *, actor: Actor, memory_ids: Collection[uuid.UUID], most: int = 3
) -> dict[uuid.UUID, list[Reveal]]:
    """By memory of the actor's own, who of the operators read it in clear: the newest `most`, in one statement."""
    found: dict[uuid.UUID, list[Reveal]] = {}
    with tenant_transaction(actor.tenant_id):
        rows = Reveal.objects.filter(memory_id__in=list(memory_ids), memory__subject_id=actor.subject_id)
        for one in rows.order_by("-at", "-id")[:1_000]:
            mine = found.setdefault(one.memory_id, [])
            if len(mine) < most:
                mine.append(one)
    return found


def _clear(row: Memory | MemoryVersion) -> str:
    return str(row.content_encrypted) if row.content_encrypted is not None else row.content


def _checked(actor: Actor, reason: str) -> str:
    text = clean(reason)
    if not text or len(text) > MAX_REASON:
        raise Invalid("a reason is needed", fields={"reason": f"1 to {MAX_REASON} characters"})
    policy, _ = policy_of(actor.tenant_id)
    found = screen(text, policy)
    if found.blocked:
        raise Invalid(
            "the reason holds a secret", fields={"reason": "holds a secret or a password; write it without"}
        )
    return found.text_masked[:MAX_REASON]
