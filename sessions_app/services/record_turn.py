"""Stores one turn of a session: screened before the first write, numbered under the row's lock, no model call."""

from __future__ import annotations

import uuid
from datetime import datetime
from typing import Any

from accounts.actor import Actor
from accounts.audit import record
from accounts.permissions import Capability
from memories.adapters.factory import get_clock
from memories.core.pii.detection import Screened
from memories.services.jobs import enqueue
from memories.services.learn import block, blocked
from memories.services.policies import policy_for
from memories.services.screen import screen
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import Invalid
from sessions_app import store
from sessions_app.core.errors import MessageIdReused
from sessions_app.core.limits import MAX_TOOL_CHARS, checked_message
from sessions_app.core.toolsummary import summarise
from sessions_app.models import ChatSession, Turn
from sessions_app.services.access import access_session
from sessions_app.services.end_passing import end_passing
from sessions_app.services.openness import refusal
from sessions_app.services.results import RecordedTurn
from sessions_app.services.titles import title_of
from sessions_app.services.windows import ring_when_full

LEARNT = (Turn.Role.USER.value, Turn.Role.ASSISTANT.value)
"""Roles whose words are learnt from; a tool's are only made recallable."""


def record_turn(
    *,
    actor: Actor,
    session_id: uuid.UUID,
    role: str,
    content: str,
    speaker: str = "",
    at: datetime | None = None,
    client_msg_id: str | None = None,
    full_content: str = "",
    learns_now: bool = False,
) -> RecordedTurn:
    """Store what somebody said; learning from it and compaction are asked for as jobs.

    With `learns_now` the caller learns from it itself (`learn_now`), and no job does the same beside it; what a dying
    process leaves unlearnt, beat asks for.

    `role` is user, assistant, tool or system. `at` is when it was said (now, if left out); turns that come with their
    own time are not refused for silence. A tool's result enters as a summary, its full text stands beside it: given as
    `content`, or as `full_content` with a summary of the caller's. A `client_msg_id` seen before returns the first turn;
    with another text it is MessageIdReused. Raises SessionNotFound, SessionEnded, MessageEmpty, MessageTooLong, Invalid.
    """
    actor.require(Capability.CHAT)
    if role not in Turn.Role.values:
        raise Invalid(
            f"there is no role {role!r}",
            hint=f"Use one of {', '.join(Turn.Role.values)}.",
            fields={"role": "unknown"},
        )
    now = get_clock().now()
    said_at = _said_at(at, now)
    policy = policy_for(actor.tenant_id, session_id).policy
    tool = role == Turn.Role.TOOL
    text = checked_message(content, **({"limit": MAX_TOOL_CHARS} if tool else {}))
    full = checked_message(full_content, limit=MAX_TOOL_CHARS) if full_content.strip() else ""
    named = screen(speaker.replace("\x00", "").strip(), policy).text_masked[:200]
    found, said = screen(text, policy), text
    text, full = found.text_masked, screen(full, policy).text_masked if full else ""
    if tool:
        full = full or text
        text = summarise(text, policy.integer("tool.summary_tokens"))

    with tenant_transaction(actor.tenant_id):
        session = access_session(actor, session_id, write=True, lock=True)
        first = store.turn_of_client(session.pk, client_msg_id)
        if first is not None:
            return RecordedTurn(_same(first, role, text), created=False)
        refused = refusal(session, policy, None if at is not None else now, actor=actor)
        if refused is None:
            turn = store.add_turn(
                session,
                role=role,
                content=text,
                said_at=said_at,
                now=now,
                speaker=named,
                client_msg_id=client_msg_id,
                full_content=full if full != text else "",
                **beside(found, said if role in LEARNT else ""),
            )
            if found.blocked and role in LEARNT:
                block(actor, session.subject_id, found.types)
            name_after(session, turn)
            end_passing(session, now)
            if not learns_now:
                ask_to_learn(turn, session, min(said_at, now))
            ring_when_full(session, policy, min(said_at, now))
            record(
                actor,
                "turn.record",
                target_kind="turn",
                target_id=turn.pk,
                subject_id=session.subject_id,
                role=role,
            )
    if refused is not None:
        raise refused
    return RecordedTurn(turn, created=True)


def beside(found: Screened, said: str) -> dict[str, Any]:
    """What is stored beside the masked text until it is learnt from: the sealed original, where the policy keeps it
    encrypted or asks first; or that nothing of it may be learnt.
    """
    if found.blocked and said:
        return {"outcomes": [blocked(found.types).as_data()]}
    keeps = found.needs_encryption or found.needs_consent
    return {"sealed": said} if keeps and said else {}


def name_after(session: ChatSession, turn: Turn) -> None:
    """A session without a name takes it from its first user message (already screened)."""
    if not session.title and turn.role == Turn.Role.USER:
        session.title = title_of(turn.content)
        session.save(update_fields=["title"])


def ask_to_learn(turn: Turn, session: ChatSession, run_after: datetime) -> None:
    """Have a worker learn from the turn, in the open transaction; nothing to do for one without words."""
    if not turn.content:
        return
    enqueue(
        kind="learn_turn",
        key=str(turn.pk),
        payload={"turn_id": str(turn.pk)},
        subject_id=session.subject_id,
        run_after=run_after,
    )


def _said_at(at: datetime | None, now: datetime) -> datetime:
    if at is None:
        return now
    if at.tzinfo is None:
        raise Invalid(
            "the time has no zone", hint="Give an ISO time with an offset.", fields={"at": "no time zone"}
        )
    return at


def _same(first: Turn, role: str, text: str) -> Turn:
    if first.role != role or first.content != text:
        raise MessageIdReused(
            "this client_msg_id was used for another message",
            hint="Make a new id for each message; resend with the same id only to repeat one.",
            fields={"client_msg_id": "used before"},
        )
    return first
