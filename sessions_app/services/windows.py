"""Rings for compaction when a session's window is over-full."""

from __future__ import annotations

from datetime import datetime

from memories.core.policy import Policy
from memories.services.jobs import enqueue
from sessions_app import store
from sessions_app.core import window
from sessions_app.models import ChatSession, Turn


def ring_when_full(session: ChatSession, policy: Policy, now: datetime) -> bool:
    """Within the open transaction, ask for a compaction if any turn may leave the window now."""
    turns = list(store.window(session))
    if not window.cut(turns, window.policy_for(session.preset, policy), settled=settled(turns)):
        return False
    enqueue(
        kind="compact_session",
        key=str(session.pk),
        payload={"session_id": str(session.pk)},
        subject_id=session.subject_id,
        run_after=now,
    )
    return True


def settled(turns: list[Turn]) -> int:
    """How many of the oldest turns will not change any more: those before the first answer still being written."""
    for index, turn in enumerate(turns):
        if turn.state == Turn.State.STREAMING:
            return index
    return len(turns)
