"""The message of an event, read at the moment of its delivery: what was forgotten or redacted meanwhile is not in it."""

from __future__ import annotations

import json
import uuid
from datetime import UTC, datetime
from typing import Any

from accounts.models import Subject
from memories.core.kinds import Kind
from memories.core.webhooks import Event, holds_mask
from memories.models import Memory, Status, Webhook, WebhookDelivery
from memories.services.policies import stored_policy

RULE = "webhooks.content"
_TOLD = frozenset({Status.CURRENT, Status.SUPERSEDED, Status.MERGED, Status.ARCHIVED, Status.EXPIRED})
_WITH_WORDS = frozenset({Event.STORED, Event.SUPERSEDED, Event.SWEPT})


def message(webhook: Webhook, delivery: WebhookDelivery) -> dict[str, Any]:
    """What is sent, in the open tenant transaction: ids, codes and times, and the content where the endpoint asks for it, the policy allows
    it, and the memory still has it in the clear (`content_left_out` says why not)."""
    data: dict[str, Any] = {"subject": _subject(delivery.subject_ref), **delivery.detail}
    if delivery.memory_ref is not None:
        data["memory_id"] = str(delivery.memory_ref)
        if webhook.with_content and delivery.event in _WITH_WORDS:
            data.update(_words(delivery.memory_ref))
    if delivery.event.startswith("contradiction."):
        data["contradiction_id"] = str(delivery.other_ref)
    elif delivery.event == Event.ERASED:
        data["erasure_id"] = str(delivery.other_ref)
    return {
        "id": str(delivery.pk),
        "type": delivery.event,
        "timestamp": _time(delivery.at),
        "tenant_id": str(webhook.tenant_id),
        "webhook_id": str(webhook.pk),
        "sequence": delivery.seq,
        "data": data,
    }


def body_of(message: dict[str, Any]) -> bytes:
    """The bytes that are signed and sent."""
    return json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode()


def _subject(subject_id: uuid.UUID | None) -> dict[str, Any] | None:
    """Who it is about; the integrator's own id is gone with an erased subject."""
    if subject_id is None:
        return None
    row = Subject.objects.filter(pk=subject_id, erased_at__isnull=True).values("kind", "external_id").first()
    return {
        "id": str(subject_id),
        "kind": row["kind"] if row else None,
        "external_id": row["external_id"] if row else None,
    }


def _words(memory_id: uuid.UUID) -> dict[str, Any]:
    if not stored_policy()[0].flag(RULE):
        return {"content": None, "content_left_out": "policy"}
    found = Memory.objects.filter(pk=memory_id).values("content", "status", "kind", "version").first()
    if found is None or found["status"] not in _TOLD:
        return {"content": None, "content_left_out": "gone"}
    # Without opening it: that something is sealed is enough.
    sealed = Memory.objects.filter(pk=memory_id, content_encrypted__isnull=False).exists()
    if sealed or found["kind"] == Kind.SENSITIVE or holds_mask(found["content"]):
        return {"content": None, "content_left_out": "sensitive"}
    return {"content": found["content"], "content_version": found["version"]}


def _time(at: datetime) -> str:
    return at.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")
