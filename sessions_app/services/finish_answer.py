"""Stores a finished answer with its citations and usage in one transaction, and asks for what follows."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import Any

from accounts.actor import Actor
from accounts.audit import record
from memories.adapters.factory import get_clock
from memories.core.budget import Spent
from memories.core.text.quotes import cited
from memories.models import Episode, Memory
from memories.services.policies import policy_for, policy_of
from memories.services.reinforce import reinforce
from memoryhub.common.db import tenant_transaction
from sessions_app.models import ChatSession, Turn
from sessions_app.services.answer_cost import charge_answer
from sessions_app.services.answers import owned, settle
from sessions_app.services.record_turn import ask_to_learn
from sessions_app.services.windows import ring_when_full


def finish_answer(
    *,
    actor: Actor,
    turn_id: uuid.UUID,
    owner: str,
    text: str,
    state: str = "complete",
    error_code: str = "",
    model: str = "",
    usage: dict[str, Any] | None = None,
    spent: Spent | None = None,
) -> Turn:
    """The finished turn. `state` is complete or stopped; `error_code` marks an answer that is not all that it could be: the
    model cut it short, or was not asked. `spent` is what the calls for it cost.

    What the answer cites (by number, or by quoting) is marked in `used` and reinforced. NotRunning when the caller does
    not hold the answer any more. What was said before a stop request reached the process is kept.
    """
    policy, _ = policy_of(actor.tenant_id)
    with tenant_transaction(actor.tenant_id):
        turn = owned(actor, turn_id, owner)
        session = turn.session
        settle(turn, text, policy)
        turn.state = Turn.State.STOPPED if turn.state == Turn.State.STOPPED else Turn.State(state)
        turn.error_code = error_code[:64]
        turn.model = model[:100]
        turn.usage = usage or {}
        cited_ids = mark_cited(turn)
        turn.save()
        now = get_clock().now()
        strengthen_cited(actor, session, turn, cited_ids)
        due = min(turn.said_at, now)
        ask_to_learn(turn, session, due)
        ring_when_full(session, policy_for(actor.tenant_id, session.pk).policy, due)
        record(
            actor,
            "answer.finish",
            target_kind="turn",
            target_id=turn.pk,
            subject_id=session.subject_id,
            state=turn.state,
            cited=len(cited_ids),
        )
        charge_answer(spent or Spent())
    return turn


def strengthen_cited(actor: Actor, session: ChatSession, turn: Turn, ids: Sequence[uuid.UUID]) -> None:
    """What an answer cites stays longer, once a question; a session that keeps nothing strengthens nothing."""
    if ids and session.mode == ChatSession.Mode.FULL:
        reinforce(
            actor=actor,
            subject_id=session.subject_id,
            ids=ids,
            event="cited",
            turn_id=turn.reply_to_id,
            session_id=session.pk,
            now=turn.said_at,
        )


def mark_cited(turn: Turn, *, numbered: bool = True) -> list[uuid.UUID]:
    """Set `cited` on each used item; the ids of the cited ones. An item forgotten meanwhile is neither shown nor cited.

    Without `numbered` only quoting counts: the answer's numbers are another program's own.
    """
    used = [dict(item) for item in turn.used]
    texts = _texts(used)
    question = turn.reply_to.content if turn.reply_to is not None else ""
    by_number = {str(item["number"]): texts[item["id"]] for item in used if item["id"] in texts}
    # No marker in an answer reads like the second form.
    keys = {number if numbered else f"#{number}": text for number, text in by_number.items()}
    numbers = {key.removeprefix("#") for key in cited(turn.content, keys, question=question)}
    for item in used:
        item["cited"] = str(item["number"]) in numbers
    turn.used = used
    return [uuid.UUID(item["id"]) for item in used if item["cited"]]


def _texts(used: list[dict[str, Any]]) -> dict[str, str]:
    ids = [item["id"] for item in used]
    found: dict[str, str] = {}
    for pk, content in Memory.objects.filter(pk__in=ids).values_list("id", "content"):
        found[str(pk)] = content
    for pk, text in Episode.objects.filter(pk__in=ids).values_list("id", "text"):
        found[str(pk)] = text
    return found
