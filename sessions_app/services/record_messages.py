"""Record many messages of a session, in order, and learn from them at once or by a job."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from accounts.actor import Actor
from memories.models import Job
from memories.services.jobs import JobContext, enqueue, handler
from memories.services.operations import BY, Progress, principal, progress_of
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import Invalid
from memoryhub.common.ids import uuid7
from sessions_app.models import Turn
from sessions_app.services.access import access_session
from sessions_app.services.learn_now import learn_now
from sessions_app.services.learn_turn import learn_turn
from sessions_app.services.record_turn import record_turn

KIND = "learn_turns"
MOST = 500
AT_ONCE = 20
"""Messages that a caller waits for to be learnt from."""


@dataclass(frozen=True, slots=True)
class RecordedMessages:
    """The turns in order, and the job that learns from them where the caller does not wait."""

    turns: list[Turn]
    job_id: uuid.UUID | None


def record_messages(
    *, actor: Actor, session_id: uuid.UUID, messages: Sequence[Mapping[str, Any]], wait: bool, mark: str = ""
) -> RecordedMessages:
    """All of them or, on an error, none: the arguments of `record_turn` each. `mark` names the call, so that the same one
    stores its messages once. Raises what record_turn raises. With `wait` it embeds: not to be called inside a transaction.
    """
    if not 1 <= len(messages) <= MOST:
        raise Invalid("too many at once", fields={"messages": f"1 to {MOST} messages"})
    turns: list[Turn] = []
    fresh: list[tuple[Turn, str]] = []
    job_id: uuid.UUID | None = None
    with tenant_transaction(actor.tenant_id):
        session = access_session(actor, session_id, write=True, lock=True)
        for number, message in enumerate(messages):
            given = dict(message)
            if mark:
                given.setdefault("client_msg_id", f"{mark}:{number}")
            recorded = record_turn(actor=actor, session_id=session_id, learns_now=True, **given)
            turns.append(recorded.turn)
            if recorded.created:
                fresh.append((recorded.turn, str(given["content"])))
        if not wait:
            job_id = enqueue(
                kind=KIND,
                key=uuid.uuid5(session_id, mark).hex if mark else uuid7().hex,
                payload={"turns": [str(turn.pk) for turn in turns], BY: principal(actor)},
                subject_id=session.subject_id,
            )
    if wait:
        for turn, text in fresh:
            learn_now(actor=actor, turn=turn, text=text)
    return RecordedMessages(turns, job_id)


@handler(KIND, lease=timedelta(minutes=5))
def _job(job: JobContext) -> None:
    """What was learnt from before is passed over."""
    for turn_id in job.payload["turns"]:
        learn_turn(actor=job.actor, turn_id=uuid.UUID(turn_id), now=job.now)


@progress_of(KIND)
def _progress(job: Job) -> Progress:
    ids = [uuid.UUID(one) for one in job.payload["turns"]]
    rows = {turn.pk: turn for turn in Turn.objects.filter(pk__in=ids).only("outcomes", "learned_at")}
    results = [
        {"index": number, "outcomes": rows[pk].outcomes, "error": "", "turn_id": pk}
        for number, pk in enumerate(ids)
        if pk in rows and rows[pk].learned_at is not None
    ]
    return Progress(len(results), len(ids), results)
