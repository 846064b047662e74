"""Lists what was deleted and may still be brought back, and finds one tombstone (R25)."""

from __future__ import annotations

import uuid

from django.db.models import QuerySet

from accounts.actor import Actor
from memories.adapters.factory import get_clock
from memories.models import Tombstone
from memories.services.subjects import check_readable
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import NotFound


def tombstones_of(*, actor: Actor, subject_id: uuid.UUID, restorable: bool = True) -> QuerySet[Tombstone]:
    """The subject's tombstones with their memories, for a door that pages; with `restorable`, only those that stand and
    whose retention has not ended."""
    check_readable(actor, subject_id, "tombstones.list")
    rows: QuerySet[Tombstone] = Tombstone.objects.filter(subject_id=subject_id)
    if restorable:
        rows = rows.filter(restored_at__isnull=True, purge_after__gt=get_clock().now())
    return rows.select_related("memory").defer("undo", "memory__content_encrypted")


def get_tombstone(*, actor: Actor, tombstone_id: uuid.UUID) -> Tombstone:
    """One tombstone with its memory; NotFound where the actor may not read its subject."""
    with tenant_transaction(actor.tenant_id):
        rows = Tombstone.objects.filter(pk=tombstone_id).select_related("memory")
        found: Tombstone | None = rows.defer("undo", "memory__content_encrypted").first()
        if found is None:
            raise NotFound("no such tombstone")
        try:
            check_readable(actor, found.subject_id, "tombstone.read")
        except NotFound:
            raise NotFound("no such tombstone") from None
    return found
