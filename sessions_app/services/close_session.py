"""What a session that has ended still has to teach: turns not learnt yet, and a last digest (R14)."""

from __future__ import annotations

import uuid
from datetime import datetime

from accounts.actor import Actor
from memoryhub.common.db import tenant_transaction
from sessions_app import store
from sessions_app.services.access import access_session
from sessions_app.services.compact_session import compact_session
from sessions_app.services.learn_turn import learn_turn
from sessions_app.services.results import CompactionReport


def close_session(*, actor: Actor, session_id: uuid.UUID, now: datetime) -> CompactionReport:
    """Learn what was left, and digest what still stands in the window. What was to last for this session only has ended
    with it; what is learnt now ends at once.

    Idempotent: what was learnt and digested is not again. Embeds, so it must not be called inside a transaction.
    """
    with tenant_transaction(actor.tenant_id):
        access_session(actor, session_id, write=True)
        left = store.unlearnt(session_id)
    for turn_id in left:
        learn_turn(actor=actor, turn_id=turn_id, now=now)
    return compact_session(actor=actor, session_id=session_id, now=now, closing=True)
