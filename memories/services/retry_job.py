"""Try a failed job again: it waits like a new one, with all its attempts."""

from __future__ import annotations

import uuid

from django.db import transaction

from accounts import audit
from accounts.actor import Actor
from accounts.permissions import Capability
from memories.adapters.factory import get_clock
from memories.models import Job
from memories.services.jobs import ring
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import Conflict, NotFound


def retry_job(*, actor: Actor, job_id: uuid.UUID) -> Job:
    """The job, waiting again. Needs the capability to sweep, as all work of the tenant; NotFound; Conflict when it has not failed, or when
    the same work was asked for anew since."""
    actor.require(Capability.SWEEP)
    now = get_clock().now()
    with tenant_transaction(actor.tenant_id):
        job: Job | None = Job.objects.select_for_update().filter(pk=job_id).first()
        if job is None:
            raise NotFound("no such job")
        if job.state != Job.State.FAILED:
            raise Conflict(f"the job is {job.state}", hint="Only a failed one is tried again.")
        alive = [Job.State.PENDING, Job.State.RUNNING]
        if Job.objects.filter(kind=job.kind, key=job.key, state__in=alive).exists():
            raise Conflict("the same work was asked for anew since", hint="Look at the newer job.")
        job.state, job.attempts, job.run_after = Job.State.PENDING, 0, now
        job.error_code, job.finished_at = "", None
        job.save(update_fields=["state", "attempts", "run_after", "error_code", "finished_at"])
        audit.record(actor, "job.retried", target_kind="job", target_id=job.pk, subject_id=job.subject_id)
        tenant_id = actor.tenant_id
        transaction.on_commit(lambda: ring(tenant_id, job_id))
    return job
