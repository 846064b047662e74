"""Change a member's role, deactivate a member: the last admin cannot be lost that way."""

from __future__ import annotations

import uuid

from accounts import audit
from accounts.actor import Actor
from accounts.models import Membership, Role
from accounts.permissions import Capability
from accounts.services.checks import check_role
from accounts.sockets import close_sockets
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import Conflict, NotFound


def change_role(*, actor: Actor, user_id: uuid.UUID, role: str) -> Membership:
    """NotFound unless an active member of the actor's tenant; Conflict for the last admin."""
    actor.require(Capability.MEMBERS_WRITE)
    check_role(role)
    with tenant_transaction(actor.tenant_id):
        membership = _locked(user_id)
        if membership.role == role:
            return membership
        before, membership.role = membership.role, role
        if before == Role.ADMIN:
            _refuse_last_admin(membership)
        membership.save(update_fields=["role"])
        audit.record(
            actor,
            "member.role_changed",
            target_kind="membership",
            target_id=membership.pk,
            user_id=user_id,
            before=before,
            after=role,
        )
        close_sockets(user_id, "role")
    return membership


def deactivate_member(*, actor: Actor, user_id: uuid.UUID) -> Membership:
    """The person can do nothing in this tenant any more, at once; their memories stay until erased."""
    actor.require(Capability.MEMBERS_WRITE)
    with tenant_transaction(actor.tenant_id):
        membership = _locked(user_id)
        if membership.role == Role.ADMIN:
            _refuse_last_admin(membership)
        membership.is_active = False
        membership.save(update_fields=["is_active"])
        audit.record(
            actor, "member.deactivated", target_kind="membership", target_id=membership.pk, user_id=user_id
        )
        close_sockets(user_id, "deactivated")
    return membership


def _locked(user_id: uuid.UUID) -> Membership:
    # Every active admin is locked too, in one order, so that two admins cannot remove each other at once.
    rows: list[Membership] = list(
        Membership.objects.select_for_update().filter(is_active=True).order_by("id")
    )
    for row in rows:
        if row.user_id == user_id:
            return row
    raise NotFound("no such member")


def _refuse_last_admin(leaving: Membership) -> None:
    others = Membership.objects.filter(is_active=True, role=Role.ADMIN).exclude(pk=leaving.pk)
    if not others.exists():
        raise Conflict("this is the tenant's last admin", hint="Make somebody else an admin first.")
