"""Learns from one stored turn."""

from __future__ import annotations

import uuid
from datetime import datetime

from accounts.actor import Actor
from memories.services.outcome import Outcome



def learn_turn(*, actor: Actor, turn_id: uuid.UUID, now: datetime | None = None) -> list[Outcome]:
    """What became of it."""
    raise NotImplementedError
