"""Remember: keep what a caller hands over, as given or as the statements that are found in it."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from accounts.actor import Actor
from memories.services.outcome import Outcome


def remember(
    *,
    actor: Actor,
    subject_id: uuid.UUID,
    content: str,
    kind: str | None = None,
    source: str = "user",
    speaker: str = "",
    said_at: datetime | None = None,
    turn_id: uuid.UUID | None = None,
    session_id: uuid.UUID | None = None,
    scope: str = "user",
    agent_id: uuid.UUID | None = None,
    importance: float | None = None,
    importance_level: str = "",
    tags: Sequence[str] = (),
    metadata: Mapping[str, Any] | None = None,
    key: str = "",
    expires_at: datetime | None = None,
    pinned: bool = False,
    infer: bool = True,
) -> list[Outcome]:
    """One Outcome a statement, never none."""
    raise NotImplementedError
