"""Find a subject by its external id, or make it: safe when two callers do so at once."""

from __future__ import annotations

from accounts import audit
from accounts.actor import Actor
from accounts.models import Subject, SubjectKind, User
from accounts.permissions import Capability
from accounts.services.checks import check_external_id
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import Invalid, NotFound


def ensure_subject(*, actor: Actor, kind: str = "user", external_id: str) -> Subject:
    """The tenant's subject of that kind and literal id, made when it is new.

    Needs MEMORY_WRITE to make one. Who reaches only their own subject finds no other: NotFound, whether it exists or not.
    """
    return make_subject(actor=actor, kind=kind, external_id=external_id)[0]


def make_subject(*, actor: Actor, kind: str = "user", external_id: str) -> tuple[Subject, bool]:
    """The same, and whether it is new."""
    _check(kind, external_id)
    with tenant_transaction(actor.tenant_id):
        found = _visible(actor, kind, external_id)
        if found is not None:
            return found, False
        if Capability.MEMORY_READ not in actor.capabilities:
            raise NotFound("no such subject")
        actor.require(Capability.MEMORY_WRITE)
        wanted = Subject(kind=kind, external_id=external_id)
        made = _make(actor, wanted)
        return made, made.pk == wanted.pk


def find_subject(*, actor: Actor, kind: str = "user", external_id: str) -> Subject:
    """The same without making it; NotFound when there is none that the actor may read."""
    _check(kind, external_id)
    with tenant_transaction(actor.tenant_id):
        found = _visible(actor, kind, external_id)
    if found is None:
        raise NotFound("no such subject")
    return found


def ensure_person_subject(*, actor: Actor, user: User) -> Subject:
    """The own subject of a member; its external id is the user's id. Called where the membership is made."""
    actor.require(Capability.MEMBERS_WRITE)
    with tenant_transaction(actor.tenant_id):
        found: Subject | None = Subject.objects.filter(user=user, erased_at__isnull=True).first()
        if found is not None:
            return found
        made = Subject(
            kind=SubjectKind.USER,
            external_id=str(user.pk),
            user=user,
            display_name=user.name,
            time_zone=user.time_zone,
            locale=user.locale,
        )
        return _make(actor, made)


def _check(kind: str, external_id: str) -> None:
    if kind not in SubjectKind.values:
        raise Invalid("unknown kind of subject", fields={"kind": f"one of {', '.join(SubjectKind.values)}"})
    check_external_id(external_id)


def _visible(actor: Actor, kind: str, external_id: str) -> Subject | None:
    found: Subject | None = Subject.objects.filter(kind=kind, external_id=external_id).first()
    if found is not None:
        actor.require_subject(found.pk, write=False)
    return found


def _make(actor: Actor, wanted: Subject) -> Subject:
    # ON CONFLICT DO NOTHING waits for a concurrent insert and then steps back, so both callers get the same row.
    Subject.objects.bulk_create([wanted], ignore_conflicts=True)
    row: Subject = Subject.objects.get(kind=wanted.kind, external_id=wanted.external_id)
    if row.pk == wanted.pk:
        audit.record(
            actor,
            "subject.created",
            target_kind="subject",
            target_id=row.pk,
            subject_id=row.pk,
            kind=row.kind,
        )
    return row
