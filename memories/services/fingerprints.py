"""Keyed fingerprints of what was said: dedup and "do not learn again" compare these, so that no plain hash tells a guess."""

from __future__ import annotations

import hashlib
import hmac
import uuid

from django.conf import settings

from memories.core.normalise import canonical
from memories.core.statement import FactPart


def text_print(tenant_id: uuid.UUID, subject_id: uuid.UUID, text: str) -> bytes:
    """Of a statement's words, in canonical form; the same for trivially different writings."""
    return _print(b"text", tenant_id, subject_id, canonical(text) or text.strip())


def fact_print(tenant_id: uuid.UUID, subject_id: uuid.UUID, fact: FactPart) -> bytes:
    """Of a structured fact: slot, value and polarity, whatever the words around it."""
    return _print(b"fact", tenant_id, subject_id, f"{fact.slot}\n{fact.value_form}\n{int(fact.negated)}")


def everything_print(tenant_id: uuid.UUID, subject_id: uuid.UUID) -> bytes:
    """The print of the standing rule that nothing of this subject is to be learnt."""
    return _print(b"everything", tenant_id, subject_id, "")


def _print(label: bytes, tenant_id: uuid.UUID, subject_id: uuid.UUID, form: str) -> bytes:
    """HMAC-SHA256 under FINGERPRINT_KEY over label, tenant, subject and form; 32 bytes."""
    body = b"\0".join((label, tenant_id.bytes, subject_id.bytes, form.encode()))
    return hmac.new(settings.FINGERPRINT_KEY.encode(), body, hashlib.sha256).digest()
