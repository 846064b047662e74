"""Event status: what became of work that goes on after a door has answered: a message, a request to forget, an erasure, an operation."""

from __future__ import annotations

import uuid
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from accounts.actor import Actor
from memories.models import Erasure, ForgetRequest, Job
from memories.services.erase_subject import get_erasure
from memories.services.forget_requests import mine
from memories.services.operations import get_operation
from memories.services.outcome import Reason
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import NotFound
from sessions_app.models import Turn
from sessions_app.services.access import access_turn

_STATES = {
    Job.State.PENDING: "pending",
    Job.State.RUNNING: "running",
    Job.State.DONE: "done",
    Job.State.FAILED: "failed",
}
_REQUESTS = {
    ForgetRequest.State.WAITING: "waiting",
    ForgetRequest.State.DONE: "done",
    ForgetRequest.State.REFUSED: "refused",
    ForgetRequest.State.UNDOING: "running",
    ForgetRequest.State.RESTORED: "undone",
}
_ERASURES = {Erasure.State.DONE: "done"}


@dataclass(frozen=True, slots=True)
class EventStatus:
    """`state` is pending, running, done or failed; of a request to forget also waiting, refused or undone.

    `results` are the outcomes of a message's statements, as data; `error_code` says why it failed, or failed so far.
    """

    id: uuid.UUID
    kind: str
    state: str
    results: list[dict[str, Any]] = field(default_factory=list)
    error_code: str = ""
    asked_at: datetime | None = None
    finished_at: datetime | None = None


def event_status(*, actor: Actor, event_id: uuid.UUID) -> EventStatus:
    """What became of it; NotFound when there is no such event, or it is about a subject that the actor does not reach.

    Ids and codes only: nothing that was said.
    """
    for look in (_message, _request, _erasure, _operation):
        try:
            with tenant_transaction(actor.tenant_id):
                return look(actor, event_id)
        except NotFound:
            continue
    raise NotFound("no such event")


def _message(actor: Actor, event_id: uuid.UUID) -> EventStatus:
    turn: Turn = access_turn(actor, event_id)
    job: Job | None = Job.objects.filter(kind="learn_turn", key=str(turn.pk)).order_by("-id").first()
    if turn.learned_at is not None:
        state = "done"
    elif job is None:
        # Learnt from while its sender waits, or after that failed: beat asks for what is left over.
        state = "pending"
    else:
        state = _STATES[Job.State(job.state)]
    results = [dict(one) for one in turn.outcomes]
    error = job.error_code if job is not None and turn.learned_at is None else ""
    return EventStatus(turn.pk, "message", state, results, error, turn.said_at, turn.learned_at)


def _request(actor: Actor, event_id: uuid.UUID) -> EventStatus:
    row = mine(actor, event_id)
    state = _REQUESTS[ForgetRequest.State(row.state)]
    if state == "done":
        open_states = [Job.State.PENDING, Job.State.RUNNING]
        work = Job.objects.filter(subject_id=row.subject_id, key=str(row.pk), state__in=open_states)
        # Recalled no more at once; in texts the words are taken out by a job.
        state = "running" if work.exists() else state
    results = [{"memories": row.memories, "texts": row.texts}]
    return EventStatus(row.pk, "forget_request", state, results, "", row.asked_at, row.decided_at)


def _erasure(actor: Actor, event_id: uuid.UUID) -> EventStatus:
    row = get_erasure(actor=actor, erasure_id=event_id)
    state = _ERASURES.get(Erasure.State(row.state), "running")
    return EventStatus(row.pk, "erasure", state, [], "", row.requested_at, row.finished_at)


def _operation(actor: Actor, event_id: uuid.UUID) -> EventStatus:
    found = get_operation(actor=actor, operation_id=event_id)
    job, results = found.job, []
    for part in found.progress.results if found.progress is not None else ():
        results += [{**outcome, "index": part["index"]} for outcome in part["outcomes"]]
        if part["error"]:
            results.append({"code": Reason.ERROR.value, "index": part["index"], "rule": part["error"]})
    state = _STATES[Job.State(job.state)]
    return EventStatus(job.pk, "operation", state, results, job.error_code, job.created_at, job.finished_at)
