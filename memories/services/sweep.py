"""Sweep: let go of what has ended, faded or is too much, in resumable batches, with a report (R24)."""

from __future__ import annotations

from datetime import datetime

from accounts.actor import Actor
from memories.models import SweepRun


def sweep(*, actor: Actor, dry_run: bool = False, now: datetime | None = None) -> SweepRun:
    """The report."""
    raise NotImplementedError
