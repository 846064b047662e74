"""Learns from one stored turn: makes it recallable, keeps what is worth keeping, and notes the slots (R11, R14)."""

from __future__ import annotations

import uuid
from datetime import datetime

from accounts.actor import Actor
from memories.adapters.factory import get_clock
from memories.models import Slot
from memories.services.index_episode import index_episode
from memories.services.learn import learn
from memories.services.outcome import Outcome, Reason
from memories.services.standing import without_standing
from memories.services.withdraw_episode import withdraw_episode
from memoryhub.common.db import tenant_transaction
from sessions_app.models import ChatSession, Turn
from sessions_app.services.access import access_again, access_turn
from sessions_app.services.end_passing import end_passing
from sessions_app.services.forget_in_chat import forget_in_chat, only_asks
from sessions_app.services.get_turns import is_hidden
from sessions_app.services.note_outcomes import by_model
from sessions_app.services.slots import note_slots

OFFLINE = "offline"
"""Answers of the offline responder quote memories; indexing them would only store the same words once more."""
NOTHING = "extract.nothing"
_NOT_SAID = frozenset({Turn.State.STREAMING, Turn.State.REPLACED})
"""Not said yet, or not any more: another answer stands in its place."""


def only_quotes(turn: Turn) -> bool:
    """Whether it is an answer of the offline responder, which says nothing that is not stored."""
    return turn.reply_to_id is not None and turn.model == OFFLINE


def learn_turn(
    *, actor: Actor, turn_id: uuid.UUID, now: datetime | None = None, text: str | None = None
) -> list[Outcome]:
    """What became of the turn's statements; empty when there was nothing to do (learnt before, a generated answer).

    A read-only session, a paused memory and a tool's result teach nothing, and an outcome says so; the latter is made
    recallable all the same.

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
    outcomes = forget_in_chat(
        actor=actor, turn=turn, text=text if text is not None else turn.content, now=now
    )
    request = bool(outcomes)
    if request:
        with tenant_transaction(actor.tenant_id):
            # The request's own words may be among those that went.
            turn = access_turn(actor, turn_id, write=True)
    keeps = session.mode == ChatSession.Mode.FULL and not subject.memory_paused
    if keeps and turn.content and turn.forgotten_at is None and not (request and only_asks(turn.content)):
        kept = _index(actor, session, turn)
        if turn.role in {Turn.Role.USER, Turn.Role.ASSISTANT} and turn.reply_to_id is None:
            learnt = _learn(actor, session, turn, text)
            outcomes += [one for one in learnt if not request or one.rule != NOTHING]
            note_slots(actor=actor, turn=turn, now=max(now, turn.said_at), text=kept)
    outcomes = outcomes or _quiet(session, turn)
    while (changed := _settle(actor, turn, outcomes, now)) is not None:
        # Words of it were taken out while it was learnt from: what was made of the old ones goes.
        turn = changed
        _index(actor, session, turn)
    return outcomes


def _settle(actor: Actor, turn: Turn, outcomes: list[Outcome], now: datetime) -> Turn | None:
    """Mark the turn as learnt from; the turn as it stands, and no mark, when its words are others by now."""
    with tenant_transaction(actor.tenant_id):
        subject_id = turn.session.subject_id
        current = access_again(actor, turn, write=True)
        if is_hidden(current):
            # A request concerns it that came meanwhile; it is learnt from when its job has taken the words out.
            withdraw_episode(actor=actor, subject_id=subject_id, source_id=turn.pk)
            Slot.objects.filter(subject_id=subject_id, turn_id=turn.pk).delete()
            return None
        if (current.content, current.full_content) != (turn.content, turn.full_content):
            withdraw_episode(actor=actor, subject_id=subject_id, source_id=turn.pk)
            Slot.objects.filter(subject_id=subject_id, turn_id=turn.pk).delete()
            return current
        # Rounds may have passed, or the session ended, since it was said.
        end_passing(current.session, now)
        if current.state == Turn.State.REPLACED:
            # A retry came between; it may not have seen the episode that was written just now.
            withdraw_episode(actor=actor, subject_id=subject_id, source_id=turn.pk)
        Turn.objects.filter(pk=turn.pk, learned_at__isnull=True).update(
            # What was kept sealed for this has served.
            learned_at=now,
            sealed=None,
            # The model may have been quicker.
            outcomes=[*(outcome.as_data() for outcome in outcomes), *by_model(current.outcomes)],
        )
    return None


def _quiet(session: ChatSession, turn: Turn) -> list[Outcome]:
    """Why nothing was looked for in what somebody sent; a generated answer was not sent, so nothing is said of it."""
    if turn.role not in {Turn.Role.USER, Turn.Role.ASSISTANT, Turn.Role.TOOL} or turn.reply_to_id is not None:
        return []
    if session.mode != ChatSession.Mode.FULL:
        rule, reason = "session.read_only", "this session keeps nothing"
    elif session.subject.memory_paused:
        rule, reason = "subject.paused", "memory is paused"
    elif turn.role == Turn.Role.TOOL:
        rule, reason = "turn.tool", "a tool's result is kept to be recalled, and teaches nothing by itself"
    else:
        rule, reason = "extract.nothing", "it states nothing to keep"
    return [Outcome(Reason.NOT_WORTH_KEEPING, rule=rule, reasons=(reason,))]


def _learn(actor: Actor, session: ChatSession, turn: Turn, text: str | None) -> list[Outcome]:
    """From the message as it was said: at hand, or sealed where the policy keeps it so, else from the stored form."""
    refused = [row for row in turn.outcomes if row.get("code") == Reason.BLOCKED_SENSITIVE.value]
    if text is None and refused:
        # It was refused when it came; what stands here is what the mask left of it.
        reasons = tuple(str(reason) for reason in refused[0].get("reasons", ()))
        return [Outcome(Reason.BLOCKED_SENSITIVE, rule=str(refused[0].get("rule", "")), reasons=reasons)]
    return learn(
        actor=actor,
        subject_id=session.subject_id,
        subject=session.subject,
        text=text or str(turn.sealed or turn.content),
        role=turn.role,
        speaker=turn.speaker,
        said_at=turn.said_at,
        turn_id=turn.pk,
        session_id=session.pk,
        agent_id=session.agent_id,
        source=turn.role,
        asked=_asked_before(actor, turn),
    )


def _asked_before(actor: Actor, turn: Turn) -> str:
    """What the other one said right before a person's turn; "" where the same one went on, or nobody has spoken."""
    if turn.role != Turn.Role.USER:
        return ""
    with tenant_transaction(actor.tenant_id):
        said = Turn.objects.filter(session_id=turn.session_id, seq__lt=turn.seq).exclude(state__in=_NOT_SAID)
        before = said.exclude(role__in=(Turn.Role.SYSTEM, Turn.Role.TOOL)).order_by("-seq").first()
    if before is None or (before.role, before.speaker) == (turn.role, turn.speaker):
        return ""
    return before.content if before.forgotten_at is None else ""


def _index(actor: Actor, session: ChatSession, turn: Turn) -> str | None:
    """What of the turn may be kept, once it can be recalled; None for one that is not indexed."""
    if turn.role == Turn.Role.SYSTEM or only_quotes(turn):
        return None
    said = turn.full_content or turn.content
    kept = without_standing(
        actor, session.subject_id, said, role=turn.role, speaker=turn.speaker, said_at=turn.said_at
    )
    index_episode(
        actor=actor,
        subject_id=session.subject_id,
        source_kind="tool" if turn.role == Turn.Role.TOOL else "turn",
        source_id=turn.pk,
        text=kept,
        role=turn.role,
        speaker=turn.speaker,
        said_at=turn.said_at,
        session_id=session.pk,
        seq=turn.seq,
        agent_id=session.agent_id,
        likely_new=turn.learned_at is None,
        unless=lambda: (
            not Turn.objects.filter(pk=turn.pk, content=turn.content, full_content=turn.full_content).exists()
        ),
    )
    return kept
