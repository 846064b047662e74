"""Compacts the old end of a session's window."""

from __future__ import annotations

import uuid
from datetime import datetime

from accounts.actor import Actor
from sessions_app.services.results import CompactionReport



def compact_session(*, actor: Actor, session_id: uuid.UUID, now: datetime | None = None) -> CompactionReport:
    """What was done."""
    raise NotImplementedError
