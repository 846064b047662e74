"""Changes what is set about a subject: name, time zone, language, and whether its memory is paused."""

from __future__ import annotations

import uuid

from accounts import audit
from accounts.actor import Actor
from accounts.models import Subject, SubjectKind
from accounts.services.checks import check_time_zone
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import Invalid, NotFound

MAX_NAME = 200
MAX_LOCALE = 16


def change_subject(
    *,
    actor: Actor,
    subject_id: uuid.UUID,
    display_name: str | None = None,
    time_zone: str | None = None,
    locale: str | None = None,
    memory_paused: bool | None = None,
) -> Subject:
    """The subject as it is now; what is None stays, and no change leaves no audit entry.

    While memory is paused nothing new is kept of what the subject says; what is known stays and is recalled. For who may
    write the subject's memory. NotFound otherwise, Invalid with the field.
    """
    actor.require_subject(subject_id, write=True)
    if time_zone is not None:
        check_time_zone(time_zone)
    for name, text, most in (("display_name", display_name, MAX_NAME), ("locale", locale, MAX_LOCALE)):
        if text is not None and (len(text) > most or "\x00" in text):
            raise Invalid(f"the {name} is not usable", fields={name: f"at most {most} characters"})
    values = {
        "display_name": display_name,
        "time_zone": time_zone,
        "locale": locale,
        "memory_paused": memory_paused,
    }
    with tenant_transaction(actor.tenant_id):
        subject: Subject | None = (
            # Not the whole lock: what refers to the row is checked at its writers' commits, and would wait for this one.
            Subject.objects.select_for_update(no_key=True)
            .filter(pk=subject_id, erased_at__isnull=True, kind__in=SubjectKind.values)
            .first()
        )
        if subject is None:
            raise NotFound("no such subject")
        changed = [
            name for name, value in values.items() if value is not None and getattr(subject, name) != value
        ]
        if not changed:
            return subject
        for name in changed:
            setattr(subject, name, values[name])
        subject.save(update_fields=changed)
        # Names of fields, not what stands in them.
        audit.record(
            actor,
            "subject.changed",
            target_kind="subject",
            target_id=subject.pk,
            subject_id=subject.pk,
            fields=sorted(changed),
            memory_paused=subject.memory_paused,
        )
    return subject
