"""Opens a chat session of a subject."""

from __future__ import annotations

import uuid
from datetime import datetime

from accounts.actor import Actor
from accounts.audit import record
from accounts.models import Subject
from accounts.permissions import Capability
from memories.adapters.factory import get_clock
from memories.services.policies import policy_for, policy_of
from memories.services.screen import screen
from memories.services.tenant_subject import check_writable
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import Invalid, NotFound
from sessions_app.core.limits import MAX_TITLE_CHARS
from sessions_app.models import ChatSession

PRESETS = ("chat", "task")
MODES = (ChatSession.Mode.FULL, ChatSession.Mode.READ_ONLY)


def open_session(
    *,
    actor: Actor,
    subject_id: uuid.UUID,
    mode: str = "full",
    preset: str = "chat",
    title: str = "",
    agent_id: uuid.UUID | None = None,
    session_id: uuid.UUID | None = None,
    conversation: str = "",
    now: datetime | None = None,
) -> ChatSession:
    """An open session. `mode` is full or read_only (recalls, keeps nothing long-term); `preset` sets the window's size.
    While an experiment runs it belongs to one of its arms.
    The title is screened like a message. `session_id` is an id that was made for it before; `conversation` the keyed print of the
    caller's own name for it, by which find_conversation knows it again.

    Invalid for another mode or preset, NotFound for a subject or agent that the actor does not reach.
    """
    actor.require(Capability.CHAT)
    if mode not in MODES:
        raise Invalid(
            f"there is no mode {mode!r}" if mode != "private" else "private chats are not offered yet",
            hint="Use full or read_only.",
            fields={"mode": "unknown"},
        )
    if preset not in PRESETS:
        raise Invalid(
            f"there is no preset {preset!r}", hint="Use chat or task.", fields={"preset": "unknown"}
        )
    title = title.replace("\x00", "").strip()
    if len(title) > MAX_TITLE_CHARS:
        raise Invalid(
            "the title is too long",
            hint=f"Use at most {MAX_TITLE_CHARS} characters.",
            fields={"title": "too long"},
        )
    now = now or get_clock().now()
    policy, _ = policy_of(actor.tenant_id)
    title = screen(title, policy).text_masked[:MAX_TITLE_CHARS]
    with tenant_transaction(actor.tenant_id):
        check_writable(actor, subject_id)
        for wanted in filter(None, (subject_id, agent_id)):
            if not Subject.objects.filter(pk=wanted, erased_at__isnull=True).exists():
                raise NotFound("no such subject")
        session = ChatSession(
            **({"id": session_id} if session_id else {}),
            conversation=conversation,
            subject_id=subject_id,
            agent_id=agent_id,
            title=title,
            mode=mode,
            preset=preset,
            started_at=now,
            last_activity_at=now,
        )
        in_force = policy_for(actor.tenant_id, session.pk)
        session.experiment_id, session.policy_variant = in_force.experiment_id, in_force.arm or ""
        session.save(force_insert=True)
        record(
            actor,
            "session.open",
            target_kind="session",
            target_id=session.pk,
            subject_id=subject_id,
            mode=mode,
        )
    return session
