"""Ask for a sweep now: a worker runs it, and its report grows while it does."""

from __future__ import annotations

import uuid
from contextlib import suppress
from datetime import timedelta

from accounts import audit
from accounts.actor import Actor
from accounts.permissions import Capability
from memories.services.jobs import JobContext, enqueue, handler
from memories.services.sweep import refuse_while_paused, sweep
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import Conflict

KIND = "sweep"


def start_sweep(*, actor: Actor) -> uuid.UUID:
    """The job's id; asked for again while it waits, it is the same one. Needs the capability to sweep; Conflict while sweeps are paused."""
    actor.require(Capability.SWEEP)
    with tenant_transaction(actor.tenant_id):
        refuse_while_paused()
        job_id = ask_for_sweep()
        audit.record(actor, "sweep.asked", target_kind="job", target_id=job_id)
    return job_id


def ask_for_sweep() -> uuid.UUID:
    """Enqueue it in the open tenant transaction."""
    return enqueue(kind=KIND, key=KIND)


@handler(KIND, lease=timedelta(minutes=30), max_attempts=5)
def _job(context: JobContext) -> None:
    """Nothing where sweeps were paused since: resuming asks again."""
    with suppress(Conflict):
        sweep(actor=context.actor)
