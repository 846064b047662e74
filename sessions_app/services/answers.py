"""What finishing, failing and stopping an answer have in common: who may still write it."""

from __future__ import annotations

import uuid

from accounts.actor import Actor
from memories.core.policy import Policy
from memories.core.text import tokens
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


def settle(turn: Turn, text: str, policy: Policy) -> None:
    """Put the last text in and give the lease back."""
    turn.content = as_stored(text, policy)
    turn.tokens = tokens.count(turn.content)
    turn.leased_until = None
    turn.lease_owner = ""
