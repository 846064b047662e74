"""Stores one turn of a session."""

from __future__ import annotations

import uuid
from datetime import datetime

from accounts.actor import Actor
from sessions_app.services.results import RecordedTurn



def record_turn(
    *,
    actor: Actor,
    session_id: uuid.UUID,
    role: str,
    content: str,
    speaker: str = "",
    at: datetime | None = None,
    client_msg_id: str | None = None,
    full_content: str = "",
) -> RecordedTurn:
    """The stored turn."""
    raise NotImplementedError
