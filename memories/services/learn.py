"""Learn: what a turn says that is worth keeping, found, gated and written (R13, R14)."""

from __future__ import annotations

import uuid
from datetime import datetime

from accounts.actor import Actor
from memories.services.outcome import Outcome


def learn(
    *,
    actor: Actor,
    subject_id: uuid.UUID,
    text: str,
    role: str,
    speaker: str,
    said_at: datetime,
    turn_id: uuid.UUID | None,
    session_id: uuid.UUID | None,
    agent_id: uuid.UUID | None = None,
    source: str = "user",
) -> list[Outcome]:
    """One Outcome a statement found, and at least one in all."""
    raise NotImplementedError
