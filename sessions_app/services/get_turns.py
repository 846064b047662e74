"""Reads a session and its turns."""

from __future__ import annotations

import uuid
from typing import Any

from accounts.actor import Actor
from sessions_app.models import ChatSession
from sessions_app.models import Turn



def get_session(*, actor: Actor, session_id: uuid.UUID) -> ChatSession:
    """The session."""
    raise NotImplementedError


def get_turns(*, actor: Actor, session_id: uuid.UUID, after_seq: int = 0, limit: int = 200) -> list[Turn]:
    """Turns by seq."""
    raise NotImplementedError


def get_turn(*, actor: Actor, turn_id: uuid.UUID) -> Turn:
    """One turn."""
    raise NotImplementedError
