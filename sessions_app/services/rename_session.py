"""Renames a session."""

from __future__ import annotations

import uuid

from accounts.actor import Actor
from accounts.audit import record
from memories.services.policies import policy_of
from memories.services.screen import screen
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import Invalid
from sessions_app.core.limits import MAX_TITLE_CHARS
from sessions_app.models import ChatSession
from sessions_app.services.access import access_session


def rename_session(*, actor: Actor, session_id: uuid.UUID, title: str) -> ChatSession:
    """The session with its new title, screened like a message; an empty title takes the name away."""
    plain = title.replace("\x00", "").strip()
    if len(plain) > MAX_TITLE_CHARS:
        raise Invalid(
            "the title is too long",
            hint=f"Use at most {MAX_TITLE_CHARS} characters.",
            fields={"title": "too long"},
        )
    policy, _ = policy_of(actor.tenant_id)
    with tenant_transaction(actor.tenant_id):
        session = access_session(actor, session_id, write=True, lock=True)
        session.title = screen(plain, policy).text_masked[:MAX_TITLE_CHARS]
        session.save(update_fields=["title"])
        record(
            actor,
            "session.rename",
            target_kind="session",
            target_id=session.pk,
            subject_id=session.subject_id,
        )
    return session
