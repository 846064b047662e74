"""Join conversation: the open session that a program knows by a name of its own, made when there is none."""

from __future__ import annotations

import uuid
from datetime import datetime

from accounts.actor import Actor
from memories.store.locks import lock_subject
from memoryhub.common.db import tenant_transaction
from sessions_app.models import ChatSession
from sessions_app.services.find_conversation import conversation_print, find_conversation
from sessions_app.services.open_session import open_session


def join_conversation(*, actor: Actor, subject_id: uuid.UUID, name: str = "", now: datetime) -> ChatSession:
    """The session; without a name always a new one. Two callers at once with the same name get the same one.

    `name` is a session's id or the caller's literal name. What was silent for too long, or ended, is not found again: a new session takes its
    name. Raises NotFound for a subject that is gone or not the actor's, PermissionDenied.
    """
    actor.require_subject(subject_id, write=True)
    with tenant_transaction(actor.tenant_id):
        if name:
            lock_subject(subject_id)
            found = find_conversation(actor=actor, subject_id=subject_id, name=name, now=now)
            if found is not None:
                return found
        return open_session(
            actor=actor,
            subject_id=subject_id,
            conversation=conversation_print(actor.tenant_id, subject_id, name),
            now=now,
        )
