"""Marks an answer as failed or interrupted and keeps its partial text."""

from __future__ import annotations

import uuid
from typing import Any

from accounts.actor import Actor
from accounts.audit import record
from memories.adapters.factory import get_clock
from memories.core.budget import Spent
from memories.services.policies import policy_for, policy_of
from memoryhub.common.db import tenant_transaction
from sessions_app.models import Turn
from sessions_app.services.answer_cost import charge_answer
from sessions_app.services.answers import owned, settle
from sessions_app.services.windows import ring_when_full


def fail_answer(
    *,
    actor: Actor,
    turn_id: uuid.UUID,
    owner: str,
    code: str,
    text: str | None = None,
    state: str = "failed",
    usage: dict[str, Any] | None = None,
    spent: Spent | None = None,
) -> Turn:
    """The turn as `failed` (or `interrupted`) with an error code; the text is what was flushed last, unless given. `spent` is
    what the calls for it cost.

    NotRunning when the caller does not hold the answer any more.
    """
    policy, _ = policy_of(actor.tenant_id)
    with tenant_transaction(actor.tenant_id):
        turn = owned(actor, turn_id, owner)
        settle(turn, turn.content if text is None else text, policy)
        if turn.state == Turn.State.STREAMING:
            turn.state = Turn.State(state)
            turn.error_code = code[:64]
        turn.usage = usage or {}
        turn.save()
        own = policy_for(actor.tenant_id, turn.session_id).policy
        ring_when_full(turn.session, own, min(turn.said_at, get_clock().now()))
        record(
            actor,
            "answer.fail",
            target_kind="turn",
            target_id=turn.pk,
            subject_id=turn.session.subject_id,
            code=code[:64],
            state=turn.state,
        )
        charge_answer(spent or Spent())
    return turn
