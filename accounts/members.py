"""From a signed-in person to an actor: which tenants they belong to, and which one they work in now."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from importlib import import_module
from typing import Any, NamedTuple

from django.conf import settings
from django.contrib.auth import get_user
from django.db import connection
from django.http import HttpRequest

from accounts.actor import Actor, Door
from accounts.models import Tenant, User
from accounts.permissions import PLATFORM_STAFF_CAPABILITIES, ROLE_CAPABILITIES

TENANT_SESSION_KEY = "tenant_id"


class LiveMembership(NamedTuple):
    """An active membership of an active user in an active tenant; `subject_id` is the person's own subject there."""

    tenant_id: uuid.UUID
    role: str
    subject_id: uuid.UUID | None


def live_memberships(user_id: uuid.UUID) -> list[LiveMembership]:
    """Ordered by the tenant's slug; one query through a look-up that needs no tenant."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT tenant_id, role, subject_id FROM accounts_memberships_of(%s)", [user_id])
        return [LiveMembership(*row) for row in cursor.fetchall()]


def belongs_elsewhere(user_id: uuid.UUID, tenant_id: uuid.UUID) -> bool:
    """Has the person a membership of another tenant, in whatever state? A suspended one may be resumed."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT accounts_belongs_elsewhere(%s, %s)", [user_id, tenant_id])
        return bool(cursor.fetchone()[0])


def memberships(user: Any) -> list[tuple[uuid.UUID, str]]:
    """(tenant id, role) of each tenant the person may work in now."""
    if not user.is_authenticated:
        return []
    return [(row.tenant_id, row.role) for row in live_memberships(user.pk)]


def member_of(user: Any, tenant_id: uuid.UUID, door: Door) -> Actor | None:
    """The person as an actor in that tenant; None once the membership, the person or the tenant is not active."""
    if not user.is_authenticated:
        return None
    for row in live_memberships(user.pk):
        if row.tenant_id == tenant_id:
            return _member(user, row, door)
    return None


def active_member(request: HttpRequest) -> Actor | None:
    """The actor of the tenant chosen in the session, of the first membership when none was chosen; else None.

    Platform staff hold no membership: they act in the tenant that they chose, through the admin, audited when chosen.
    """
    door: Door = "admin" if request.path.startswith("/admin/") else "chat"
    return _active(request.user, request.session.get(TENANT_SESSION_KEY), door)


def actor_of_scope(scope: Mapping[str, Any]) -> Actor | None:
    """The actor behind a websocket, looked up afresh: session, password, person, membership and tenant still stand.

    Synchronous: call it through `run_in_services`, once a frame. None means: close with 4403.
    """
    session = scope.get("session")
    if session is None or not session.session_key:
        return None
    request = HttpRequest()
    request.session = import_module(settings.SESSION_ENGINE).SessionStore(session.session_key)
    return _active(get_user(request), request.session.get(TENANT_SESSION_KEY), "chat")


def _active(user: Any, chosen: str | None, door: Door) -> Actor | None:
    if not user.is_authenticated:
        return None
    rows = live_memberships(user.pk)
    if chosen:
        for row in rows:
            if str(row.tenant_id) == chosen:
                return _member(user, row, door)
        if user.is_platform_staff:
            return staff_member(user, uuid.UUID(chosen), door)
        # Never another tenant instead: a form sent just then would be written into the wrong one.
        return None
    return _member(user, rows[0], door) if rows else None


def _member(user: User, row: LiveMembership, door: Door) -> Actor:
    return Actor(
        tenant_id=row.tenant_id,
        kind="user",
        id=str(user.pk),
        door=door,
        capabilities=ROLE_CAPABILITIES[row.role],
        subject_id=row.subject_id,
    )


def staff_member(user: User, tenant_id: uuid.UUID, door: Door) -> Actor | None:
    """Platform staff in a tenant that is not theirs; None when it is not active or they are not staff."""
    if not user.is_platform_staff or not user.is_active:
        return None
    if not Tenant.objects.filter(pk=tenant_id, status=Tenant.Status.ACTIVE).exists():
        return None
    capabilities = PLATFORM_STAFF_CAPABILITIES
    return Actor(tenant_id=tenant_id, kind="user", id=str(user.pk), door=door, capabilities=capabilities)
