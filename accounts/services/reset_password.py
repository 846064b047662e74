"""Reset a password without a mail server: an admin makes a one-time link and hands it over."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.contrib.auth.tokens import default_token_generator
from django.urls import reverse
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode

from accounts import audit
from accounts.actor import Actor, system_actor
from accounts.members import belongs_elsewhere, live_memberships
from accounts.models import Membership, User
from accounts.permissions import ROLE_CAPABILITIES, Capability
from accounts.services.checks import check_grant, clean_email
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import NotFound, PermissionDenied


def make_reset_link(*, actor: Actor, user_id: uuid.UUID) -> str:
    """The absolute one-time link for a member of the actor's tenant; it works for settings.PASSWORD_RESET_TIMEOUT s.

    Who also belongs to another tenant, even a suspended one or one that they left, or is platform staff, cannot be
    reset by one tenant's admin: that admin would hold the keys to the other tenant. Nor can one who may do more here
    than the actor. The operator of the installation can (`manage.py reset_link`).
    """
    actor.require(Capability.MEMBERS_WRITE)
    with tenant_transaction(actor.tenant_id):
        membership = Membership.objects.filter(user_id=user_id, is_active=True).select_related("user").first()
        if membership is None:
            raise NotFound("no such member")
        if belongs_elsewhere(user_id, actor.tenant_id) or membership.user.is_platform_staff:
            raise PermissionDenied(
                "this person also belongs to another tenant",
                hint="Ask whoever runs this installation: manage.py reset_link.",
            )
        check_grant(actor, ROLE_CAPABILITIES[membership.role])
        audit.record(actor, "member.reset_link", target_kind="user", target_id=user_id)
    return _link(membership.user)


def make_reset_link_by_operator(*, email: str) -> str:
    """For `manage.py reset_link`: any active person, audited in each tenant that they belong to."""
    user = User.objects.filter(email=clean_email(email), is_active=True).first()
    if user is None:
        raise NotFound("no active account has this address")
    for row in live_memberships(user.pk):
        with tenant_transaction(row.tenant_id):
            audit.record(
                system_actor(row.tenant_id, door="command"),
                "member.reset_link",
                target_kind="user",
                target_id=user.pk,
            )
    return _link(user)


def _link(user: User) -> str:
    # The token is a keyed hash over the password's hash and the last sign-in: using it, or signing in, spends it.
    uid = urlsafe_base64_encode(force_bytes(user.pk))
    path = reverse("reset_password", args=[uid, default_token_generator.make_token(user)])
    return settings.SITE_URL.rstrip("/") + path
