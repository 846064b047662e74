"""Who may sit at a chat socket, and how much they may send: asked afresh on every frame."""

from __future__ import annotations

import time
import uuid
from typing import Any

from accounts.actor import Actor
from accounts.members import actor_of_scope
from accounts.permissions import Capability
from memoryhub.common.errors import NotFound, RateLimited
from memoryhub.common.executor import run_in_services
from sessions_app import relay
from sessions_app.protocol import CloseCode
from sessions_app.services.get_turns import get_session, get_turn

FRAMES_PER_SECOND = 10
FRAMES_AT_ONCE = 40


class SignedOut(Exception):
    """The cookie no longer stands for a person; or, with 4403, for a member."""

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(reason)
        self.code, self.reason = code, reason


async def actor_of(scope: Any, session_id: uuid.UUID) -> Actor:
    """The person behind a socket, looked up afresh, whose session this is; SignedOut, NotFound or PermissionDenied."""
    actor = await run_in_services(actor_of_scope, scope)
    if actor is None:
        user, session = scope.get("user"), scope.get("session")
        known = user is not None and user.is_authenticated and session is not None
        if known and await run_in_services(session.exists, session.session_key):
            raise SignedOut(CloseCode.FORBIDDEN, "you are no longer a member here")
        raise SignedOut(CloseCode.SIGNED_OUT, "you are signed out")
    actor.require(Capability.CHAT)
    session = await run_in_services(get_session, actor=actor, session_id=session_id)
    if session.subject_id != actor.subject_id:
        # An operator may read it in the admin; the chat is one's own.
        raise NotFound("no such session")
    return actor


async def check_turn(actor: Actor, session_id: uuid.UUID, turn_id: uuid.UUID) -> None:
    """NotFound for a turn of another session."""
    turn = await run_in_services(get_turn, actor=actor, turn_id=turn_id)
    if turn.session_id != session_id:
        raise NotFound("no such answer in this session")


async def check_rate(actor: Actor) -> None:
    """RateLimited for a person who sent too many messages within this minute."""
    if not await relay.may_send(actor.id):
        raise RateLimited("too many messages", hint="Wait a minute, then send it again.")


class Bucket:
    """A bucket of tokens a socket: bursts of frames pass, a flood does not."""

    def __init__(self) -> None:
        self._tokens, self._counted_at = float(FRAMES_AT_ONCE), time.monotonic()

    def take(self) -> bool:
        """False when the bucket is empty."""
        now = time.monotonic()
        refilled = self._tokens + (now - self._counted_at) * FRAMES_PER_SECOND
        self._tokens, self._counted_at = min(float(FRAMES_AT_ONCE), refilled) - 1, now
        return self._tokens >= 0
