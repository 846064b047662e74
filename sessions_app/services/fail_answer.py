"""Marks an answer as failed and keeps its partial text."""

from __future__ import annotations

import uuid

from accounts.actor import Actor
from sessions_app.models import Turn



def fail_answer(*, actor: Actor, turn_id: uuid.UUID, owner: str, code: str, text: str | None = None, state: str = "failed") -> Turn:
    """The failed turn."""
    raise NotImplementedError
