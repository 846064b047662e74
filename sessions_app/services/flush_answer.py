"""Keeps what an answer has so far, and renews its lease; called about each second while it is generated."""

from __future__ import annotations

import uuid

from accounts.actor import Actor
from memories.adapters.factory import get_clock
from memories.core.text import tokens
from memories.services.policies import policy_of
from memoryhub.common.db import tenant_transaction
from sessions_app import store
from sessions_app.models import Turn
from sessions_app.services.answers import as_stored, unforgotten


def flush_answer(*, actor: Actor, turn_id: uuid.UUID, owner: str, text: str) -> bool:
    """False when the answer is not the caller's to write any more: stopped, taken for dead, or replaced.

    What is kept is screened and counted as at the end, and without what was forgotten meanwhile: nobody may come back to
    do it. One conditional UPDATE: it neither waits for nor takes the session's lock.
    """
    policy, _ = policy_of(actor.tenant_id)
    stored = as_stored(text, policy)
    with tenant_transaction(actor.tenant_id):
        while True:
            rows = Turn.objects.filter(pk=turn_id, lease_owner=owner, state=Turn.State.STREAMING)
            turn = rows.select_related("session", "reply_to").first()
            if turn is None:
                return False
            content = unforgotten(turn, stored)
            # Words that were taken out between the two statements are not put back: what was read must still stand.
            if rows.filter(content=turn.content).update(
                content=content, tokens=tokens.count(content), leased_until=store.lease(get_clock().now())
            ):
                return True
