"""Feedback: a person's verdict on a memory or an answer, and what follows from it."""

from __future__ import annotations

import uuid

from accounts.actor import Actor
from memories.models import Feedback


def give_feedback(
    *,
    actor: Actor,
    subject_id: uuid.UUID,
    verdict: str,
    memory_id: uuid.UUID | None = None,
    turn_id: uuid.UUID | None = None,
) -> Feedback:
    """The stored verdict."""
    raise NotImplementedError
