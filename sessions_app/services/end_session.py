"""Ends a session, or all that fell silent."""

from __future__ import annotations

import uuid
from datetime import datetime

from accounts.actor import Actor
from sessions_app.models import ChatSession



def end_session(*, actor: Actor, session_id: uuid.UUID, reason: str = "closed", now: datetime | None = None) -> ChatSession:
    """The ended session."""
    raise NotImplementedError


def end_idle_sessions(now: datetime) -> int:
    """Number of sessions ended, over all tenants."""
    raise NotImplementedError
