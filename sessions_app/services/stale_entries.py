"""Marks what a context shows of memories that matter and were not confirmed for long, and notes that it asked (R24)."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from accounts.actor import Actor
from memories.core.policy import Policy
from memories.services.recall_result import RecallItem
from memories.services.stale import mark_asked, stale_among
from sessions_app.core.pieces import Assembled, Parts


def mark_stale(
    actor: Actor,
    subject_id: uuid.UUID,
    parts: Parts,
    items: Sequence[RecallItem],
    policy: Policy,
    now: datetime,
) -> Parts:
    """The parts with their stale memories marked; at most the best of them is asked about, so that nobody is questioned.

    `items` are what was recalled.
    """
    shown = {entry.id for entry in parts.memories}
    items = [item for item in items if item.id in shown]
    stale = stale_among(actor=actor, subject_id=subject_id, items=items, policy=policy, now=now)
    if not stale.ids:
        return parts
    asked = next((entry.id for entry in parts.memories if entry.id in stale.to_ask), None)
    memories = [
        replace(entry, stale=True, ask=entry.id == asked) if entry.id in stale.ids else entry
        for entry in parts.memories
    ]
    return replace(parts, memories=memories)


def note_asked(actor: Actor, subject_id: uuid.UUID, assembled: Assembled, now: datetime) -> None:
    """Remember that the context asked, so that the next ones do not."""
    ids = [numbered.entry.id for numbered in assembled.numbered if numbered.entry.ask]
    mark_asked(actor=actor, subject_id=subject_id, ids=ids, now=now)
