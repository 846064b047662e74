"""Ends a session, or all that fell silent; what was said in them is learnt."""

from __future__ import annotations

import uuid
from datetime import datetime, timedelta

from accounts.actor import Actor, system_actor
from memories.adapters.factory import get_clock
from memories.services.every_tenant import every_tenant
from memories.services.policies import policy_of
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import Invalid
from sessions_app import store
from sessions_app.models import ChatSession
from sessions_app.services.access import access_session
from sessions_app.services.openness import close, is_idle

REASONS = ("new_chat", "closed", "idle")
BATCH = 200


def end_session(
    *, actor: Actor, session_id: uuid.UUID, reason: str = "closed", now: datetime | None = None
) -> ChatSession:
    """The ended session; ending it twice changes nothing. `reason` is new_chat, closed or idle."""
    if reason not in REASONS:
        raise Invalid(
            f"there is no reason {reason!r}",
            hint=f"Use one of {', '.join(REASONS)}.",
            fields={"reason": "unknown"},
        )
    now = now or get_clock().now()
    with tenant_transaction(actor.tenant_id):
        session = access_session(actor, session_id, write=True, lock=True)
        if session.state == ChatSession.State.OPEN:
            close(session, actor=actor, reason=reason, now=now)
    return session


def end_idle_sessions(now: datetime) -> int:
    """End every open session that is silent for longer than its tenant's policy allows; the number ended."""
    return sum(every_tenant(lambda tenant_id: _end_idle(tenant_id, now)).values())


def _end_idle(tenant_id: uuid.UUID, now: datetime) -> int:
    """One transaction a session: a long list must not hold locks, and a broken one must not keep the rest open."""
    policy, _ = policy_of(tenant_id)
    before = now - timedelta(minutes=policy.integer("session.idle_minutes"))
    with tenant_transaction(tenant_id):
        ids = store.idle_sessions(before, BATCH)
    ended = 0
    for session_id in ids:
        with tenant_transaction(tenant_id):
            session = store.lock_session(session_id)
            # Somebody may have written between the list and the lock.
            if (
                session is None
                or session.state != ChatSession.State.OPEN
                or not is_idle(session, policy, now)
            ):
                continue
            close(session, actor=system_actor(tenant_id, name="beat"), reason="idle", now=now)
            ended += 1
    return ended
