"""Whether a session still takes messages: it ends by "new chat", by closing it, or after 30 idle minutes (R1)."""

from __future__ import annotations

from datetime import datetime, timedelta

from accounts.actor import Actor
from accounts.audit import record
from memories.core.policy import Policy
from memories.services.jobs import enqueue
from sessions_app.core.errors import SessionEnded
from sessions_app.models import ChatSession
from sessions_app.services.end_passing import end_passing


def close(session: ChatSession, *, actor: Actor, reason: str, now: datetime) -> None:
    """End a locked, open session within the open transaction, and ask for what it still has to teach."""
    session.state = ChatSession.State.ENDED
    session.ended_reason = reason
    session.ended_at = now
    session.save(update_fields=["state", "ended_reason", "ended_at"])
    end_passing(session, now)
    enqueue(
        kind="close_session",
        key=str(session.pk),
        payload={"session_id": str(session.pk)},
        subject_id=session.subject_id,
        run_after=now,
    )
    record(
        actor,
        "session.end",
        target_kind="session",
        target_id=session.pk,
        subject_id=session.subject_id,
        reason=reason,
    )


def is_idle(session: ChatSession, policy: Policy, now: datetime) -> bool:
    """True when the last activity lies more than `session.idle_minutes` before `now`."""
    return now - session.last_activity_at > timedelta(minutes=policy.integer("session.idle_minutes"))


def refusal(
    session: ChatSession, policy: Policy, now: datetime | None, *, actor: Actor
) -> SessionEnded | None:
    """Why the locked session takes no message at `now`, or None. An idle one that beat has not ended yet ends here.

    The error is returned, not raised, so that the caller's transaction keeps the ending; raise it after the commit.
    Without `now` (turns handed in with their own time, as imports are) silence ends nothing.
    """
    if session.state == ChatSession.State.ENDED:
        return SessionEnded(session.ended_reason)
    if now is not None and is_idle(session, policy, now):
        close(session, actor=actor, reason="idle", now=now)
        return SessionEnded("idle")
    return None
