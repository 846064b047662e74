"""Make a person a member of a tenant, or bring a deactivated member back; their own subject comes with it."""

from __future__ import annotations

from accounts import audit
from accounts.actor import Actor
from accounts.models import Membership, User
from accounts.permissions import Capability
from accounts.services.checks import check_role
from accounts.services.ensure_subject import ensure_person_subject
from memoryhub.common.db import tenant_transaction


def join_tenant(*, actor: Actor, user: User, role: str) -> Membership:
    """Idempotent; an active member keeps their role (change_role changes it), a deactivated one gets the new role."""
    actor.require(Capability.MEMBERS_WRITE)
    check_role(role)
    with tenant_transaction(actor.tenant_id):
        Membership.objects.bulk_create([Membership(user=user, role=role)], ignore_conflicts=True)
        membership: Membership = Membership.objects.select_for_update().get(user=user)
        if not membership.is_active:
            membership.is_active, membership.role = True, role
            membership.save(update_fields=["is_active", "role"])
        ensure_person_subject(actor=actor, user=user)
        audit.record(
            actor,
            "member.joined",
            target_kind="membership",
            target_id=membership.pk,
            user_id=user.pk,
            role=membership.role,
        )
    return membership
