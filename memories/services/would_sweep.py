"""What a sweep would take now under a policy, counted within a bounded time; changes nothing."""

from __future__ import annotations

import uuid
from datetime import datetime

import psycopg
from django.db import OperationalError

from accounts.actor import Actor
from memories.core.policy import Policy
from memories.store import sweep_preview
from memories.store.sweep import Broom, Counts
from memoryhub.common.db import tenant_transaction

MILLISECONDS = 8_000
"""A page waits no longer for a count; a dry run of a sweep has no such limit."""


def would_sweep(
    *, actor: Actor, policies: list[Policy], now: datetime, patience: int = MILLISECONDS
) -> tuple[list[Counts], int] | None:
    """For each policy the counts by rule and kind, and how many memories were looked at; None when a count takes longer than `patience`
    milliseconds. Whoever calls it has seen to it that the actor may know."""
    counted: list[Counts] = []
    examined = 0
    try:
        with tenant_transaction(actor.tenant_id, settings={"statement_timeout": str(patience)}):
            for policy in policies:
                broom = Broom(policy, now, uuid.UUID(int=0), actor.kind, actor.id)
                counts, examined = sweep_preview.preview(broom)
                counted.append(counts)
    except OperationalError as error:
        if not isinstance(error.__cause__, psycopg.errors.QueryCanceled):
            raise
        return None
    return counted, examined
