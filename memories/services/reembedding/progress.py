"""Tells how far each generation is filled, tenant by tenant, how fast, and when it will be done."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from accounts.models import Tenant
from memories.models import EmbeddingSpace
from memories.services.every_tenant import active_tenant_ids
from memories.store.generations import filled, made_since
from memoryhub.common.db import tenant_transaction

MEASURED = timedelta(minutes=5)
"""The rate is that of the last five minutes, or of the time since the generation was started."""


@dataclass(frozen=True, slots=True)
class Progress:
    """One tenant's part of a generation. `rate` is in vectors a second; `eta` in seconds, None while nothing moves."""

    tenant_id: uuid.UUID
    slug: str
    total: int
    missing: int
    rate: float

    @property
    def done(self) -> int:
        return self.total - self.missing

    @property
    def eta(self) -> float | None:
        if not self.missing:
            return 0.0
        return self.missing / self.rate if self.rate > 0 else None


def progress(*, space: EmbeddingSpace, now: datetime) -> Iterator[Progress]:
    """One row an active tenant. Counts all of its items, so it is for people and for switching, not for each request."""
    since = max(now - MEASURED, space.changed_at or space.created_at)
    seconds = max(1.0, (now - since).total_seconds())
    slugs = dict(Tenant.objects.values_list("id", "slug"))
    for tenant_id in active_tenant_ids():
        with tenant_transaction(tenant_id):
            part = filled(space.id)
            recent = made_since(space.id, since) if part.missing else 0
        yield Progress(tenant_id, slugs.get(tenant_id, ""), part.total, part.missing, recent / seconds)


def missing_in(space_id: int) -> int:
    """Number of items of all active tenants without a vector in the generation."""
    missing = 0
    for tenant_id in active_tenant_ids():
        with tenant_transaction(tenant_id):
            missing += filled(space_id).missing
    return missing
