"""Leave the tenant that platform staff had chosen; its audit shows when."""

from __future__ import annotations

from accounts import audit
from accounts.actor import Actor
from accounts.permissions import PLATFORM_STAFF_CAPABILITIES
from memoryhub.common.db import tenant_transaction


def visits(actor: Actor) -> bool:
    """Whether the actor is platform staff in a tenant that is not theirs."""
    return actor.kind == "user" and actor.capabilities == PLATFORM_STAFF_CAPABILITIES


def leave_tenant(*, actor: Actor) -> None:
    """The entry in the tenant's audit, for who visits; the caller forgets the choice in the session."""
    if visits(actor):
        with tenant_transaction(actor.tenant_id):
            audit.record(actor, "staff.left", target_kind="tenant", target_id=actor.tenant_id)
