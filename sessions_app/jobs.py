"""The session app's job handlers: each takes ids out of a job row and calls one service."""

from __future__ import annotations

import uuid
from datetime import timedelta

from memories.services.jobs import JobContext, handler
from sessions_app.services import record_messages  # noqa: F401  (registers its handler)
from sessions_app.services.close_session import close_session
from sessions_app.services.compact_session import compact_session
from sessions_app.services.learn_turn import learn_turn
from sessions_app.services.promote_topic import promote_topic

MODEL_LEASE = timedelta(seconds=120)
"""A digest may wait for a model for a minute; a killed worker's compaction starts again after this."""


@handler("learn_turn")
def _learn_turn(job: JobContext) -> None:
    learn_turn(actor=job.actor, turn_id=uuid.UUID(job.payload["turn_id"]), now=job.now)


@handler("compact_session", lease=MODEL_LEASE)
def _compact_session(job: JobContext) -> None:
    compact_session(actor=job.actor, session_id=uuid.UUID(job.payload["session_id"]), now=job.now)


@handler("promote_topic")
def _promote_topic(job: JobContext) -> None:
    promote_topic(
        actor=job.actor,
        slot_id=uuid.UUID(job.payload["slot_id"]),
        turn_id=uuid.UUID(job.payload["turn_id"]),
    )


@handler("close_session", lease=MODEL_LEASE)
def _close_session(job: JobContext) -> None:
    close_session(actor=job.actor, session_id=uuid.UUID(job.payload["session_id"]), now=job.now)
