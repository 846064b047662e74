"""Learns from one stored turn: makes it recallable, keeps what is worth keeping, and notes the slots (R11, R14)."""

from __future__ import annotations

import uuid
from datetime import datetime

from accounts.actor import Actor
from memories.adapters.factory import get_clock
from memories.services.index_episode import index_episode
from memories.services.learn import learn
from memories.services.outcome import Outcome
from memories.services.withdraw_episode import withdraw_episode
from memoryhub.common.db import tenant_transaction
from sessions_app.models import ChatSession, Turn
from sessions_app.services.access import access_turn
from sessions_app.services.end_passing import end_passing
from sessions_app.services.slots import note_slots

OFFLINE = "offline"
"""Answers of the offline responder quote memories; indexing them would only store the same words once more."""
_NOT_SAID = frozenset({Turn.State.STREAMING, Turn.State.REPLACED})
"""Not said yet, or not any more: another answer stands in its place."""


def learn_turn(
    *, actor: Actor, turn_id: uuid.UUID, now: datetime | None = None, text: str | None = None
) -> list[Outcome]:
    """What became of the turn's statements; empty when there was nothing to do (learnt before, a read-only session,
    memory paused, a generated answer, a tool's result: those are made recallable, but teach nothing by themselves).

    `text` is the message as it was sent, where it is still at hand: the write path screens it itself and can say
    "blocked" where the stored form shows a mask only. Embeds, so it must not be called inside a transaction.
    """
    now = now or get_clock().now()
    with tenant_transaction(actor.tenant_id):
        turn = access_turn(actor, turn_id, write=True)
        session = turn.session
        subject = session.subject
        if turn.learned_at is not None or turn.forgotten_at is not None or turn.state in _NOT_SAID:
            return []
    outcomes: list[Outcome] = []
    if session.mode == ChatSession.Mode.FULL and not subject.memory_paused and turn.content:
        _index(actor, session, turn)
        if turn.role in {Turn.Role.USER, Turn.Role.ASSISTANT} and turn.reply_to_id is None:
            outcomes = learn(
                actor=actor,
                subject_id=session.subject_id,
                text=text if text is not None else turn.content,
                role=turn.role,
                speaker=turn.speaker,
                said_at=turn.said_at,
                turn_id=turn.pk,
                session_id=session.pk,
                agent_id=session.agent_id,
                source=turn.role,
            )
            note_slots(actor=actor, turn=turn, now=max(now, turn.said_at))
    with tenant_transaction(actor.tenant_id):
        current = access_turn(actor, turn_id, write=True, lock=True)
        # Rounds may have passed, or the session ended, since it was said.
        end_passing(current.session, now)
        if current.state == Turn.State.REPLACED:
            # A retry came between; it may not have seen the episode that was written just now.
            withdraw_episode(actor=actor, subject_id=session.subject_id, source_id=turn.pk)
        Turn.objects.filter(pk=turn.pk, learned_at__isnull=True).update(
            learned_at=now, outcomes=[outcome.as_data() for outcome in outcomes]
        )
    return outcomes


def _index(actor: Actor, session: ChatSession, turn: Turn) -> None:
    if turn.role == Turn.Role.SYSTEM or (turn.reply_to_id is not None and turn.model == OFFLINE):
        return
    index_episode(
        actor=actor,
        subject_id=session.subject_id,
        source_kind="tool" if turn.role == Turn.Role.TOOL else "turn",
        source_id=turn.pk,
        text=turn.full_content or turn.content,
        role=turn.role,
        speaker=turn.speaker,
        said_at=turn.said_at,
        session_id=session.pk,
        seq=turn.seq,
        agent_id=session.agent_id,
    )
