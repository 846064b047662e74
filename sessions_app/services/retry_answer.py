"""Generates an answer again: the old one is marked replaced, so that nothing is doubled."""

from __future__ import annotations

import uuid
from datetime import datetime

from accounts.actor import Actor
from accounts.audit import record
from accounts.permissions import Capability
from memories.adapters.factory import get_clock
from memories.core.budget import Spent
from memories.services.policies import policy_of
from memories.services.withdraw_episode import withdraw_episode
from memoryhub.common.db import tenant_transaction
from sessions_app.core.errors import NotRetryable
from sessions_app.models import Turn
from sessions_app.services.access import access_turn
from sessions_app.services.answer_cost import charge_answer, estimated
from sessions_app.services.openness import refusal
from sessions_app.services.post_message import open_answer, prepare
from sessions_app.services.results import PostedMessage


def retry_answer(*, actor: Actor, turn_id: uuid.UUID, now: datetime | None = None) -> PostedMessage:
    """A new answer to the same question, to be passed to `generation.generate`; `replaced_turn` is the old one.

    Only the session's newest answer can be made again, once it has ended (complete, stopped, failed or interrupted);
    NotRetryable says why otherwise. Asked twice, the second finds the first's answer in its place and is refused.
    """
    actor.require(Capability.CHAT)
    now = now or get_clock().now()
    policy, _ = policy_of(actor.tenant_id)
    with tenant_transaction(actor.tenant_id):
        old = access_turn(actor, turn_id, write=True, lock=True)
        session = old.session
        refused = refusal(session, policy, now, actor=actor)
        if refused is None:
            question = _question_of(old)
            # Stopped, but still held by the process that writes it: that one may not end it any more.
            spent = estimated(old) if old.lease_owner else Spent()
            old.state = Turn.State.REPLACED
            old.lease_owner, old.leased_until = "", None
            old.save(update_fields=["state", "lease_owner", "leased_until"])
            withdraw_episode(actor=actor, subject_id=session.subject_id, source_id=old.pk)
            answer = open_answer(session, question, now)
            record(
                actor,
                "answer.retry",
                target_kind="turn",
                target_id=old.pk,
                subject_id=session.subject_id,
                answer=str(answer.pk),
            )
            charge_answer(spent)
    if refused is not None:
        raise refused
    posted = prepare(actor, question, answer, [], now)
    return PostedMessage(
        user_turn=posted.user_turn,
        answer_turn=posted.answer_turn,
        context=posted.context,
        recall=posted.recall,
        outcomes=[],
        replaced_turn=old,
        renews=posted.renews,
    )


def _question_of(old: Turn) -> Turn:
    """The message that the old answer answers; NotRetryable when it may not be answered again."""
    question = old.reply_to
    if old.role != Turn.Role.ASSISTANT or question is None:
        raise NotRetryable("this turn is no answer", hint="Retry an answer of the assistant.")
    if old.state == Turn.State.STREAMING:
        raise NotRetryable("this answer is still being written", hint="Stop it first, or wait.")
    if old.state == Turn.State.REPLACED:
        raise NotRetryable("this answer was made again already", hint="Look at the newest answer.")
    later = Turn.objects.filter(session_id=old.session_id, seq__gt=old.seq, role=Turn.Role.USER)
    if later.exists() or old.archived_at is not None:
        raise NotRetryable("the conversation has moved on", hint="Ask again in a new message.")
    return question
