"""Periodic work on accounts."""

from __future__ import annotations

import logging

from celery import shared_task

from accounts.anchors import write_anchor
from accounts.models import Tenant
from memoryhub.common.db import tenant_transaction

logger = logging.getLogger(__name__)


@shared_task(name="accounts.tasks.anchor_audit")
def anchor_audit() -> int:
    """Anchor each tenant's audit chain outside the database; how many had something new. Several at once do no harm."""
    anchored = 0
    for tenant_id in list(Tenant.objects.values_list("pk", flat=True)):
        with tenant_transaction(tenant_id):
            seq = write_anchor()
        if seq is not None:
            anchored += 1
            logger.info("audit_anchored", extra={"tenant_id": str(tenant_id), "seq": seq})
    return anchored
