"""Marks answers whose process died: their lease lapsed while they were still streaming."""

from __future__ import annotations

import uuid
from datetime import datetime

from accounts.actor import system_actor
from accounts.audit import record
from memories.core.budget import Spent
from memories.services.every_tenant import every_tenant
from memories.services.policies import policy_of
from memoryhub.common.db import tenant_transaction
from sessions_app import store
from sessions_app.models import Turn
from sessions_app.services.answer_cost import charge_answer, estimated
from sessions_app.services.answers import settle

BATCH = 200
CODE = "process_lost"


def mark_interrupted(now: datetime) -> list[tuple[uuid.UUID, uuid.UUID, uuid.UUID]]:
    """(tenant, session, turn) of each answer marked: interrupted, with the text that was flushed last.

    Safe with several beats: a row that another one is marking is skipped.
    """
    marked = every_tenant(lambda tenant_id: mark_interrupted_in(tenant_id, now))
    return [(tenant_id, *ids) for tenant_id, rows in marked.items() for ids in rows]


def mark_interrupted_in(tenant_id: uuid.UUID, now: datetime) -> list[tuple[uuid.UUID, uuid.UUID]]:
    """(session, turn) of each answer marked in one tenant: what beat does, and a reader who comes back before beat."""
    policy, _ = policy_of(tenant_id)
    with tenant_transaction(tenant_id):
        turns = store.lapsed_answers(now, BATCH)
        for turn in turns:
            settle(turn, turn.content, policy)
            turn.state = Turn.State.INTERRUPTED
            turn.error_code = CODE
            turn.save()
            record(
                system_actor(tenant_id, name="beat"),
                "answer.interrupted",
                target_kind="turn",
                target_id=turn.pk,
            )
        charge_answer(sum((estimated(turn) for turn in turns), Spent()))
    return [(turn.session_id, turn.pk) for turn in turns]
