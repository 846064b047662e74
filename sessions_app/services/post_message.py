"""Takes a user's message and prepares its answer."""

from __future__ import annotations

import uuid
from datetime import datetime

from accounts.actor import Actor
from sessions_app.services.results import PostedMessage



def post_message(
    *,
    actor: Actor,
    session_id: uuid.UUID,
    content: str,
    client_msg_id: str | None = None,
    now: datetime | None = None,
) -> PostedMessage:
    """The message, stored, and its answer's turn."""
    raise NotImplementedError
