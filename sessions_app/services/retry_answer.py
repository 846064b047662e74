"""Generates a broken answer again, in its place."""

from __future__ import annotations

import uuid
from datetime import datetime

from accounts.actor import Actor
from sessions_app.services.results import PostedMessage



def retry_answer(*, actor: Actor, turn_id: uuid.UUID, now: datetime | None = None) -> PostedMessage:
    """A new answer turn."""
    raise NotImplementedError
