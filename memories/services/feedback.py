"""Feedback: a person's verdict on a memory or an answer, and what follows from it (R22, R32)."""

from __future__ import annotations

import uuid
from enum import StrEnum

from accounts import audit
from accounts.actor import Actor
from memories.adapters.factory import get_clock
from memories.core.decay import Hit
from memories.core.errors import MemoryNotFound
from memories.models import Feedback, Memory, RecallTrace
from memories.services.policies import policy_of
from memories.services.tenant_subject import check_rules_writable
from memories.store.strength import reinforce_rows
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import Invalid, NotFound


class Verdict(StrEnum):
    """`irrelevant`: true, but it should not have been recalled here; it counts as a false recall and changes no strength."""

    RIGHT = "right"
    WRONG = "wrong"
    IRRELEVANT = "irrelevant"


_EVENTS = {Verdict.RIGHT: Hit.CONFIRMED, Verdict.WRONG: Hit.WRONG}


def give_feedback(
    *,
    actor: Actor,
    subject_id: uuid.UUID,
    verdict: str,
    memory_id: uuid.UUID | None = None,
    turn_id: uuid.UUID | None = None,
    trace_id: uuid.UUID | None = None,
) -> Feedback:
    """The stored verdict on a memory, an answer, or a memory behind an answer (at least one of the two is named).

    `right` confirms the memory (+1.0), `wrong` halves its strength; saying the same twice about one turn counts once.
    """
    actor.require_subject(subject_id, write=True)
    if verdict not in list(Verdict):
        raise Invalid(
            f"there is no verdict {verdict!r}",
            hint=f"Use one of {', '.join(Verdict)}.",
            fields={"verdict": "unknown"},
        )
    if memory_id is None and turn_id is None:
        raise Invalid("name a memory or an answer", fields={"memory_id": "or turn_id is needed"})
    now = get_clock().now()
    policy, _ = policy_of(actor.tenant_id)
    with tenant_transaction(actor.tenant_id):
        check_rules_writable(actor, subject_id)
        if memory_id is not None and not Memory.objects.of(subject_id).filter(id=memory_id).exists():
            raise MemoryNotFound("no such memory")
        if (
            trace_id is not None
            and not RecallTrace.objects.filter(id=trace_id, subject_id=subject_id).exists()
        ):
            raise NotFound("no such trace")
        feedback: Feedback = Feedback.objects.create(
            subject_id=subject_id,
            memory_id=memory_id,
            turn_id=turn_id,
            trace_id=trace_id,
            verdict=verdict,
            at=now,
        )
        event = _EVENTS.get(Verdict(verdict))
        if memory_id is not None and event is not None:
            reinforce_rows(
                subject_id=subject_id, ids=[memory_id], event=event, turn_id=turn_id, policy=policy, now=now
            )
        audit.record(
            actor,
            "memory.feedback",
            target_kind="memory" if memory_id else "turn",
            target_id=memory_id or turn_id,
            subject_id=subject_id,
            verdict=verdict,
        )
    return feedback
