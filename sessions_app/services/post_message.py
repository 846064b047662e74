"""Takes a user's message: stores it, learns from it, recalls, assembles the context, and opens the answer's turn."""

from __future__ import annotations

import uuid
from dataclasses import replace
from datetime import datetime

import structlog

from accounts.actor import Actor
from accounts.audit import record
from accounts.permissions import Capability
from memories.adapters.factory import get_chat_model, get_clock
from memories.core.budget import Use
from memories.core.text.language import detect
from memories.models import Memory
from memories.ports import NotedOutcome
from memories.services.model_usage import spent_until
from memories.services.outcome import Outcome, Reason
from memories.services.policies import policy_of
from memories.services.screen import screen
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import DomainError
from sessions_app import store
from sessions_app.core.errors import MessageIdReused, NotRunning
from sessions_app.core.limits import checked_message
from sessions_app.models import ChatSession, Turn
from sessions_app.services.access import access_session
from sessions_app.services.assemble_context import assemble_context
from sessions_app.services.end_passing import end_passing
from sessions_app.services.fail_answer import fail_answer
from sessions_app.services.forget_in_chat import noted, with_note
from sessions_app.services.get_turns import get_turn
from sessions_app.services.learn_now import learn_now
from sessions_app.services.learn_turn import OFFLINE
from sessions_app.services.openness import refusal
from sessions_app.services.record_turn import beside, name_after
from sessions_app.services.results import AssembledContext, PostedMessage

log = structlog.get_logger(__name__)


def post_message(
    *,
    actor: Actor,
    session_id: uuid.UUID,
    content: str,
    client_msg_id: str | None = None,
    now: datetime | None = None,
) -> PostedMessage:
    """Store the message and prepare its answer; pass the result to `generation.generate` when it is `to_generate`.

    The message and the answer's turn (streaming, leased to this call) are stored in one transaction; learning, recall
    and assembly follow outside of it. When they fail the message stays and the answer is marked failed with a code.
    A `client_msg_id` seen before returns what became of it; with another text it is MessageIdReused. `now` is when it was
    said. Raises SessionNotFound, SessionEnded (idle ones too), MessageEmpty, MessageTooLong. Not to be called inside a
    transaction: it embeds.
    """
    actor.require(Capability.CHAT)
    text = checked_message(content)
    now = now or get_clock().now()
    policy, _ = policy_of(actor.tenant_id)
    found = screen(text, policy)
    masked = found.text_masked
    with tenant_transaction(actor.tenant_id):
        session = access_session(actor, session_id, write=True, lock=True)
        first = store.turn_of_client(session.pk, client_msg_id)
        if first is not None:
            return _known(first, masked)
        refused = refusal(session, policy, now, actor=actor)
        if refused is None:
            user_turn = store.add_turn(
                session,
                role=Turn.Role.USER,
                content=masked,
                said_at=now,
                now=now,
                client_msg_id=client_msg_id,
                **beside(found, text),
            )
            name_after(session, user_turn)
            end_passing(session, now)
            answer_turn = open_answer(session, user_turn, now)
            record(
                actor,
                "message.post",
                target_kind="turn",
                target_id=user_turn.pk,
                subject_id=session.subject_id,
                answer=str(answer_turn.pk),
            )
    if refused is not None:
        raise refused
    outcomes = learn_now(actor=actor, turn=user_turn, text=text, now=now)
    return prepare(actor, user_turn, answer_turn, outcomes, now)


def open_answer(session: ChatSession, question: Turn, now: datetime) -> Turn:
    """The answer's turn in a locked session: streaming, under a lease of its own that the generation renews."""
    return store.add_turn(
        session,
        role=Turn.Role.ASSISTANT,
        content="",
        said_at=now,
        now=now,
        reply_to=question,
        state=Turn.State.STREAMING,
        lease_owner=uuid.uuid4().hex,
        leased_until=store.lease(get_clock().now()),
    )


def prepare(
    actor: Actor, user_turn: Turn, answer_turn: Turn, outcomes: list[Outcome], now: datetime
) -> PostedMessage:
    """Recall and assemble for a stored question; a failure here fails the answer, never the message."""
    context: AssembledContext | None = None
    renews: datetime | None = None
    try:
        if get_chat_model().is_model:
            renews = spent_until(actor.tenant_id, Use.ANSWER)
        context = assemble_context(
            actor=actor,
            session_id=user_turn.session_id,
            question=user_turn.content,
            question_turn_id=user_turn.pk,
            now=now,
        )
        told = noted(actor, outcomes, detect(user_turn.content))
        context = with_note(actor, context, told, user_turn.content)
        others = [
            one for one in outcomes if one.code != Reason.FORGOTTEN and not one.rule.startswith("forget.")
        ]
        context = replace(context, request=replace(context.request, outcomes=(*told, *_noted(actor, others))))
        _keep_sources(actor, answer_turn, context, OFFLINE if renews else get_chat_model().name)
    except Exception as error:  # Whatever it was, the page must be told and the message must stay.
        code = error.code if isinstance(error, DomainError) else "assembly_failed"
        log.exception("answer.not_assembled", turn_id=str(answer_turn.pk), error=code)
        context = None
        answer_turn = _failed(actor, answer_turn, code)
    return PostedMessage(
        user_turn=user_turn,
        answer_turn=answer_turn,
        context=context,
        recall=context.recall if context else None,
        outcomes=outcomes,
        renews=renews,
    )


def _failed(actor: Actor, answer: Turn, code: str) -> Turn:
    """The answer marked failed, or as it is when somebody else ended it first."""
    try:
        return fail_answer(actor=actor, turn_id=answer.pk, owner=answer.lease_owner, code=code)
    except NotRunning:
        return get_turn(actor=actor, turn_id=answer.pk)


def _keep_sources(actor: Actor, answer: Turn, context: AssembledContext, model: str) -> None:
    """Note on the answer what it is made from and by, and start its lease afresh: a first embedding may take long.

    What is about to be sent is noted as its usage, for whoever ends it should this process die.
    """
    answer.used, answer.trace_id, answer.model = context.used, context.trace_id, model[:100]
    answer.usage = {"prompt_tokens": context.used_tokens, "completion_tokens": 0, "estimated": True}
    answer.leased_until = store.lease(get_clock().now())
    with tenant_transaction(actor.tenant_id):
        changed = Turn.objects.filter(
            pk=answer.pk, lease_owner=answer.lease_owner, state=Turn.State.STREAMING
        ).update(
            used=answer.used,
            trace_id=answer.trace_id,
            model=answer.model,
            usage=answer.usage,
            leased_until=answer.leased_until,
        )
    if not changed:
        raise NotRunning("this answer was stopped, or taken for dead, before it began")


def _noted(actor: Actor, outcomes: list[Outcome]) -> tuple[NotedOutcome, ...]:
    """The outcomes with the words of the memories that they speak of, for an answer that confirms them."""
    ids = {each for outcome in outcomes for each in (outcome.memory_id, outcome.replaced_id) if each}
    with tenant_transaction(actor.tenant_id):
        texts: dict[uuid.UUID, str] = dict(Memory.objects.filter(pk__in=ids).values_list("id", "content"))
    return tuple(
        NotedOutcome(
            code=outcome.code.value,
            text=texts.get(outcome.memory_id, "") if outcome.memory_id else "",
            replaced=texts.get(outcome.replaced_id, "") if outcome.replaced_id else "",
            kind=outcome.kind,
        )
        for outcome in outcomes
    )


def _known(first: Turn, masked: str) -> PostedMessage:
    """What became of a message that was sent before."""
    answer = store.answer_to(first.pk)
    if first.role != Turn.Role.USER or first.content != masked or answer is None:
        raise MessageIdReused(
            "this client_msg_id was used for another message",
            hint="Make a new id for each message; resend with the same id only to repeat one.",
            fields={"client_msg_id": "used before"},
        )
    return PostedMessage(first, answer, context=None, recall=None, outcomes=[], created=False)
