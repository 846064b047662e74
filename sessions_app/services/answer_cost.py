"""What an answer cost the tenant: told by whoever ends its turn, exactly once."""

from __future__ import annotations

from memories.core.budget import Spent, Use
from memories.services.model_usage import charge
from sessions_app.models import Turn
from sessions_app.services.learn_turn import OFFLINE


def estimated(turn: Turn) -> Spent:
    """By what was sent when it began and the words that were flushed: the process that metered it is gone, or still writes."""
    if turn.model in {"", OFFLINE}:
        return Spent()
    return Spent(int(turn.usage.get("prompt_tokens", 0)), turn.tokens, calls=1, estimated=1)


def charge_answer(spent: Spent) -> None:
    """In the transaction that takes the answer's lease away, as its last statement (see model_usage.charge)."""
    charge(Use.ANSWER, spent)
