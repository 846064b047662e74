"""Celery tasks of the sessions app: periodic, each calling one service; jobs run through memories.tasks.run_job."""

from __future__ import annotations

from celery import shared_task

from memories.adapters.factory import get_clock
from memories.schedule import Periodic
from sessions_app import relay
from sessions_app.protocol import resync_frame
from sessions_app.services.end_session import end_idle_sessions
from sessions_app.services.mark_interrupted import mark_interrupted as mark
from sessions_app.services.reconcile_sessions import reconcile_sessions


@shared_task(name="sessions_app.tasks.end_idle")
def end_idle() -> None:
    """End the sessions that fell silent."""
    end_idle_sessions(get_clock().now())


@shared_task(name="sessions_app.tasks.mark_interrupted")
def mark_interrupted() -> None:
    """Mark answers whose process died, and have the open pages look again."""
    for _tenant_id, session_id, _turn_id in mark(get_clock().now()):
        relay.session_changed(session_id, resync_frame())


@shared_task(name="sessions_app.tasks.reconcile")
def reconcile() -> None:
    """Ask again for learning and compactions that were lost."""
    reconcile_sessions(get_clock().now())


PERIODIC = (
    Periodic("end idle sessions", "sessions_app.tasks.end_idle", every_seconds=60),
    Periodic("mark interrupted answers", "sessions_app.tasks.mark_interrupted", every_seconds=15),
    Periodic("reconcile sessions", "sessions_app.tasks.reconcile", every_seconds=60),
)
