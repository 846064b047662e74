"""Reinforce: what happens to memories and episodes when they are used or judged (R22)."""

from __future__ import annotations

import uuid
from collections.abc import Collection
from datetime import datetime

from accounts.actor import Actor
from memories.adapters.factory import get_clock
from memories.core.decay import Hit
from memories.core.policy import Policy
from memories.services.policies import policy_for
from memories.store.strength import reinforce_rows
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import Invalid


def reinforce(
    *,
    actor: Actor,
    subject_id: uuid.UUID,
    ids: Collection[uuid.UUID],
    event: str,
    turn_id: uuid.UUID | None = None,
    session_id: uuid.UUID | None = None,
    now: datetime | None = None,
) -> int:
    """Number of items that it counted for: current memories and episodes of the subject among `ids`, others are passed over.

    `event` is retrieved, cited, confirmed, done, repeated or wrong; the same event counts once an item and turn. `session_id` is where it
    happened, whose policy says what it is worth (left out: the tenant's). It is a
    consequence of a read, so reading permission suffices, and it is not audited one by one.
    """
    actor.require_subject(subject_id, write=False)
    if event not in list(Hit):
        raise Invalid(
            f"there is no event {event!r}", hint=f"Use one of {', '.join(Hit)}.", fields={"event": "unknown"}
        )
    policy = policy_for(actor.tenant_id, session_id).policy
    now = now or get_clock().now()
    with tenant_transaction(actor.tenant_id):
        return reinforce_in(
            subject_id=subject_id, ids=ids, event=event, turn_id=turn_id, policy=policy, now=now
        )


def reinforce_in(
    *,
    subject_id: uuid.UUID,
    ids: Collection[uuid.UUID],
    event: str,
    turn_id: uuid.UUID | None,
    policy: Policy,
    now: datetime,
) -> int:
    """The same within the open tenant transaction, for a caller that has checked the actor; `event` is one of Hit."""
    return reinforce_rows(
        subject_id=subject_id, ids=ids, event=event, turn_id=turn_id, policy=policy, now=now
    )
