"""Reads a tenant's audit for who may: pages of it, and lines for a file whose making is itself audited."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db.models import QuerySet

from accounts import audit
from accounts.actor import Actor
from accounts.models import AuditEntry
from accounts.permissions import Capability
from memoryhub.common.db import tenant_transaction

EXPORTED = 20_000
"""Entries of one file; the next file begins behind its last one."""


def audit_entries(
    *,
    actor: Actor,
    action: str = "",
    actor_id: str = "",
    door: str = "",
    since: datetime | None = None,
    until: datetime | None = None,
) -> QuerySet[AuditEntry]:
    """The entries that the filters leave, for a door that pages in the open tenant transaction; [since, until).

    `action` is a whole name ("memory.stored"), or the beginning of some, ended by a dot ("memory.").
    """
    actor.require(Capability.AUDIT_READ)
    rows: QuerySet[AuditEntry] = AuditEntry.objects.all()
    if action.endswith("."):
        rows = rows.filter(action__startswith=action)
    elif action:
        rows = rows.filter(action=action)
    if actor_id:
        rows = rows.filter(actor_id=actor_id)
    if door:
        rows = rows.filter(door=door)
    if since is not None:
        rows = rows.filter(at__gte=since)
    if until is not None:
        rows = rows.filter(at__lt=until)
    return rows


def export_audit(*, actor: Actor, after: int = 0, limit: int = EXPORTED) -> list[dict[str, Any]]:
    """The entries behind number `after`, oldest first, each with its hash and that of the one before it."""
    actor.require(Capability.AUDIT_READ)
    with tenant_transaction(actor.tenant_id):
        rows = list(AuditEntry.objects.filter(seq__gt=after).order_by("seq")[:limit])
        first, last = (rows[0].seq, rows[-1].seq) if rows else (after, after)
        audit.record(
            actor,
            "audit.exported",
            target_kind="tenant",
            target_id=actor.tenant_id,
            first=first,
            last=last,
            entries=len(rows),
        )
    return [entry_data(row) for row in rows]


def entry_data(row: AuditEntry) -> dict[str, Any]:
    """One entry as plain data."""
    return {
        "seq": row.seq,
        "id": str(row.pk),
        "at": row.at.isoformat(),
        "actor_kind": row.actor_kind,
        "actor_id": row.actor_id,
        "door": row.door,
        "action": row.action,
        "changes": row.changes,
        "prev_hash": bytes(row.prev_hash).hex(),
        "hash": bytes(row.hash).hex(),
    }
