"""Lists a subject's sessions, newest first."""

from __future__ import annotations

import uuid
from datetime import datetime

from accounts.actor import Actor
from sessions_app.models import ChatSession



def list_sessions(
    *, actor: Actor, subject_id: uuid.UUID, limit: int = 50, before: tuple[datetime, uuid.UUID] | None = None
) -> list[ChatSession]:
    """Sessions."""
    raise NotImplementedError
