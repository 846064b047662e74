"""Forget many memories in one transaction, each with an answer of its own."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass

from accounts.actor import Actor
from memories.services.forget import forget
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import DomainError, Invalid

MOST = 100


@dataclass(frozen=True, slots=True)
class Forgotten:
    """What became of one of them: `code` is forgotten, or that of the error, and then nothing of it was changed."""

    memory_id: uuid.UUID
    code: str
    tombstone_id: uuid.UUID | None = None


def forget_many(*, actor: Actor, memory_ids: Sequence[uuid.UUID], reason: str = "") -> list[Forgotten]:
    """One answer a memory, in the given order; what is not there, or not the actor's, is not_found and stops none of the others."""
    if not 1 <= len(memory_ids) <= MOST:
        raise Invalid("too many at once", fields={"memories": f"1 to {MOST} ids"})
    told: dict[uuid.UUID, Forgotten] = {}
    with tenant_transaction(actor.tenant_id):
        # In one order everywhere, so that two calls about the same memories do not wait for each other crosswise.
        for one in sorted(set(memory_ids)):
            try:
                stone = forget(actor=actor, memory_id=one, reason=reason, cause="user")
                told[one] = Forgotten(one, "forgotten", stone.pk)
            except DomainError as error:
                told[one] = Forgotten(one, error.code)
    return [told[one] for one in memory_ids]
