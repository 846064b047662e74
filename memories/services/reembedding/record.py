"""Writes a change of generations into every tenant's audit chain, and asks for the work that it brings."""

from __future__ import annotations

import uuid
from typing import Any

from accounts import audit
from accounts.actor import system_actor
from memories.services.every_tenant import every_tenant
from memories.services.jobs import enqueue
from memoryhub.common.db import tenant_transaction


def record_everywhere(action: str, space_id: int, *, fill: bool = False, **detail: Any) -> None:
    """One audit entry a tenant; with `fill`, the job that embeds what has no vector, too."""

    def record(tenant_id: uuid.UUID) -> None:
        actor = system_actor(tenant_id, door="command", name="reembed")
        with tenant_transaction(tenant_id):
            if fill:
                enqueue(kind="index_pending", key="index_pending")
            audit.record(actor, action, target_kind="embedding_space", target_id=str(space_id), **detail)

    every_tenant(record)
