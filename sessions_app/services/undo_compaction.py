"""Takes a digest back."""

from __future__ import annotations

import uuid
from datetime import datetime

from accounts.actor import Actor



def undo_compaction(*, actor: Actor, digest_id: uuid.UUID, now: datetime | None = None) -> int:
    """Number of turns that came back."""
    raise NotImplementedError
