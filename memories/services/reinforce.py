"""Reinforce: what happens to memories and episodes when they are used or judged (R22)."""

from __future__ import annotations

import uuid
from collections.abc import Collection
from datetime import datetime

from accounts.actor import Actor


def reinforce(
    *,
    actor: Actor,
    subject_id: uuid.UUID,
    ids: Collection[uuid.UUID],
    event: str,
    turn_id: uuid.UUID | None = None,
    now: datetime | None = None,
) -> int:
    """Number of items that changed."""
    raise NotImplementedError
