"""Learns from a message while its sender waits, so that what became of it can be told at once (R13)."""

from __future__ import annotations

from datetime import datetime

import structlog
from django.db import Error as DbError

from accounts.actor import Actor
from memories.services.outcome import Outcome, Reason
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import DomainError
from sessions_app.models import Turn
from sessions_app.services.learn_turn import learn_turn

log = structlog.get_logger(__name__)


def learn_now(*, actor: Actor, turn: Turn, text: str, now: datetime | None = None) -> list[Outcome]:
    """What became of the message's statements, also set on `turn`; `text` is the message as it was sent.

    A failure is an outcome like any other (code `error`): the message stays, and beat learns from it again. Embeds, so it
    must not be called inside a transaction.
    """
    try:
        outcomes = learn_turn(actor=actor, turn_id=turn.pk, now=now, text=text)
    except Exception as error:  # An answer without learning is better than none.
        code = error.code if isinstance(error, DomainError) else type(error).__name__
        log.exception("turn.not_learnt", turn_id=str(turn.pk), error=code)
        outcomes = [Outcome(code=Reason.ERROR, rule="learn.failed")]
        _keep_failure(actor, turn, outcomes)
    turn.outcomes = [outcome.as_data() for outcome in outcomes]
    if not outcomes:
        # A compaction, say, was quicker: what it found stands on the turn.
        with tenant_transaction(actor.tenant_id):
            turn.refresh_from_db(fields=["outcomes"])
    if any(outcome.rule.startswith("forget.") for outcome in outcomes):
        # The answer must not be made from words that have just gone.
        with tenant_transaction(actor.tenant_id):
            turn.refresh_from_db(fields=["content", "full_content", "forgotten_at"])
    return outcomes


def _keep_failure(actor: Actor, turn: Turn, outcomes: list[Outcome]) -> None:
    """Say below the message that it is not learnt from yet; what learns from it later writes over this."""
    try:
        with tenant_transaction(actor.tenant_id):
            Turn.objects.filter(pk=turn.pk, learned_at__isnull=True).update(
                outcomes=[outcome.as_data() for outcome in outcomes]
            )
    except DbError as error:
        # Perhaps the very reason why learning failed; the answer fails by itself when the database stays away.
        log.warning("turn.failure_not_stored", turn_id=str(turn.pk), error=type(error).__name__)
