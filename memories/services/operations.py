"""Operations: work that goes on after a call was answered, found again by who asked for it."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from accounts.actor import Actor
from accounts.permissions import Capability
from memories.models import Job
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import NotFound

BY = "asked_by"
"""In a job's payload: who asked for it, as `principal` writes it."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far it came: `done` of `total` parts, and what became of those that are done, as plain data."""

    done: int
    total: int
    results: list[dict[str, Any]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Operation:
    """A job as its asker sees it; `progress` is None for work that has no parts."""

    job: Job
    progress: Progress | None


Reader = Callable[[Job], Progress]
_readers: dict[str, Reader] = {}


def progress_of(kind: str) -> Callable[[Reader], Reader]:
    """Register what tells the progress of a kind of job: called with the job in the open tenant transaction."""

    def register(function: Reader) -> Reader:
        _readers[kind] = function
        return function

    return register


def principal(actor: Actor) -> str:
    """Who asks, as a job keeps it: ids only."""
    return f"{actor.kind}:{actor.id}"[:64]


def get_operation(*, actor: Actor, operation_id: uuid.UUID) -> Operation:
    """For who asked for it, who may read its subject's memory, and who reads the tenant's metrics; NotFound otherwise, and
    once it was done for a week."""
    with tenant_transaction(actor.tenant_id):
        job: Job | None = Job.objects.filter(pk=operation_id).first()
        if job is None or not _allowed(actor, job):
            raise NotFound("no such operation")
        reader = _readers.get(job.kind)
        return Operation(job, reader(job) if reader is not None else None)


def _allowed(actor: Actor, job: Job) -> bool:
    if job.payload.get(BY) == principal(actor):
        return True
    if Capability.METRICS_READ in actor.capabilities:
        return True
    if job.subject_id is None:
        return False
    try:
        actor.require_subject(job.subject_id, write=False)
    except NotFound:
        return False
    return True
