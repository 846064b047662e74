"""Querysets that read as sentences: Memory.objects.of(subject).current().pinned()."""

from __future__ import annotations

import uuid
from datetime import datetime
from typing import TYPE_CHECKING, Self

from django.db.models import Q

from accounts.tenancy import TenantQuerySet

if TYPE_CHECKING:
    from memories.models import Episode, Memory  # noqa: F401 - named in the generics below


class MemoryQuerySet(TenantQuerySet["Memory"]):
    """Memories of the open tenant."""

    def of(self, subject_id: uuid.UUID) -> Self:
        return self.filter(subject_id=subject_id)

    def current(self) -> Self:
        return self.filter(status="current")

    def alive(self, now: datetime) -> Self:
        """Current and not past its own end, which a pin suspends."""
        return self.current().filter(Q(pinned=True) | Q(expires_at__isnull=True) | Q(expires_at__gt=now))

    def pinned(self) -> Self:
        return self.filter(pinned=True)

    def constraints(self) -> Self:
        return self.filter(kind="constraint")


class EpisodeQuerySet(TenantQuerySet["Episode"]):
    """Episodes of the open tenant."""

    def of(self, subject_id: uuid.UUID) -> Self:
        return self.filter(subject_id=subject_id)

    def current(self) -> Self:
        return self.filter(status="current")
