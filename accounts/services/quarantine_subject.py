"""Quarantine a subject that is to be erased: nothing is read or learnt of it from now on, and nothing names a person."""

from __future__ import annotations

import hashlib
import hmac
import uuid
from datetime import datetime

from django.conf import settings

from accounts.actor import system_actor
from accounts.models import ApiKey, Membership, Subject, User
from accounts.services.ensure_subject import ensure_person_subject
from accounts.sockets import close_sockets
from memoryhub.common.db import current_tenant_id


def quarantine_subject(subject: Subject, now: datetime) -> int:
    """In the open transaction, on a locked subject: drop the only link to a person, its keys, and its open sockets.

    A person who is a member goes on with a new, empty subject. Returns the number of API keys bound to it that are gone.
    The caller has checked permission and writes the audit entry.
    """
    user: User | None = subject.user
    subject.external_id, subject.display_name, subject.user = f"erased:{subject.pk}", "", None
    subject.time_zone, subject.locale = "UTC", ""
    subject.erased_at, subject.memory_paused = subject.erased_at or now, True
    subject.save()
    keys, _ = ApiKey.objects.filter(subject_id=subject.pk).delete()
    if user is not None:
        if Membership.objects.filter(user=user, is_active=True).exists():
            ensure_person_subject(actor=system_actor(current_tenant_id()), user=user)
        close_sockets(user.pk, "erased")
    return keys


def external_print(tenant_id: uuid.UUID, kind: str, external_id: str) -> bytes:
    """A keyed fingerprint of the external id: it proves whom an erasure was about to who knows the id, and tells nobody else."""
    body = b"\0".join((b"external id", tenant_id.bytes, kind.encode(), external_id.encode()))
    return hmac.new(settings.FINGERPRINT_KEY.encode(), body, hashlib.sha256).digest()
