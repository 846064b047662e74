"""The subject that stands for a whole tenant: what its operators lay down for everybody hangs on it."""

from __future__ import annotations

import uuid

from accounts.actor import Actor
from accounts.models import Subject
from accounts.models.subject import OF_TENANT
from accounts.permissions import Capability
from memoryhub.common.errors import PermissionDenied


def tenant_subject() -> uuid.UUID | None:
    """Its id in the open tenant transaction; None while nothing was ever laid down."""
    found: uuid.UUID | None = Subject.objects.filter(kind=OF_TENANT).values_list("id", flat=True).first()
    return found


def make_tenant_subject() -> uuid.UUID:
    """The same, made when it is missing; two callers at once get the same one."""
    found = tenant_subject()
    if found is None:
        # ON CONFLICT DO NOTHING waits for a concurrent insert and then steps back.
        Subject.objects.bulk_create([Subject(kind=OF_TENANT, external_id=OF_TENANT)], ignore_conflicts=True)
        found = tenant_subject()
    assert found is not None
    return found


def check_writable(actor: Actor, subject_id: uuid.UUID) -> None:
    """May the actor change what is remembered of this subject? In the open tenant transaction.

    NotFound when not. What hangs on the tenant's subject stands in everybody's context, so that to write memories is not
    enough for it: PermissionDenied without the capability to write constraints.
    """
    actor.require_subject(subject_id, write=True)
    check_rules_writable(actor, subject_id)


def check_rules_writable(actor: Actor, subject_id: uuid.UUID) -> None:
    """PermissionDenied where the subject is the tenant's and the actor may not write constraints."""
    if actor.subject_id == subject_id or Capability.CONSTRAINTS_WRITE in actor.capabilities:
        return
    if subject_id == tenant_subject():
        actor.require(Capability.CONSTRAINTS_WRITE)


def refuse_tenant_subject(subject_id: uuid.UUID) -> None:
    """PermissionDenied where the subject is the tenant's: its rules are withdrawn one by one, never all at once or by words."""
    if subject_id == tenant_subject():
        raise PermissionDenied(
            "this subject stands for the whole tenant", hint="Withdraw its rules one by one instead."
        )
