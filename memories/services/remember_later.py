"""Remember many texts by a job: they are kept encrypted until each was remembered, and what became of them can be asked."""

from __future__ import annotations

import json
import uuid
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.core.serializers.json import DjangoJSONEncoder
from django.utils.dateparse import parse_datetime

from accounts import audit
from accounts.actor import Actor
from memories.adapters.factory import get_clock
from memories.models import Job, QueuedText
from memories.services.jobs import JobContext, enqueue, handler
from memories.services.learn import block
from memories.services.operations import BY, Progress, principal, progress_of
from memories.services.policies import policy_of
from memories.services.remember_many import remember_many
from memories.services.screen import screen
from memories.services.subjects import subject_to_write
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import Invalid
from memoryhub.common.ids import uuid7

KIND = "remember_queued"
MOST_QUEUED = 1_000
AT_A_TIME = 20
_TIMES = ("said_at", "expires_at")
_IDS = ("session_id", "agent_id")


def remember_later(*, actor: Actor, subject_id: uuid.UUID, items: Sequence[Mapping[str, Any]]) -> uuid.UUID:
    """The job's id. What the policy refuses is never stored, and answered so; the others count as said now, so that a later
    wish to forget holds for them, too. NotFound for a subject that the actor may not write."""
    if not 1 <= len(items) <= MOST_QUEUED:
        raise Invalid("too many at once", fields={"items": f"1 to {MOST_QUEUED} texts"})
    subject_to_write(actor, subject_id)
    policy, _ = policy_of(actor.tenant_id)
    now = get_clock().now()
    seen = [screen(str(item["content"]), policy) for item in items]
    with tenant_transaction(actor.tenant_id):
        job_id = enqueue(
            kind=KIND, key=uuid7().hex, payload={BY: principal(actor)}, subject_id=subject_id, run_after=now
        )
        QueuedText.objects.bulk_create(
            QueuedText(
                job_id=job_id,
                subject_id=subject_id,
                number=number,
                given=None if found.blocked else _written({"said_at": now, **item}),
                outcomes=[block(actor, subject_id, found.types).as_data()] if found.blocked else [],
                done_at=now if found.blocked else None,
            )
            for number, (item, found) in enumerate(zip(items, seen, strict=True))
        )
        audit.record(
            actor,
            "memory.queued",
            target_kind="job",
            target_id=job_id,
            subject_id=subject_id,
            texts=len(items),
        )
    return job_id


@handler(KIND, lease=timedelta(minutes=5))
def _job(context: JobContext) -> None:
    """A few at a time; after a crash those that are not marked are remembered once more, which finds them known."""
    assert context.subject_id is not None
    while rows := _next(context):
        parts = remember_many(
            actor=context.actor, subject_id=context.subject_id, items=[_read(str(row.given)) for row in rows]
        )
        with tenant_transaction(context.tenant_id):
            for row, part in zip(rows, parts, strict=True):
                row.given, row.done_at, row.error = None, get_clock().now(), part.error
                row.outcomes = [outcome.as_data() for outcome in part.outcomes]
                row.save(update_fields=["given", "done_at", "error", "outcomes"])


@progress_of(KIND)
def _progress(job: Job) -> Progress:
    rows = list(QueuedText.objects.filter(job=job).order_by("number").defer("given"))
    done = [row for row in rows if row.done_at is not None]
    results = [
        {"index": row.number, "outcomes": row.outcomes, "error": row.error, "turn_id": None} for row in done
    ]
    return Progress(len(done), len(rows), results)


def _next(context: JobContext) -> list[QueuedText]:
    with tenant_transaction(context.tenant_id):
        rows = QueuedText.objects.filter(job_id=context.job_id, done_at__isnull=True)
        return list(rows.order_by("number")[:AT_A_TIME])


def _written(item: Mapping[str, Any]) -> str:
    return json.dumps(item, cls=DjangoJSONEncoder)


def _read(text: str) -> dict[str, Any]:
    item: dict[str, Any] = json.loads(text)
    for name in _TIMES:
        if item.get(name):
            found: datetime | None = parse_datetime(item[name])
            item[name] = found
    for name in _IDS:
        if item.get(name):
            item[name] = uuid.UUID(item[name])
    return item
