"""Undoing a request to forget, the second step: a job puts the words back into their texts, batch by batch (R25, R27)."""

from __future__ import annotations

import json
import uuid
from collections.abc import Sequence
from datetime import timedelta

from accounts import audit
from memories.adapters.factory import get_clock
from memories.models import ForgetRequest, ForgetRule, Job, Status, Tombstone
from memories.services.emptied import await_words, emptied
from memories.services.forget_put_back import Place, PutBack, put_back
from memories.services.jobs import JobContext, enqueue, handler
from memories.store.locks import lock_subject
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import NotFound

KIND = "undo_texts"
BATCH = 200
"""Rows that one transaction puts words back into; the undo itself does the first batch."""


def begin(request: ForgetRequest) -> tuple[PutBack, bool]:
    """Put the first batch back in the open transaction, under the subject's lock; and whether a job has to do the rest."""
    back = _batch(request, None)
    if back.waiting:
        ask(request)
        _note(request.id, back)
    else:
        close(request)
    return back, bool(back.waiting)


def ask(request: ForgetRequest) -> None:
    """Ask for the job, in the open transaction; one that failed for good is begun anew with the words that are left."""
    enqueue(kind=KIND, key=str(request.id), subject_id=request.subject_id)


def texts_left(requests: Sequence[ForgetRequest]) -> dict[uuid.UUID, int]:
    """How many texts still wait for their words, by request, of those that are being undone."""
    keys = {str(one.id): one.id for one in requests if one.state == ForgetRequest.State.UNDOING}
    jobs = Job.objects.filter(kind=KIND, key__in=list(keys)).order_by("created_at", "id") if keys else []
    found = dict.fromkeys(keys.values(), 0)
    return found | {keys[job.key]: int(job.payload.get("left", 0)) for job in jobs}


def close(request: ForgetRequest) -> None:
    """The request is restored; or done as before, where memories stay forgotten or words found their texts changed."""
    gone = Tombstone.objects.filter(
        request_id=request.id, restored_at__isnull=True, memory__status=Status.FORGOTTEN
    )
    # What others keep the words of is theirs.
    left = [stone.memory for stone in gone.select_related("memory")]
    await_words(request, [one for one in left if emptied(one.content)], ())
    if request.undo or gone.exists():
        request.state = ForgetRequest.State.DONE
    else:
        request.state = ForgetRequest.State.RESTORED
        ForgetRule.objects.filter(request_id=request.id, removed_at__isnull=True).update(
            removed_at=get_clock().now(), label=None, target=None
        )
    request.save(update_fields=["state"])


@handler(KIND, lease=timedelta(minutes=5))
def _job(context: JobContext) -> None:
    while _more(context):
        pass


def _more(context: JobContext) -> bool:
    """One batch; False when nothing is left to do. It stands with the place that it came to, so that a killed worker is gone on for."""
    with tenant_transaction(context.tenant_id):
        if context.subject_id is None:
            return False
        try:
            lock_subject(context.subject_id)
        except NotFound:
            return False  # Erased meanwhile.
        request: ForgetRequest | None = (
            ForgetRequest.objects.select_for_update(of=("self",))
            .filter(id=uuid.UUID(context.key), state=ForgetRequest.State.UNDOING)
            .first()
        )
        if request is None:
            return False
        payload = Job.objects.get(id=context.job_id).payload
        place = (str(payload["holder"]), str(payload["after"])) if "holder" in payload else None
        back = _batch(request, place)
        _note(request.id, back)
        if back.waiting:
            return True
        close(request)
        audit.record(
            context.actor,
            "memory.forget_texts_undone",
            target_kind="forget_request",
            target_id=request.id,
            subject_id=request.subject_id,
            missed=len(back.missed),
        )
    return False


def _batch(request: ForgetRequest, place: Place | None) -> PutBack:
    back = put_back(request.subject_id, [request.id], after=place, limit=BATCH)
    left = [*back.missed, *back.waiting]
    request.undo = json.dumps(left, ensure_ascii=False) if left else None
    request.save(update_fields=["undo"])
    return back


def _note(request_id: uuid.UUID, back: PutBack) -> None:
    for job in Job.objects.filter(
        kind=KIND, key=str(request_id), state__in=[Job.State.PENDING, Job.State.RUNNING]
    ):
        place = {"holder": back.place[0], "after": back.place[1]} if back.place else {}
        job.payload = {**job.payload, **place, "left": back.rows_left}
        job.save(update_fields=["payload"])
