"""Recall: what is known about a subject that fits a question, ranked, explained and traced (R21, R22, R23)."""

from __future__ import annotations

import uuid
from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Any

from accounts.actor import Actor
from memories.services.recall_result import RecallItem, RecallResult

__all__ = ["RecallItem", "RecallResult", "recall"]


def recall(
    *,
    actor: Actor,
    subject_id: uuid.UUID,
    query: str,
    k: int | None = None,
    session_id: uuid.UUID | None = None,
    agent_id: uuid.UUID | None = None,
    kinds: Collection[str] | None = None,
    tags: Collection[str] | None = None,
    metadata: Mapping[str, Any] | None = None,
    since: datetime | None = None,
    until: datetime | None = None,
    as_of: datetime | None = None,
    standalone_query: str | None = None,
    turn_id: uuid.UUID | None = None,
    reinforce: bool = True,
    episodes: bool = True,
    exclude_turn_ids: Collection[uuid.UUID] = (),
    trace: bool = True,
    now: datetime | None = None,
) -> RecallResult:
    """Search one subject's memories and episodes."""
    raise NotImplementedError
