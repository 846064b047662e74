"""Purge: remove for good what is past its retention: tombstoned memories, traces, finished work (R25)."""

from __future__ import annotations

from datetime import datetime

from accounts.actor import Actor


def purge(*, actor: Actor, now: datetime | None = None) -> dict[str, int]:
    """Rows removed, by what they were."""
    raise NotImplementedError
