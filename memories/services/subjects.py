"""The subject whose memory is written: there, not erased, with the zone that its times are read in."""

from __future__ import annotations

import uuid
from datetime import tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from accounts.actor import Actor
from accounts.models import Subject
from accounts.reading import note_reading
from memories.services.tenant_subject import check_rules_writable
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import NotFound


def subject_to_write(actor: Actor, subject_id: uuid.UUID) -> Subject:
    """The subject, if the actor may write its memory; NotFound when not, when there is none, or when it was erased.

    PermissionDenied for the tenant's own one without the capability to write constraints.
    """
    actor.require_subject(subject_id, write=True)
    with tenant_transaction(actor.tenant_id):
        check_rules_writable(actor, subject_id)
        subject: Subject | None = Subject.objects.filter(id=subject_id, erased_at__isnull=True).first()
    if subject is None:
        raise NotFound("no such subject")
    return subject


def check_readable(actor: Actor, subject_id: uuid.UUID, action: str) -> None:
    """NotFound for a subject that is not there, was erased, or that the actor may not read; an operator's `action` is audited."""
    actor.require_subject(subject_id, write=False)
    with tenant_transaction(actor.tenant_id):
        if not Subject.objects.filter(id=subject_id, erased_at__isnull=True).exists():
            raise NotFound("no such subject")
        note_reading(actor, subject_id, action)


def zone_of(subject: Subject) -> tzinfo:
    """The subject's time zone; UTC when its name is none that this machine knows."""
    try:
        return ZoneInfo(subject.time_zone)
    except (ZoneInfoNotFoundError, ValueError):
        return ZoneInfo("UTC")
