"""What finishing, failing and stopping an answer have in common: who may still write it."""

from __future__ import annotations

import uuid

from accounts.actor import Actor
from memories.adapters.factory import get_clock
from memories.core.forgetting.remains import nothing_left
from memories.core.policy import Policy
from memories.core.text import tokens
from memories.services.forgotten_since import Written, without_forgotten
from memories.services.screen import screen
from sessions_app.core.errors import NotRunning
from sessions_app.models import Turn
from sessions_app.services.access import access_turn

OURS = (Turn.State.STREAMING, Turn.State.STOPPED)
"""A stopped answer may still get the last words that were streamed before the stop."""


def owned(actor: Actor, turn_id: uuid.UUID, owner: str) -> Turn:
    """The answer, locked, if `owner` still holds its lease; NotRunning when it was taken over, ended or replaced.

    A lease that lapsed but that nobody took away still counts: the process was slow, not dead.
    """
    turn = access_turn(actor, turn_id, write=True, lock=True)
    if turn.lease_owner != owner or turn.state not in OURS:
        raise NotRunning("this answer is not being written by this process any more")
    return turn


def as_stored(text: str, policy: Policy) -> str:
    """What a model said in the form that may be stored: screened like everything else, without NUL."""
    return screen(text.replace("\x00", ""), policy).text_masked


def unforgotten(turn: Turn, text: str) -> str:
    """The answer's text without what was forgotten while it was written, in the open transaction."""
    question = turn.reply_to
    rows = question.outcomes if question is not None else []
    asked = [
        reason.removeprefix("request ")
        for row in rows
        for reason in row.get("reasons", ())
        if str(reason).startswith("request ")
    ]
    written = Written(
        since=turn.created_at,
        turn_id=question.pk if question is not None else None,
        said=question.content if question is not None else "",
        requests=frozenset(map(uuid.UUID, asked)),
    )
    return without_forgotten(turn.session.subject_id, text, written)


def settle(turn: Turn, text: str, policy: Policy) -> None:
    """Put the last text in, without what was forgotten meanwhile, and give the lease back.

    Whoever forgets holds the subject's lock, and so does who finishes an answer; so nothing slips in between.
    """
    stored = as_stored(text, policy)
    turn.content = unforgotten(turn, stored)
    if turn.content != stored and nothing_left(turn.content):
        turn.forgotten_at = get_clock().now()
    turn.tokens = tokens.count(turn.content)
    turn.leased_until = None
    turn.lease_owner = ""
