"""Work as rows: enqueue inside a transaction, claim under a lease, finish or fail with back-off, ring again what is due."""

from __future__ import annotations

import os
import socket
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

import structlog
from django.db import transaction
from django.db.models import Q

from accounts.actor import Actor, system_actor
from memories.adapters.factory import get_clock
from memories.models import Job
from memories.services.every_tenant import active_tenant_ids
from memories.services.meters import note_queue
from memories.store.jobs import claim_row, upsert_row
from memoryhub.common.db import current_tenant_id, tenant_transaction
from memoryhub.common.errors import DomainError

log = structlog.get_logger(__name__)

MAX_ATTEMPTS = 8
BACKOFF = timedelta(seconds=5)
BACKOFF_CAP = timedelta(hours=1)
LEASE = timedelta(seconds=60)
RING_LIMIT = 500
"""Rings a tenant and call; what is left is rung by the next beat."""
KEEP_FINISHED = timedelta(days=7)
KEEP_FAILED = timedelta(days=60)
"""Failed jobs stay longer: operators look into them."""
REST = timedelta(hours=1)
"""How long a job that failed for good is left alone by those who ask again and again."""


@dataclass(frozen=True, slots=True)
class JobContext:
    """What a handler gets. `payload` holds ids and numbers only; `now` is the clock's time at the claim."""

    tenant_id: uuid.UUID
    job_id: uuid.UUID
    kind: str
    key: str
    payload: dict[str, Any]
    subject_id: uuid.UUID | None
    attempt: int
    now: datetime

    @property
    def actor(self) -> Actor:
        """MemoryHub itself, within the job's tenant."""
        return system_actor(self.tenant_id, door="task", name=f"job:{self.kind}")


Handler = Callable[[JobContext], None]


@dataclass(frozen=True, slots=True)
class Registered:
    """A handler with its lease (above its usual run time: a killed worker's job waits that long) and attempts."""

    run: Handler
    lease: timedelta = field(default=LEASE)
    max_attempts: int = MAX_ATTEMPTS


HANDLERS: dict[str, Registered] = {}


def handler(
    kind: str, *, lease: timedelta = LEASE, max_attempts: int = MAX_ATTEMPTS
) -> Callable[[Handler], Handler]:
    """Register the one handler of a kind of job.

    It runs outside of any transaction and must be idempotent: after a crash, or past its lease, it runs again.
    """

    def register(function: Handler) -> Handler:
        if kind in HANDLERS and HANDLERS[kind].run is not function:
            raise RuntimeError(f"the job kind {kind} already has a handler")
        HANDLERS[kind] = Registered(function, lease, max_attempts)
        return function

    return register


def enqueue(
    *,
    kind: str,
    key: str,
    payload: dict[str, Any] | None = None,
    subject_id: uuid.UUID | None = None,
    run_after: datetime | None = None,
) -> uuid.UUID:
    """Ask for work in the open tenant transaction; the bell rings when it commits. Returns the open job's id.

    One open job a (kind, key): asked for again while it waits, it is the same job, sooner if that is asked for and it
    has not failed yet; while it runs, it runs once more after that, so that no change between is missed.
    """
    now = get_clock().now()
    tenant_id = current_tenant_id()
    job_id = upsert_row(
        kind=kind, key=key, payload=payload or {}, subject_id=subject_id, run_after=run_after or now, now=now
    )
    delay = (run_after - now).total_seconds() if run_after else 0.0
    transaction.on_commit(lambda: ring(tenant_id, job_id, delay=delay))
    return job_id


def ring(tenant_id: uuid.UUID, job_id: uuid.UUID, *, delay: float = 0.0) -> bool:
    """Tell a worker. False when the broker does not answer, which loses nothing: beat rings again."""
    from memories.tasks import run_job

    try:
        run_job.apply_async((str(tenant_id), str(job_id)), countdown=max(0.0, delay) or None, retry=False)
    # The row stands: whatever the broker's client raises must not undo the caller's commit.
    except Exception as error:  # noqa: BLE001
        log.warning("job.not_rung", job_id=str(job_id), error=type(error).__name__)
        return False
    return True


def claim(tenant_id: uuid.UUID, job_id: uuid.UUID, *, owner: str, now: datetime) -> Job | None:
    """The job under a lease of this owner; None when it is done, not due yet, or leased by somebody else."""
    with tenant_transaction(tenant_id):
        kind = Job.objects.filter(id=job_id).values_list("kind", flat=True).first()
        if kind is None:
            return None
        registered = HANDLERS.get(kind)
        lease = registered.lease if registered else LEASE
        if not claim_row(job_id=job_id, owner=owner, now=now, until=now + lease):
            return None
        job: Job = Job.objects.get(id=job_id)
        return job


def finish(job: Job, *, owner: str, now: datetime) -> None:
    """Done; or waiting again, when it was asked for while it ran. Nothing when the lease was lost."""
    tenant_id = job.tenant_id
    with tenant_transaction(tenant_id):
        held = (
            Job.objects.select_for_update()
            .filter(id=job.id, state=Job.State.RUNNING, lease_owner=owner)
            .first()
        )
        if held is None:
            return
        again = bool(held.payload.pop("again", False))
        held.state = Job.State.PENDING if again else Job.State.DONE
        held.attempts = 0 if again else held.attempts
        held.run_after = now if again else held.run_after
        held.finished_at = None if again else now
        held.lease_owner, held.leased_until, held.error_code = "", None, ""
        held.save()
        if again:
            transaction.on_commit(lambda: ring(tenant_id, held.id))


def fail(job: Job, *, owner: str, now: datetime, error_code: str, max_attempts: int = MAX_ATTEMPTS) -> None:
    """Wait 5 s, 10 s, 20 s, … up to an hour and try again; after the last attempt the job stays as failed."""
    tenant_id = job.tenant_id
    with tenant_transaction(tenant_id):
        held = (
            Job.objects.select_for_update()
            .filter(id=job.id, state=Job.State.RUNNING, lease_owner=owner)
            .first()
        )
        if held is None:
            return
        held.lease_owner, held.leased_until, held.error_code = "", None, error_code[:64]
        if held.attempts >= max_attempts:
            held.state, held.finished_at = Job.State.FAILED, now
            held.save()
            return
        delay = min(BACKOFF_CAP, BACKOFF * 2 ** max(0, held.attempts - 1))
        held.state, held.run_after = Job.State.PENDING, now + delay
        held.save()
        transaction.on_commit(lambda: ring(tenant_id, held.id, delay=delay.total_seconds()))


def run(tenant_id: uuid.UUID, job_id: uuid.UUID, *, now: datetime | None = None) -> bool:
    """Claim and run one job to its end; True when it was done. A handler's error becomes an error code and a retry."""
    at = now or get_clock().now()
    owner = f"{socket.gethostname()[:32]}:{os.getpid()}:{uuid.uuid4().hex[:8]}"
    job = claim(tenant_id, job_id, owner=owner, now=at)
    if job is None:
        return False
    registered = HANDLERS.get(job.kind)
    if registered is None:
        fail(job, owner=owner, now=at, error_code="no_handler")
        return False
    if job.attempts > registered.max_attempts:
        # Its workers died each time before they could say so: a job that kills its worker must not do so for ever.
        fail(job, owner=owner, now=at, error_code="worker_lost", max_attempts=registered.max_attempts)
        return False
    context = JobContext(
        tenant_id, job.id, job.kind, job.key, dict(job.payload), job.subject_id, job.attempts, at
    )
    try:
        registered.run(context)
    except Exception as error:
        code = error.code if isinstance(error, DomainError) else type(error).__name__
        log.warning(
            "job.failed", job_id=str(job.id), kind=job.kind, attempt=job.attempts, error=code, exc_info=True
        )
        fail(
            job,
            owner=owner,
            now=now or get_clock().now(),
            error_code=code,
            max_attempts=registered.max_attempts,
        )
        return False
    finish(job, owner=owner, now=now or get_clock().now())
    return True


def due(now: datetime, limit: int = RING_LIMIT) -> list[uuid.UUID]:
    """Jobs of the open tenant that wait and are due, or whose lease has lapsed; the longest due first."""
    waiting = Q(state=Job.State.PENDING, run_after__lte=now)
    lapsed = Q(state=Job.State.RUNNING, leased_until__lt=now)
    return list(
        Job.objects.filter(waiting | lapsed).order_by("run_after", "id").values_list("id", flat=True)[:limit]
    )


def resting(kind: str, keys: Sequence[str], now: datetime) -> set[str]:
    """Those of the keys whose job failed for good within the last hour; in the open tenant transaction.

    For what asks periodically; somebody's own wish is enqueued whatever failed before.
    """
    failed = Job.objects.filter(kind=kind, key__in=keys, state=Job.State.FAILED, finished_at__gt=now - REST)
    return set(failed.values_list("key", flat=True))


def ring_due(now: datetime) -> int:
    """Ring for what is due in every active tenant: lost bells, lapsed leases, back-offs that ended."""
    rung = waiting = 0
    for tenant_id in active_tenant_ids():
        with tenant_transaction(tenant_id):
            ids = due(now)
        waiting += len(ids)
        rung += sum(ring(tenant_id, job_id) for job_id in ids)
    note_queue(waiting)
    return rung


def run_due(tenant_id: uuid.UUID, *, now: datetime | None = None, limit: int = 10_000) -> int:
    """Run what is due in this process, one job after another, until nothing is; for commands, evaluation and tests."""
    done = 0
    while done < limit:
        at = now or get_clock().now()
        with tenant_transaction(tenant_id):
            ids = due(at)
        ran = sum(run(tenant_id, job_id, now=at) for job_id in ids)
        if not ran:
            return done
        done += ran
    return done


def purge_finished(now: datetime) -> int:
    """Drop the open tenant's done jobs older than a week, and failed ones older than two months."""
    done = Q(state=Job.State.DONE, finished_at__lt=now - KEEP_FINISHED)
    failed = Q(state=Job.State.FAILED, finished_at__lt=now - KEEP_FAILED)
    gone, _ = Job.objects.filter(done | failed).delete()
    return gone
