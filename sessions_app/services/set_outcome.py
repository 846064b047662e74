"""Notes how a session went."""

from __future__ import annotations

import uuid
from datetime import datetime

from accounts.actor import Actor
from sessions_app.models import ChatSession



def set_outcome(*, actor: Actor, session_id: uuid.UUID, outcome: str, now: datetime | None = None) -> ChatSession:
    """The session."""
    raise NotImplementedError
