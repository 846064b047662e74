"""Walks the active tenants one by one, so that a failure in one does not keep the others from their turn."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import TypeVar

import structlog

from accounts.models import Tenant

log = structlog.get_logger(__name__)

T = TypeVar("T")


def active_tenant_ids() -> list[uuid.UUID]:
    """Ids of the tenants that are served, in a stable order."""
    return list(
        Tenant.objects.filter(status=Tenant.Status.ACTIVE).order_by("id").values_list("id", flat=True)
    )


def every_tenant(function: Callable[[uuid.UUID], T]) -> dict[uuid.UUID, T]:
    """The function's result for each tenant that it succeeded in; raises at the end when it failed in any."""
    results: dict[uuid.UUID, T] = {}
    failed: list[str] = []
    for tenant_id in active_tenant_ids():
        try:
            results[tenant_id] = function(tenant_id)
        except Exception as error:  # One tenant's trouble must not starve the rest; it is reported below.
            log.exception("tenant.failed", tenant_id=str(tenant_id), error=type(error).__name__)
            failed.append(str(tenant_id))
    if failed:
        raise RuntimeError(
            f"failed in {len(failed)} of {len(failed) + len(results)} tenants: {', '.join(failed[:5])}"
        )
    return results
