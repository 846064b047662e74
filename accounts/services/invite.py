"""Invite an address into the actor's tenant: a link with a token, for one address, once, until it expires."""

from __future__ import annotations

import secrets
from datetime import timedelta

from django.conf import settings
from django.utils import timezone

from accounts import audit
from accounts.actor import Actor
from accounts.authentication import hash_secret
from accounts.models import Invitation
from accounts.permissions import ROLE_CAPABILITIES, Capability
from accounts.services.checks import check_grant, check_role, clean_email
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import NotFound


def invite(*, actor: Actor, email: str, role: str, days: int | None = None) -> tuple[Invitation, str]:
    """(invitation, token): the token is shown once, in the link /invite/<token>/; only its hash is stored.

    A newer invitation of the same address replaces the open ones.
    """
    actor.require(Capability.MEMBERS_WRITE)
    address = clean_email(email)
    check_role(role)
    check_grant(actor, ROLE_CAPABILITIES[role])
    token = secrets.token_urlsafe(32)
    now = timezone.now()
    with tenant_transaction(actor.tenant_id):
        open_ones = Invitation.objects.filter(email=address, accepted_at__isnull=True, expires_at__gt=now)
        replaced = open_ones.update(expires_at=now)
        invitation = Invitation.objects.create(
            email=address,
            role=role,
            token_hash=hash_secret(token),
            invited_by_id=actor.id if actor.kind == "user" else None,
            expires_at=now + timedelta(days=days or settings.INVITATION_DAYS),
        )
        audit.record(
            actor,
            "member.invited",
            target_kind="invitation",
            target_id=invitation.pk,
            role=role,
            replaced=replaced,
        )
    return invitation, token


def withdraw_invitation(*, actor: Actor, invitation_id: object) -> None:
    """The link stops working; NotFound when it is accepted, expired or not the tenant's."""
    actor.require(Capability.MEMBERS_WRITE)
    now = timezone.now()
    with tenant_transaction(actor.tenant_id):
        found = Invitation.objects.filter(pk=invitation_id, accepted_at__isnull=True, expires_at__gt=now)
        if not found.update(expires_at=now):
            raise NotFound("no open invitation of this id")
        audit.record(actor, "member.uninvited", target_kind="invitation", target_id=str(invitation_id))
