"""The async edge of an answer: streams the model, publishes frames, keeps what was said so far, and finishes or fails."""

from __future__ import annotations

import uuid
from collections.abc import Awaitable, Callable
from typing import Any

from accounts.actor import Actor
from sessions_app.services.results import PostedMessage

Publish = Callable[[dict[str, Any]], Awaitable[None]]


async def generate(posted: PostedMessage, *, actor: Actor, publish: Publish) -> None:
    """Stream the answer; frames: {"type": "delta", "turn_id", "offset", "text"}, {"type": "done", "turn": {...}},
    {"type": "error", "turn_id", "code", "message", "hint"} followed by a `done` with the turn as it stands.
    """
    raise NotImplementedError


def cancel(turn_id: uuid.UUID, *, state: str = "stopped", code: str = "") -> bool:
    """End a generation of this process: `stopped` (asked for) or `interrupted` (the reader left). False if unknown."""
    raise NotImplementedError
