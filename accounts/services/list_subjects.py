"""Lists a tenant's subjects by their external ids, and finds one by its internal id."""

from __future__ import annotations

import uuid

from django.db.models import F, QuerySet
from django.db.models.functions import Collate

from accounts.actor import Actor
from accounts.models import Subject, SubjectKind
from accounts.permissions import Capability
from accounts.services.checks import EXTERNAL_ID_MAX
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import Invalid, NotFound, PermissionDenied
from memoryhub.common.texts import storable

LAST = "\U0010ffff"


def subjects_by_name(
    *, actor: Actor, kind: str = SubjectKind.USER.value, prefix: str = "", paused: bool | None = None
) -> QuerySet[Subject]:
    """The living subjects of a kind whose external id begins with `prefix`, taken literally; for a door that pages.

    Each has its external id as `name`, in the order of its characters' code points: unique, and what an index serves. For who
    reads anybody's memory; a key that is bound to one subject finds that one.
    """
    if kind not in SubjectKind.values:
        allowed = f"one of {', '.join(SubjectKind.values)}"
        raise Invalid("there is no such kind of subject", fields={"kind": allowed})
    if len(prefix) > EXTERNAL_ID_MAX or not storable(prefix):
        raise Invalid("the prefix is not usable", fields={"prefix": f"at most {EXTERNAL_ID_MAX} characters"})
    rows: QuerySet[Subject] = Subject.objects.filter(kind=kind, erased_at__isnull=True)
    rows = rows.annotate(name=Collate(F("external_id"), "C"))
    if prefix:
        rows = rows.filter(name__gte=prefix, name__lt=prefix + 2 * LAST)
    if paused is not None:
        rows = rows.filter(memory_paused=paused)
    if actor.subject_id is not None and Capability.MEMORY_READ not in actor.capabilities:
        return rows.filter(pk=actor.subject_id)
    if Capability.MEMORY_READ not in actor.capabilities:
        raise PermissionDenied("this needs the capability memory_read", hint="Ask an admin of your tenant.")
    return rows


def get_subject(*, actor: Actor, subject_id: uuid.UUID) -> Subject:
    """The subject, if the actor may read it; NotFound otherwise, and for one that is erased or stands for the tenant."""
    actor.require_subject(subject_id, write=False)
    with tenant_transaction(actor.tenant_id):
        found: Subject | None = Subject.objects.filter(
            pk=subject_id, erased_at__isnull=True, kind__in=SubjectKind.values
        ).first()
    if found is None:
        raise NotFound("no such subject")
    return found
