"""Accept an invitation: a new person gets an account, a known one joins the tenant."""

from __future__ import annotations

import uuid
from dataclasses import dataclass

from django.db import connection, transaction
from django.utils import timezone

from accounts import audit
from accounts.actor import Actor, system_actor
from accounts.authentication import hash_secret
from accounts.models import Invitation, Membership, Tenant, User
from accounts.permissions import ROLE_CAPABILITIES
from accounts.services.create_user import create_user
from accounts.services.join_tenant import join_tenant
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import Conflict, NotFound, PermissionDenied


@dataclass(frozen=True)
class OpenInvitation:
    """What the holder of a link may know."""

    tenant_id: uuid.UUID
    tenant_name: str
    email: str
    role: str
    has_account: bool


def open_invitation(token: str) -> OpenInvitation:
    """The invitation of a link; NotFound, always the same, when unknown, used, expired, or its tenant is not active."""
    tenant = _tenant_of(token)
    with tenant_transaction(tenant.pk):
        invitation = _usable(token, lock=False)
    known = User.objects.filter(email=invitation.email).exists()
    return OpenInvitation(tenant.pk, tenant.name, invitation.email, invitation.role, known)


def accept_invitation(
    *, token: str, user: User | None = None, password: str = "", name: str = ""
) -> Membership:
    """The membership that the link gives.

    `user` is the signed-in person, whose address must be the invited one (PermissionDenied); without one, a new person
    is created with `password` (Conflict when the address has an account: sign in first).
    """
    tenant = _tenant_of(token)
    with transaction.atomic(), tenant_transaction(tenant.pk):
        invitation = _usable(token, lock=True)
        if user is None:
            person = create_user(
                email=invitation.email,
                password=password,
                name=name,
                locale=tenant.locale,
                time_zone=tenant.time_zone,
            )
        elif user.email.lower() != invitation.email:
            raise PermissionDenied(
                "this invitation is for another address", hint="Sign in with the invited address."
            )
        else:
            person = user
        if Membership.objects.filter(user=person, is_active=True).exists():
            raise Conflict("you are a member of this tenant already")
        membership = join_tenant(
            actor=system_actor(tenant.pk, door="chat", name="invitation"), user=person, role=invitation.role
        )
        invitation.accepted_at = timezone.now()
        invitation.save(update_fields=["accepted_at"])
        audit.record(
            _as_actor(tenant.pk, person, invitation.role),
            "invitation.accepted",
            target_kind="invitation",
            target_id=invitation.pk,
            membership_id=membership.pk,
        )
    return membership


def _tenant_of(token: str) -> Tenant:
    with connection.cursor() as cursor:
        cursor.execute("SELECT accounts_tenant_of_invitation(%s)", [hash_secret(token)])
        row = cursor.fetchone()
    tenant = Tenant.objects.filter(pk=row[0], status=Tenant.Status.ACTIVE).first() if row and row[0] else None
    if tenant is None:
        raise _gone()
    return tenant


def _usable(token: str, *, lock: bool) -> Invitation:
    found = Invitation.objects.filter(
        token_hash=hash_secret(token), accepted_at__isnull=True, expires_at__gt=timezone.now()
    )
    invitation: Invitation | None = (found.select_for_update() if lock else found).first()
    if invitation is None:
        raise _gone()
    return invitation


def _gone() -> NotFound:
    return NotFound("this invitation does not work (any more)", hint="Ask your admin for a new link.")


def _as_actor(tenant_id: uuid.UUID, user: User, role: str) -> Actor:
    return Actor(
        tenant_id=tenant_id, kind="user", id=str(user.pk), door="chat", capabilities=ROLE_CAPABILITIES[role]
    )
