"""Assembles the context of a question."""

from __future__ import annotations

import uuid
from datetime import datetime

from accounts.actor import Actor
from sessions_app.services.results import AssembledContext



def assemble_context(
    *,
    actor: Actor,
    session_id: uuid.UUID,
    question: str,
    question_turn_id: uuid.UUID | None = None,
    budget: int | None = None,
    now: datetime | None = None,
    reinforce: bool = True,
) -> AssembledContext:
    """The context."""
    raise NotImplementedError
