"""Stores a round that another program's model answered: the person's message and the answer to it, once."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from accounts.actor import Actor
from memories.core.forgetting.remains import nothing_left
from memories.core.text.signs import without_invisible
from memories.services.forgotten_since import Written, without_forgotten
from memories.services.policies import policy_for
from memories.services.screen import screen
from memories.services.withdraw_episode import withdraw_episode
from memories.store.locks import lock_subject
from memoryhub.common.db import tenant_transaction
from sessions_app import store
from sessions_app.core.limits import MAX_MESSAGE_CHARS
from sessions_app.models import ChatSession, Turn
from sessions_app.services.find_conversation import conversation_print, find_conversation
from sessions_app.services.finish_answer import mark_cited, strengthen_cited
from sessions_app.services.open_session import open_session
from sessions_app.services.record_turn import record_turn

CUT = "\n…\n"


@dataclass(frozen=True, slots=True)
class Round:
    """What was said: `answer` is "" where there was none in words (a call of tools, say).

    `mark` and `answer_mark` are ids that the same messages always have; `state` is how the answer ended. `used` and
    `trace_id` are the context's, `begun_at` is when it was assembled.
    """

    question: str
    mark: str
    said_at: datetime
    answer: str = ""
    answer_mark: str = ""
    answered_at: datetime | None = None
    begun_at: datetime | None = None
    state: str = "complete"
    model: str = ""
    usage: dict[str, Any] = field(default_factory=dict)
    used: list[dict[str, Any]] = field(default_factory=list)
    trace_id: uuid.UUID | None = None


@dataclass(frozen=True, slots=True)
class RecordedRound:
    """The session that it stands in, and its turns; `created` tells whether the message was new."""

    session_id: uuid.UUID
    question: Turn
    answer: Turn | None
    created: bool


def record_round(
    *,
    actor: Actor,
    subject_id: uuid.UUID,
    session_id: uuid.UUID,
    said: Round,
    name: str = "",
    marks: Sequence[str] = (),
) -> RecordedRound:
    """The round as it is stored, in one transaction; learning from it is asked for as jobs.

    `session_id` is an open session, or an id for one to be opened with this round: where the conversation (`name`, `marks`:
    see find_conversation) has got one meanwhile, or the given one has ended, that is heeded. A message that stands there already is not
    stored again; another answer to it takes the place of the first while nobody has gone on from that. Too long texts are
    stored without their middle. Raises NotFound for a subject that is gone, PermissionDenied, MessageEmpty.
    """
    actor.require_subject(subject_id, write=True)
    policy = policy_for(actor.tenant_id, session_id).policy
    with tenant_transaction(actor.tenant_id):
        lock_subject(subject_id)
        session = _session(actor, subject_id, session_id, said, name, marks)
        first = store.turn_of_client(session.pk, said.mark)
        question = first or _record(actor, session, Turn.Role.USER, said.question, said.mark, said.said_at)
        text = screen(said.answer.replace("\x00", ""), policy).text_masked
        written = Written(since=said.begun_at or said.said_at, said=question.content)
        text = without_forgotten(subject_id, text, written)
        answer: Turn | None = None
        if without_invisible(text).strip() and not nothing_left(text):
            answer = _answer(actor, session, question, said, _fitting(text))
    return RecordedRound(session.pk, question, answer, created=first is None)


def _session(
    actor: Actor, subject_id: uuid.UUID, session_id: uuid.UUID, said: Round, name: str, marks: Sequence[str]
) -> ChatSession:
    session = store.lock_session(session_id, subject_id)
    if session is not None and session.subject_id == subject_id and session.state == ChatSession.State.OPEN:
        return session
    known = find_conversation(
        actor=actor, subject_id=subject_id, name=name, marks=marks, now=said.answered_at or said.said_at
    )
    if known is None:
        known = open_session(
            actor=actor,
            subject_id=subject_id,
            session_id=None if session is not None else session_id,
            conversation=conversation_print(actor.tenant_id, subject_id, name),
            now=said.said_at,
        )
    locked = store.lock_session(known.pk, subject_id)
    assert locked is not None, "the subject's lock is held"
    return locked


def _answer(actor: Actor, session: ChatSession, question: Turn, said: Round, text: str) -> Turn:
    old = store.answer_to(question.pk)
    if old is not None:
        later = Turn.objects.filter(session=session, seq__gt=old.seq, role=Turn.Role.USER).exists()
        if old.content == text.strip() or later or old.archived_at is not None:
            return old
        old.state = Turn.State.REPLACED
        old.save(update_fields=["state"])
        withdraw_episode(actor=actor, subject_id=session.subject_id, source_id=old.pk)
    taken = store.turn_of_client(session.pk, said.answer_mark or None) is not None
    mark = None if taken or not said.answer_mark else said.answer_mark
    turn = _record(actor, session, Turn.Role.ASSISTANT, text, mark, said.answered_at or said.said_at)
    turn.reply_to = question
    turn.state = Turn.State(said.state)
    turn.model, turn.usage = said.model[:100], said.usage
    turn.used, turn.trace_id = said.used, said.trace_id
    cited = mark_cited(turn, numbered=False)
    turn.save(update_fields=["reply_to", "state", "model", "usage", "used", "trace_id"])
    strengthen_cited(actor, session, turn, cited)
    return turn


def _record(actor: Actor, session: ChatSession, role: str, text: str, mark: str | None, at: datetime) -> Turn:
    recorded = record_turn(
        actor=actor, session_id=session.pk, role=role, content=_fitting(text), client_msg_id=mark, at=at
    )
    return recorded.turn


def _fitting(text: str) -> str:
    """The text, or its beginning and its end: what is longer than a message may be is a document."""
    if len(text) <= MAX_MESSAGE_CHARS:
        return text
    half = (MAX_MESSAGE_CHARS - len(CUT)) // 2
    return text[:half] + CUT + text[-half:]
