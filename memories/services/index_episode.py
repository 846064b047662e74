"""Makes what was said recallable: chunks, vectors and postings of turns and documents (R16)."""

from __future__ import annotations

import uuid
from datetime import datetime

from accounts.actor import Actor


def index_episode(
    *,
    actor: Actor,
    subject_id: uuid.UUID,
    source_kind: str,
    source_id: uuid.UUID,
    text: str,
    role: str,
    speaker: str,
    said_at: datetime,
    session_id: uuid.UUID | None,
    seq: int,
    agent_id: uuid.UUID | None = None,
) -> int:
    """Number of parts that stand in the index now."""
    raise NotImplementedError
