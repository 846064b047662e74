"""Create a tenant, and suspend or resume one."""

from __future__ import annotations

import uuid

from django.core.exceptions import ValidationError
from django.core.validators import validate_slug
from django.db import IntegrityError, transaction

from accounts import audit
from accounts.actor import Actor, Door, system_actor
from accounts.models import Tenant, User
from accounts.permissions import PLATFORM_STAFF_CAPABILITIES, Capability
from accounts.services.checks import check_time_zone
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import Conflict, Invalid, NotFound, PermissionDenied
from memoryhub.common.ids import uuid7


def create_tenant(
    *,
    slug: str,
    name: str,
    locale: str = "en",
    time_zone: str = "UTC",
    user: User | None = None,
    door: Door = "command",
) -> Tenant:
    """A new, empty tenant, created by platform staff (`user`) or by the system; Conflict when the slug is taken."""
    tenant_id = uuid7()
    actor = _creator(tenant_id, user, door)
    actor.require(Capability.TENANTS_WRITE)
    _check(slug, name)
    check_time_zone(time_zone)
    try:
        with transaction.atomic():
            tenant = Tenant.objects.create(
                id=tenant_id, slug=slug, name=name.strip(), locale=locale, time_zone=time_zone
            )
            with tenant_transaction(tenant_id):
                audit.record(actor, "tenant.created", target_kind="tenant", target_id=tenant_id)
    except IntegrityError:
        raise Conflict("this slug is taken", hint="Choose another slug.", fields={"slug": "taken"}) from None
    return tenant


def suspend_tenant(*, actor: Actor, reason: str = "") -> Tenant:
    """Nobody acts in the actor's tenant from now on: sessions, keys and sockets find no actor. Data stays."""
    return _set_status(actor, Tenant.Status.SUSPENDED, "tenant.suspended", reason)


def resume_tenant(*, actor: Actor, reason: str = "") -> Tenant:
    """Undo suspend_tenant."""
    return _set_status(actor, Tenant.Status.ACTIVE, "tenant.resumed", reason)


def _set_status(actor: Actor, status: str, action: str, reason: str) -> Tenant:
    actor.require(Capability.TENANTS_WRITE)
    if len(reason) > 200:
        raise Invalid("the reason is too long", fields={"reason": "at most 200 characters"})
    with tenant_transaction(actor.tenant_id):
        tenant = Tenant.objects.select_for_update().filter(pk=actor.tenant_id).first()
        if tenant is None:
            raise NotFound("no such tenant")
        if tenant.status == Tenant.Status.DELETING:
            raise Conflict("this tenant is being deleted")
        if tenant.status != status:
            tenant.status = status
            tenant.save(update_fields=["status"])
            audit.record(actor, action, target_kind="tenant", target_id=tenant.pk, reason=reason)
    return tenant


def _creator(tenant_id: uuid.UUID, user: User | None, door: Door) -> Actor:
    if user is None:
        return system_actor(tenant_id, door=door)
    if not (user.is_platform_staff and user.is_active):
        raise PermissionDenied("only platform staff create tenants")
    capabilities = PLATFORM_STAFF_CAPABILITIES
    return Actor(tenant_id=tenant_id, kind="user", id=str(user.pk), door=door, capabilities=capabilities)


def _check(slug: str, name: str) -> None:
    fields = {}
    try:
        validate_slug(slug)
    except ValidationError:
        fields["slug"] = "letters, digits, hyphens and underscores"
    if len(slug) > 63:
        fields["slug"] = "at most 63 characters"
    if not 1 <= len(name.strip()) <= 200:
        fields["name"] = "1 to 200 characters"
    if fields:
        raise Invalid("the tenant cannot be created", fields=fields)
