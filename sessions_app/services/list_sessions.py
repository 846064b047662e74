"""Lists a subject's sessions, newest first."""

from __future__ import annotations

import uuid
from datetime import datetime

from django.db.models import Q, QuerySet

from accounts.actor import Actor
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import NotFound
from sessions_app.models import ChatSession
from sessions_app.services.access import note_session_reading


def sessions_of(*, actor: Actor, subject_id: uuid.UUID) -> QuerySet[ChatSession]:
    """The subject's sessions for a caller that pages, in its open transaction; another's are read with an audit entry."""
    if actor.door == "chat" and actor.subject_id != subject_id:
        raise NotFound("no such subject")
    actor.require_subject(subject_id, write=False)
    note_session_reading(actor, subject_id)
    rows: QuerySet[ChatSession] = ChatSession.objects.filter(subject_id=subject_id)
    return rows


def list_sessions(
    *,
    actor: Actor,
    subject_id: uuid.UUID,
    limit: int = 50,
    before: tuple[datetime, uuid.UUID] | None = None,
    title: str = "",
) -> list[ChatSession]:
    """At most `limit` (1..200) sessions; `before` is (last_activity_at, id) of the last one already shown.

    `title` keeps those whose title has this text, without regard to case.
    """
    with tenant_transaction(actor.tenant_id):
        rows = sessions_of(actor=actor, subject_id=subject_id)
        if title:
            rows = rows.filter(title__icontains=title.replace("\x00", ""))
        if before is not None:
            at, last_id = before
            rows = rows.filter(Q(last_activity_at__lt=at) | Q(last_activity_at=at, pk__lt=last_id))
        return list(rows.order_by("-last_activity_at", "-pk")[: max(1, min(limit, 200))])
