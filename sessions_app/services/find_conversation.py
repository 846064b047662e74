"""Finds the open session of a conversation that another program keeps: by its name, or by what was said in it before."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime

from django.db.models import QuerySet

from accounts.actor import Actor
from memories.core.policy import Policy
from memories.services.fingerprints import keyed
from memories.services.policies import policy_of
from memoryhub.common.db import tenant_transaction
from sessions_app.models import ChatSession, Turn
from sessions_app.services.openness import is_idle

LOOKED_AT = 200
"""Open sessions of a subject, the last active ones, among which a conversation is looked for."""


def conversation_print(tenant_id: uuid.UUID, subject_id: uuid.UUID, name: str) -> str:
    """What a session keeps of the name that a program gave the conversation; "" for no name."""
    return keyed("conversation", tenant_id, subject_id, name).hex() if name else ""


def find_conversation(
    *, actor: Actor, subject_id: uuid.UUID, name: str = "", marks: Sequence[str] = (), now: datetime
) -> ChatSession | None:
    """The subject's open session that a request belongs to, with its subject; None where a new one is to be made.

    `name` is a session's id, or the caller's own literal name. Without one, `marks` decide: ids under which the request's
    messages would have been stored (client_msg_id), newest first; the first is the new message's own, and found only where it
    is sent once more. A session that was silent for too long, or ended, is not found. NotFound for a subject that the actor
    may not read.
    """
    actor.require_subject(subject_id, write=False)
    policy, _ = policy_of(actor.tenant_id)
    with tenant_transaction(actor.tenant_id):
        found = _named(actor, subject_id, name) if name else _marked(subject_id, marks)
        return next((one for one in found if _goes_on(one, policy, now)), None)


def _goes_on(session: ChatSession, policy: Policy, now: datetime) -> bool:
    return session.subject.erased_at is None and not is_idle(session, policy, now)


def _named(actor: Actor, subject_id: uuid.UUID, name: str) -> list[ChatSession]:
    known_as = conversation_print(actor.tenant_id, subject_id, name)
    found = list(_open(subject_id).filter(conversation=known_as).order_by("-pk")[:1])
    with suppress(ValueError):  # Most names are no ids.
        found = [*_open(subject_id).filter(pk=uuid.UUID(name)), *found]
    return found


def _marked(subject_id: uuid.UUID, marks: Sequence[str]) -> list[ChatSession]:
    """The sessions that hold one of the marks: that of the newest message first, and of several the newest."""
    if not marks:
        return []
    place = {mark: number for number, mark in enumerate(marks)}
    newest = _open(subject_id).order_by("-last_activity_at", "-pk")[:LOOKED_AT]
    sessions = {one.pk: one for one in newest}
    rows = Turn.objects.filter(session_id__in=list(sessions), client_msg_id__in=list(place))
    found = sorted(
        rows.values_list("client_msg_id", "session_id", "seq"), key=lambda row: (place[row[0]], -row[1].int)
    )
    return [
        sessions[session_id]
        for mark, session_id, seq in found
        if place[mark] or not _said_later(session_id, seq)
    ]


def _said_later(session_id: uuid.UUID, seq: int) -> bool:
    """Then the same first words begin another conversation."""
    later = Turn.objects.filter(session_id=session_id, seq__gt=seq, role=Turn.Role.USER)
    return bool(later.exists())


def _open(subject_id: uuid.UUID) -> QuerySet[ChatSession]:
    rows: QuerySet[ChatSession] = ChatSession.objects.filter(
        subject_id=subject_id, state=ChatSession.State.OPEN
    )
    return rows.select_related("subject")
