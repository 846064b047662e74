"""Stops an answer on request: at once in the store; the generating process notices at its next flush, or is told."""

from __future__ import annotations

import uuid

from accounts.actor import Actor
from accounts.audit import record
from accounts.permissions import Capability
from memoryhub.common.db import tenant_transaction
from sessions_app.models import Turn
from sessions_app.services.access import access_turn


def stop_answer(*, actor: Actor, turn_id: uuid.UUID) -> Turn:
    """The turn, stopped with what was flushed; the process that writes it may still add the words of its last second.

    An answer that has ended already is returned as it is.
    """
    actor.require(Capability.CHAT)
    with tenant_transaction(actor.tenant_id):
        turn = access_turn(actor, turn_id, write=True, lock=True)
        if turn.state == Turn.State.STREAMING:
            turn.state = Turn.State.STOPPED
            turn.save(update_fields=["state"])
            record(
                actor,
                "answer.stop",
                target_kind="turn",
                target_id=turn.pk,
                subject_id=turn.session.subject_id,
            )
    return turn
