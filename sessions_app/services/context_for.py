"""The context of a message for another program's model: of a session, or of a subject that has none open."""

from __future__ import annotations

import uuid
from dataclasses import dataclass, replace

from accounts.actor import Actor
from accounts.models import Subject
from memories.adapters.factory import get_clock
from memories.core.text import tokens
from memories.services.policies import policy_for
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import Invalid, NotFound
from memoryhub.common.ids import uuid7
from sessions_app.core.context import MIN_BUDGET
from sessions_app.models import ChatSession
from sessions_app.services.assemble_context import assemble_context
from sessions_app.services.context_parts import checked_budget
from sessions_app.services.get_turns import get_session
from sessions_app.services.results import AssembledContext

MAX_SYSTEM = 32_000
_BETWEEN = "\n\n"
SEAM = 4
"""Tokens that two texts may take more when they are joined, and their message around them."""


@dataclass(frozen=True, slots=True)
class ContextFor:
    """A context, and whose it is."""

    subject_id: uuid.UUID
    context: AssembledContext


def context_for(
    *,
    actor: Actor,
    message: str,
    subject_id: uuid.UUID | None = None,
    session_id: uuid.UUID | None = None,
    system: str = "",
    budget: int | None = None,
    reinforce: bool = True,
) -> ContextFor:
    """The messages, within `budget` tokens (the policy's, when left out), with the caller's `system` text in front.

    Of the session `session_id`, or of the subject `subject_id` without any. Embeds: not to be called inside a transaction.
    NotFound where the actor may not read it; Invalid for a blank message, or a budget that the system text leaves too little of.
    """
    if not message.strip():
        raise Invalid("the message is empty", fields={"message": "may not be blank"})
    now = get_clock().now()
    unopened: ChatSession | None = None
    if session_id is None:
        assert subject_id is not None
        actor.require_subject(subject_id, write=False)
        with tenant_transaction(actor.tenant_id):
            subject = Subject.objects.filter(pk=subject_id, erased_at__isnull=True).first()
        if subject is None:
            raise NotFound("no such subject")
        unopened = ChatSession(id=uuid7(), subject=subject, started_at=now, last_activity_at=now)
        session = unopened
    else:
        session = get_session(actor=actor, session_id=session_id)
    policy = policy_for(actor.tenant_id, session.pk).policy
    whole = checked_budget(budget, policy)
    margin = policy.number("context.margin")
    taken = tokens.with_margin(tokens.count(system + _BETWEEN) + SEAM, margin) if system else 0
    if whole - taken < MIN_BUDGET:
        raise Invalid(
            f"the system text leaves less than {MIN_BUDGET} tokens of the budget",
            hint="Shorten it, or raise budget_tokens.",
            fields={"system": "too long for the budget"},
        )
    context = assemble_context(
        actor=actor,
        session_id=session.pk,
        question=message,
        budget=whole - taken,
        now=now,
        reinforce=reinforce,
        aside=True,
        unopened=unopened,
    )
    if system:
        context = replace(
            context,
            messages=_with_system(context.messages, system),
            used_tokens=context.used_tokens + taken,
            budget_tokens=whole,
            sections={**context.sections, "caller": taken},
        )
    return ContextFor(session.subject_id, context)


def _with_system(messages: list[dict[str, str]], system: str) -> list[dict[str, str]]:
    if messages and messages[0]["role"] == "system":
        first = {"role": "system", "content": system + _BETWEEN + messages[0]["content"]}
        return [first, *messages[1:]]
    return [{"role": "system", "content": system}, *messages]
