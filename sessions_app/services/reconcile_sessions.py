"""Asks again for what a lost bell or a dead process left undone: learning from turns, and compactions."""

from __future__ import annotations

import uuid
from datetime import datetime, timedelta

from memories.services.every_tenant import every_tenant
from memories.services.jobs import enqueue, resting
from memories.services.policies import policy_for
from memoryhub.common.db import tenant_transaction
from sessions_app import store
from sessions_app.services.windows import ring_when_full

LOOK_BACK = timedelta(days=2)
GRACE = timedelta(minutes=2)
"""A turn this young is probably being learnt from right now."""
SHORTEST_WINDOW = 8
"""No window with fewer turn numbers is ever over-full by rounds; by tokens the next turn rings."""
BATCH = 500


def reconcile_sessions(now: datetime) -> int:
    """Number of jobs asked for, over all tenants; asking for one that waits already changes nothing.

    What failed for good is asked for again an hour later, not each time.
    """
    return sum(every_tenant(lambda tenant_id: _reconcile(tenant_id, now)).values())


def _reconcile(tenant_id: uuid.UUID, now: datetime) -> int:
    asked = 0
    with tenant_transaction(tenant_id):
        unlearnt = store.left_unlearnt(now - LOOK_BACK, now - GRACE, BATCH)
        tired = resting("learn_turn", [str(turn_id) for turn_id, _ in unlearnt], now)
        for turn_id, subject_id in unlearnt:
            if str(turn_id) in tired:
                continue
            enqueue(
                kind="learn_turn",
                key=str(turn_id),
                payload={"turn_id": str(turn_id)},
                subject_id=subject_id,
                run_after=now,
            )
            asked += 1
        long = store.long_windows(SHORTEST_WINDOW, now - LOOK_BACK, BATCH)
        tired = resting("compact_session", [str(session.pk) for session in long], now)
        for session in long:
            if str(session.pk) in tired:
                continue
            asked += ring_when_full(session, policy_for(tenant_id, session.pk).policy, now)
    return asked
