"""Choose the tenant to work in; platform staff may choose any active one, which the tenant's audit shows."""

from __future__ import annotations

import uuid
from typing import Any

from accounts import audit
from accounts.actor import Actor
from accounts.members import live_memberships, member_of, staff_member
from accounts.models import Tenant
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import NotFound


def choose_tenant(*, user: Any, tenant_id: uuid.UUID) -> Actor:
    """The actor in the chosen tenant (the caller keeps its id in the session); NotFound when it is not theirs."""
    member = member_of(user, tenant_id, "chat")
    if member is not None:
        return member
    staff = staff_member(user, tenant_id, "admin")
    if staff is None:
        raise NotFound("no such tenant")
    with tenant_transaction(tenant_id):
        audit.record(staff, "staff.entered", target_kind="tenant", target_id=tenant_id)
    return staff


def tenants_to_choose(user: Any) -> list[Tenant]:
    """The active tenants of the person's memberships; all active ones for platform staff. Ordered by slug."""
    active = Tenant.objects.filter(status=Tenant.Status.ACTIVE)
    if user.is_platform_staff:
        return list(active)
    return list(active.filter(pk__in=[row.tenant_id for row in live_memberships(user.pk)]))
