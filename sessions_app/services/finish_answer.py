"""Stores a finished answer."""

from __future__ import annotations

import uuid
from typing import Any

from accounts.actor import Actor
from sessions_app.models import Turn



def finish_answer(
    *,
    actor: Actor,
    turn_id: uuid.UUID,
    owner: str,
    text: str,
    state: str = "complete",
    error_code: str = "",
    model: str = "",
    usage: dict[str, Any] | None = None,
) -> Turn:
    """The finished turn."""
    raise NotImplementedError
