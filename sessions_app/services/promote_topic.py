"""Remembers for long that a person keeps coming back to a topic: what a slot that many sessions brought up becomes (R11)."""

from __future__ import annotations

import uuid

from accounts.actor import Actor
from memories.models import Memory, Slot
from memories.services.outcome import Outcome
from memories.services.policies import policy_of
from memories.services.remember import remember
from memoryhub.common.db import tenant_transaction
from sessions_app.models import ChatSession, Turn
from sessions_app.services.access import access_turn

PASSING = 0.1
"""Importance of a topic that keeps returning: it says what is talked about, and nothing about it."""
_PROMOTED = {"zh": "多次谈到:{topic}", "en": "Keeps coming back to: {topic}"}


def promote_topic(*, actor: Actor, slot_id: uuid.UUID, turn_id: uuid.UUID) -> list[Outcome]:
    """Remember the slot's topic; `turn_id` is the turn that brought it up often enough.

    Nothing when the slot is gone, when long-term memory speaks of the topic already, when the topic is who speaks in the
    person's sessions or the person did not bring it up as often (an assistant names it, too), or when the session keeps nothing.
    The statement is MemoryHub's own, so its source is the assistant: nobody said these words. Run again, it finds what it
    wrote. Embeds, so it must not be called inside a transaction.
    """
    policy, _ = policy_of(actor.tenant_id)
    with tenant_transaction(actor.tenant_id):
        turn = access_turn(actor, turn_id, write=True)
        session = turn.session
        slot = Slot.objects.filter(pk=slot_id, subject_id=session.subject_id).first()
        if slot is None or turn.forgotten_at is not None or session.subject.memory_paused:
            return []
        said = Turn.objects.filter(session__subject_id=session.subject_id)
        if said.filter(speaker__iexact=slot.value).exists():
            return []
        brought_up = said.filter(role=Turn.Role.USER, content__icontains=slot.value).values("session_id")
        if brought_up.distinct().count() < policy.integer("slots.promote_after"):
            return []
        known = Memory.objects.of(session.subject_id).current().exclude(kind="digest")
        if session.mode != ChatSession.Mode.FULL or known.filter(content__icontains=slot.value).exists():
            return []
    return remember(
        actor=actor,
        subject_id=session.subject_id,
        content=_PROMOTED["zh" if turn.language == "zh" else "en"].format(topic=slot.value),
        kind="fact",
        source="assistant",
        said_at=turn.said_at,
        turn_id=turn.pk,
        session_id=session.pk,
        agent_id=session.agent_id,
        importance=PASSING,
        infer=False,
    )
