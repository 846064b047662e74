"""Opens a chat session of a subject."""

from __future__ import annotations

import uuid
from datetime import datetime

from accounts.actor import Actor
from sessions_app.models import ChatSession



def open_session(
    *,
    actor: Actor,
    subject_id: uuid.UUID,
    mode: str = "full",
    preset: str = "chat",
    title: str = "",
    agent_id: uuid.UUID | None = None,
    now: datetime | None = None,
) -> ChatSession:
    """An open session."""
    raise NotImplementedError
