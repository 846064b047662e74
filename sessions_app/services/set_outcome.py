"""Notes how a session went; "done" strengthens the memories that its answers rested on (R22, R33)."""

from __future__ import annotations

import uuid
from datetime import datetime

from accounts.actor import Actor
from accounts.audit import record
from memories.adapters.factory import get_clock
from memories.services.reinforce import reinforce
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import Invalid
from sessions_app.models import ChatSession, Turn
from sessions_app.services.access import access_session

OUTCOMES = ("done", "failed", "reworked")


def set_outcome(
    *, actor: Actor, session_id: uuid.UUID, outcome: str, now: datetime | None = None
) -> ChatSession:
    """The session with its outcome: done, failed or reworked. Setting "done" again does not strengthen twice."""
    if outcome not in OUTCOMES:
        raise Invalid(
            f"there is no outcome {outcome!r}",
            hint=f"Use one of {', '.join(OUTCOMES)}.",
            fields={"outcome": "unknown"},
        )
    now = now or get_clock().now()
    with tenant_transaction(actor.tenant_id):
        session = access_session(actor, session_id, write=True, lock=True)
        before, session.outcome = session.outcome, outcome
        session.save(update_fields=["outcome"])
        if outcome == "done" and before != "done" and session.mode == ChatSession.Mode.FULL:
            ids = _cited(session)
            if ids:
                reinforce(
                    actor=actor,
                    subject_id=session.subject_id,
                    ids=ids,
                    event="done",
                    session_id=session.pk,
                    now=now,
                )
        record(
            actor,
            "session.outcome",
            target_kind="session",
            target_id=session.pk,
            subject_id=session.subject_id,
            outcome=outcome,
        )
    return session


def _cited(session: ChatSession) -> list[uuid.UUID]:
    """The items that the session's answers cited, each once."""
    used = Turn.objects.filter(session=session, role=Turn.Role.ASSISTANT).values_list("used", flat=True)
    return list({uuid.UUID(item["id"]) for items in used for item in items if item.get("cited")})
