"""Stops an answer on request."""

from __future__ import annotations

import uuid

from accounts.actor import Actor
from sessions_app.models import Turn



def stop_answer(*, actor: Actor, turn_id: uuid.UUID) -> Turn:
    """The stopped turn."""
    raise NotImplementedError
