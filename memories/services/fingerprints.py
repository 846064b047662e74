"""Keyed fingerprints of what was said: dedup and "do not learn again" compare these, so that no plain hash tells a guess."""

from __future__ import annotations

import hmac
import uuid
from datetime import UTC, datetime

from django.conf import settings

from memories.core.placement.claims import claim_form
from memories.core.statement import FactPart, Statement
from memories.core.values.normalise import canonical
from memories.models import Memory


def text_print(
    tenant_id: uuid.UUID, subject_id: uuid.UUID, text: str, *, when: datetime | None = None
) -> bytes:
    """Of a statement's words, in canonical form; the same for trivially different writings.

    `when` is the time that it speaks of, where it names one: "tomorrow", said on two days, is about two.
    """
    form = canonical(text) or text.strip()
    if when is not None:
        form = f"{form}\n{when.astimezone(UTC).isoformat()}"
    return _print(b"text", tenant_id, subject_id, form)


def statement_print(tenant_id: uuid.UUID, subject_id: uuid.UUID, statement: Statement) -> bytes:
    """Of a statement's words and the time that it names; what a memory's `fingerprint` is."""
    when = statement.event_start or statement.valid_from
    return text_print(tenant_id, subject_id, statement.clear or statement.content, when=when)


def time_of(memory: Memory) -> datetime | None:
    """The time that a stored memory names, as its fingerprint has it."""
    if memory.event_start is not None:
        return memory.event_start
    return memory.valid_from if memory.valid_from != memory.said_at else None


def claim_print(tenant_id: uuid.UUID, subject_id: uuid.UUID, statement: Statement) -> bytes | None:
    """Of what a statement without structure claims, whatever the words that carry nothing; None where facts say it."""
    if statement.facts or statement.clear is not None:
        return None
    form = claim_form(statement.content)
    return _print(b"claim", tenant_id, subject_id, f"{statement.kind}\n{form}") if form else None


def fact_print(tenant_id: uuid.UUID, subject_id: uuid.UUID, fact: FactPart) -> bytes:
    """Of a structured fact: slot, value and polarity, whatever the words around it."""
    return _print(b"fact", tenant_id, subject_id, f"{fact.slot}\n{fact.value_form}\n{int(fact.negated)}")


def everything_print(tenant_id: uuid.UUID, subject_id: uuid.UUID) -> bytes:
    """The print of the standing rule that nothing of this subject is to be learnt."""
    return _print(b"everything", tenant_id, subject_id, "")


def keyed(label: str, tenant_id: uuid.UUID, subject_id: uuid.UUID, form: str) -> bytes:
    """Of anything else that rules compare: a slot, an entity, a lasting request."""
    return _print(label.encode(), tenant_id, subject_id, form)


def _print(label: bytes, tenant_id: uuid.UUID, subject_id: uuid.UUID, form: str) -> bytes:
    """HMAC-SHA256 under FINGERPRINT_KEY over label, tenant, subject and form; 32 bytes."""
    body = b"\0".join((label, tenant_id.bytes, subject_id.bytes, form.encode()))
    return hmac.digest(settings.FINGERPRINT_KEY.encode(), body, "sha256")
