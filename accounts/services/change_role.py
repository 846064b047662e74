"""Change a member's role, deactivate a member and take one back: the last admin cannot be lost that way."""

from __future__ import annotations

import uuid

from django.utils import timezone

from accounts import audit
from accounts.actor import Actor
from accounts.models import ApiKey, Membership, Role, Subject
from accounts.permissions import ROLE_CAPABILITIES, Capability
from accounts.services.checks import check_grant, check_role
from accounts.sockets import close_sockets
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import Conflict, NotFound


def change_role(*, actor: Actor, user_id: uuid.UUID, role: str) -> Membership:
    """NotFound unless an active member of the actor's tenant; Conflict for the last admin."""
    actor.require(Capability.MEMBERS_WRITE)
    check_role(role)
    check_grant(actor, ROLE_CAPABILITIES[role])
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
    """The person can do nothing in this tenant any more, at once; their memories stay until erased.

    API keys bound to their subject are revoked, for good; keys of the whole tenant that they once made are the tenant's.
    """
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
        _revoke_keys(actor, user_id)
        close_sockets(user_id, "deactivated")
    return membership


def reactivate_member(*, actor: Actor, user_id: uuid.UUID) -> Membership:
    """A deactivated member comes back in the role that they had; NotFound unless there is one, PermissionDenied where that
    role may do more than the actor. Keys that were revoked stay revoked."""
    actor.require(Capability.MEMBERS_WRITE)
    with tenant_transaction(actor.tenant_id):
        rows = Membership.objects.select_for_update().filter(user_id=user_id, is_active=False)
        membership: Membership | None = rows.first()
        if membership is None:
            raise NotFound("no deactivated member of this id")
        check_grant(actor, ROLE_CAPABILITIES[membership.role])
        membership.is_active = True
        membership.save(update_fields=["is_active"])
        audit.record(
            actor, "member.reactivated", target_kind="membership", target_id=membership.pk, user_id=user_id
        )
    return membership


def _revoke_keys(actor: Actor, user_id: uuid.UUID) -> None:
    own = Subject.objects.filter(user_id=user_id).values("pk")
    keys = ApiKey.objects.select_for_update().filter(subject_id__in=own, revoked_at__isnull=True)
    for key in keys.order_by("id"):
        key.revoked_at = timezone.now()
        key.save(update_fields=["revoked_at"])
        audit.record(actor, "key.revoked", target_kind="api_key", target_id=key.pk)


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
