"""The only way from a session's or turn's id in a request to the row: existence never leaks."""

from __future__ import annotations

import uuid

from accounts.actor import Actor
from accounts.reading import note_reading
from memoryhub.common.errors import NotFound
from sessions_app import store
from sessions_app.core.errors import SessionNotFound, TurnNotFound
from sessions_app.models import ChatSession, Turn


def access_session(
    actor: Actor, session_id: uuid.UUID, *, write: bool = False, lock: bool = False
) -> ChatSession:
    """The session, if the actor may read (or write) its subject's memory; SessionNotFound otherwise.

    Through the chat's door everybody reaches their own sessions only, whatever their role.
    """
    session = store.lock_session(session_id) if lock else store.find_session(session_id)
    return allowed(actor, session, write=write)


def allowed(actor: Actor, session: ChatSession | None, *, write: bool = False) -> ChatSession:
    """The session that was found, under the same rules."""
    if session is None:
        raise SessionNotFound("no such session")
    if actor.door == "chat" and actor.subject_id != session.subject_id:
        raise SessionNotFound("no such session")
    try:
        actor.require_subject(session.subject_id, write=write)
    except NotFound:
        raise SessionNotFound("no such session") from None
    if session.subject.erased_at is not None:
        raise SessionNotFound("no such session")
    return session


def note_session_reading(actor: Actor, subject_id: uuid.UUID, session_id: uuid.UUID | None = None) -> None:
    """Audit, in the open transaction, that somebody reads what another person said: one session, or the list of them."""
    note_reading(
        actor,
        subject_id,
        "session.read" if session_id else "sessions.list",
        target_kind="session" if session_id else "subject",
        target_id=session_id,
        programs=True,
    )


def access_turn(actor: Actor, turn_id: uuid.UUID, *, write: bool = False, lock: bool = False) -> Turn:
    """The turn with its session, under the same rules; the session is locked before the turn, always in this order."""
    found = store.find_turn(turn_id)
    if found is None:
        raise TurnNotFound("no such turn")
    return (
        access_again(actor, found, write=write) if lock else _with_session(actor, found, found.session, write)
    )


def access_again(actor: Actor, turn: Turn, *, write: bool) -> Turn:
    """The same turn as it stands by now, session and turn locked; for who has read it with its session before."""
    session = store.lock_session(turn.session_id, turn.session.subject_id)
    return _with_session(actor, store.lock_turn(turn.pk) if session is not None else None, session, write)


def _with_session(actor: Actor, turn: Turn | None, session: ChatSession | None, write: bool) -> Turn:
    try:
        session = allowed(actor, session, write=write)
    except SessionNotFound:
        raise TurnNotFound("no such turn") from None
    if turn is None:
        raise TurnNotFound("no such turn")
    turn.session = session
    return turn
