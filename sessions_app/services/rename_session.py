"""Renames a session."""

from __future__ import annotations

import uuid

from accounts.actor import Actor
from sessions_app.models import ChatSession



def rename_session(*, actor: Actor, session_id: uuid.UUID, title: str) -> ChatSession:
    """The session."""
    raise NotImplementedError
