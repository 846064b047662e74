"""The subject that stands for a whole tenant: what its operators lay down for everybody hangs on it."""

from __future__ import annotations

import uuid

from accounts.models import Subject
from accounts.models.subject import OF_TENANT


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
