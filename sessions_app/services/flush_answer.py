"""Keeps what an answer has so far, and its lease."""

from __future__ import annotations

import uuid

from accounts.actor import Actor



def flush_answer(*, actor: Actor, turn_id: uuid.UUID, owner: str, text: str) -> bool:
    """False when the answer is not the caller's to write any more."""
    raise NotImplementedError
