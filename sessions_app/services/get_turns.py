"""Reads a session and its turns."""

from __future__ import annotations

import uuid

from django.db.models import QuerySet

from accounts.actor import Actor
from memories.core.forgetting.remains import nothing_left
from memories.services.forget_wide import unfinished
from memoryhub.common.db import tenant_transaction
from sessions_app.models import ChatSession, Turn
from sessions_app.services.access import access_session, access_turn, note_session_reading


def get_session(*, actor: Actor, session_id: uuid.UUID) -> ChatSession:
    """The session; SessionNotFound when it is not there or not the actor's to see. Someone else's is audited."""
    with tenant_transaction(actor.tenant_id):
        session = access_session(actor, session_id)
        note_session_reading(actor, session.subject_id, session.pk)
        return session


def visible_turns(*, actor: Actor, session_id: uuid.UUID) -> QuerySet[Turn]:
    """The session's turns for a caller that pages, in its open transaction: archived ones too, replaced and hidden ones not.

    Someone else's turns, where the actor may read them at all, are read with an audit entry.
    """
    session = access_session(actor, session_id)
    note_session_reading(actor, session.subject_id, session.pk)
    rows: QuerySet[Turn] = Turn.objects.filter(session=session).exclude(state=Turn.State.REPLACED)
    if unfinished(session.subject_id):
        forgotten = rows.filter(forgotten_at__isnull=False).only("content", "forgotten_at")
        rows = rows.exclude(pk__in=[turn.pk for turn in forgotten if is_hidden(turn)])
    return rows


def is_hidden(turn: Turn) -> bool:
    """Whether words of it are to be forgotten and a job has still to take them out: nobody is shown it until then."""
    return turn.forgotten_at is not None and not nothing_left(turn.content)


def get_turns(*, actor: Actor, session_id: uuid.UUID, after_seq: int = 0, limit: int = 200) -> list[Turn]:
    """The visible turns numbered above `after_seq`, in order, at most `limit` (1..1,000)."""
    with tenant_transaction(actor.tenant_id):
        rows = visible_turns(actor=actor, session_id=session_id).filter(seq__gt=after_seq)
        return list(rows.order_by("seq")[: max(1, min(limit, 1000))])


def get_turn(*, actor: Actor, turn_id: uuid.UUID) -> Turn:
    """One turn with its session; TurnNotFound when it is not there or not the actor's to see."""
    with tenant_transaction(actor.tenant_id):
        return access_turn(actor, turn_id)
