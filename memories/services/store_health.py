"""How well a tenant's memory does: junk, duplicates, staleness, recalls, sweeps and work, over the newest of each (R30, R32)."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from accounts.actor import Actor
from accounts.permissions import Capability
from memories.adapters.factory import get_clock
from memories.ports import EmbedderUnavailable
from memories.services.embedding_space import serving
from memories.services.policies import policy_of
from memories.services.stale import stale_sample
from memories.store import health
from memories.store.health import Kept, Recalls
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import Invalid

PERIODS = (7, 30, 90)
JOBS = 1_000


@dataclass(frozen=True, slots=True)
class Health:
    """The numbers of `days` days from `since` on; `recalls` of all days and `daily` of each, oldest first. Rates are worked out from pairs of counts."""

    days: int
    since: datetime
    kept: Kept
    stale: tuple[int, int]
    alike: tuple[Sequence[uuid.UUID], int]
    recalls: Recalls
    daily: Sequence[Recalls]
    verdicts: Mapping[str, int]
    sweeps: tuple[int, int, int]
    jobs: int


def store_health(*, actor: Actor, days: int = 30) -> Health:
    """Read in one transaction; Invalid for a period that is none of PERIODS. Needs the capability to read metrics."""
    actor.require(Capability.METRICS_READ)
    if days not in PERIODS:
        raise Invalid("there is no such period", fields={"days": f"one of {', '.join(map(str, PERIODS))}"})
    now = get_clock().now()
    since = now - timedelta(days=days)
    policy, _number = policy_of(actor.tenant_id)
    try:
        space_id: int | None = serving()[0]
    except EmbedderUnavailable:
        space_id = None
    with tenant_transaction(actor.tenant_id):
        together, *daily = health.recalls(since)
        return Health(
            days=days,
            since=since,
            kept=health.kept(now),
            stale=stale_sample(policy, now, health.MEMORIES),
            alike=health.near_duplicates(space_id) if space_id is not None else ((), 0),
            recalls=together,
            daily=daily,
            verdicts=health.verdicts(since),
            sweeps=health.sweeps(since),
            jobs=health.waiting_jobs(JOBS),
        )
