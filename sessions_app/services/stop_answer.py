"""Stops an answer on request: at once in the store; the generating process notices at its next flush, or is told."""

from __future__ import annotations

import uuid

from accounts.actor import Actor
from accounts.audit import record
from accounts.permissions import Capability
from memories.adapters.factory import get_clock
from memories.core.budget import Spent
from memories.services.policies import policy_of
from memoryhub.common.db import tenant_transaction
from sessions_app.models import Turn
from sessions_app.services.access import access_turn
from sessions_app.services.answer_cost import charge_answer, estimated
from sessions_app.services.answers import settle
from sessions_app.services.record_turn import ask_to_learn


def stop_answer(*, actor: Actor, turn_id: uuid.UUID) -> Turn:
    """The turn, stopped with what was flushed; the process that writes it may still add the words of its last second.

    When that process is dead, by its lease, the answer ends here. One that has ended already is returned as it is.
    """
    actor.require(Capability.CHAT)
    policy, _ = policy_of(actor.tenant_id)
    now = get_clock().now()
    with tenant_transaction(actor.tenant_id):
        turn = access_turn(actor, turn_id, write=True, lock=True)
        if turn.state == Turn.State.STREAMING:
            turn.state = Turn.State.STOPPED
            spent = Spent()
            if turn.leased_until is None or turn.leased_until < now:
                settle(turn, turn.content, policy)
                spent = estimated(turn)
                ask_to_learn(turn, turn.session, min(turn.said_at, now))
            turn.save()
            record(
                actor,
                "answer.stop",
                target_kind="turn",
                target_id=turn.pk,
                subject_id=turn.session.subject_id,
            )
            charge_answer(spent)
    return turn
