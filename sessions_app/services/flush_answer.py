"""Keeps what an answer has so far, and renews its lease; called about each second while it is generated."""

from __future__ import annotations

import uuid

from accounts.actor import Actor
from memories.adapters.factory import get_clock
from memoryhub.common.db import tenant_transaction
from sessions_app import store
from sessions_app.models import Turn


def flush_answer(*, actor: Actor, turn_id: uuid.UUID, owner: str, text: str) -> bool:
    """False when the answer is not the caller's to write any more: stopped, taken for dead, or replaced.

    One conditional UPDATE: it neither waits for nor takes the session's lock.
    """
    with tenant_transaction(actor.tenant_id):
        changed = Turn.objects.filter(pk=turn_id, lease_owner=owner, state=Turn.State.STREAMING).update(
            content=text.replace("\x00", ""), leased_until=store.lease(get_clock().now())
        )
    return bool(changed)
