"""Reads a session and its turns."""

from __future__ import annotations

import uuid

from accounts.actor import Actor
from accounts.audit import record
from memoryhub.common.db import tenant_transaction
from sessions_app.models import ChatSession, Turn
from sessions_app.services.access import access_session, access_turn


def get_session(*, actor: Actor, session_id: uuid.UUID) -> ChatSession:
    """The session; SessionNotFound when it is not there or not the actor's to see."""
    with tenant_transaction(actor.tenant_id):
        return access_session(actor, session_id)


def get_turns(*, actor: Actor, session_id: uuid.UUID, after_seq: int = 0, limit: int = 200) -> list[Turn]:
    """The turns numbered above `after_seq`, in order, at most `limit` (1..1,000); archived ones too, replaced ones not.

    Someone else's turns, where the actor may read them at all, are read with an audit entry.
    """
    with tenant_transaction(actor.tenant_id):
        session = access_session(actor, session_id)
        rows = Turn.objects.filter(session=session, seq__gt=after_seq).exclude(state=Turn.State.REPLACED)
        turns = list(rows.order_by("seq")[: max(1, min(limit, 1000))])
        if turns and actor.kind != "system" and actor.subject_id != session.subject_id:
            record(
                actor,
                "session.read",
                target_kind="session",
                target_id=session.pk,
                subject_id=session.subject_id,
                turns=len(turns),
            )
        return turns


def get_turn(*, actor: Actor, turn_id: uuid.UUID) -> Turn:
    """One turn with its session; TurnNotFound when it is not there or not the actor's to see."""
    with tenant_transaction(actor.tenant_id):
        return access_turn(actor, turn_id)
