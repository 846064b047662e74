"""Delivers what waits for a tenant's endpoints: in order a subject, at least once, with no transaction open while a receiver thinks."""

from __future__ import annotations

import os
import random
import socket
import time
import uuid
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime, timedelta

import structlog
from django.conf import settings
from django.db import connections

from memories.adapters.factory import get_clock
from memories.adapters.http_retry import retry_after
from memories.adapters.webhook_http import Answer, Rules, post
from memories.core.webhooks import BACKOFF_CAP, delay, signatures
from memories.models import Webhook, WebhookDelivery
from memories.services.webhooks.bell import ring
from memories.services.webhooks.payload import body_of, message
from memories.store import webhooks as store
from memoryhub.common.db import tenant_transaction

log = structlog.get_logger(__name__)

SLICE = 10.0
"""Seconds that a worker stays with an endpoint; then others have their turn."""
SLOW = 1.0
"""Seconds an answer: who takes longer rests as long as it kept a worker."""
AT_ONCE = 8
LEASE = timedelta(seconds=120)
"""Above the longest message (WEBHOOK_SECONDS, 60 at most): a killed worker's endpoint waits that long."""
GONE = 410


@dataclass(frozen=True, slots=True)
class _Parcel:
    """What one attempt needs, read in a transaction that is over."""

    delivery_id: uuid.UUID
    url: str
    secrets: tuple[str, ...]
    body: bytes


def rules() -> Rules:
    """Where messages may go, from the settings."""
    return Rules(
        private=settings.WEBHOOK_PRIVATE_ADDRESSES,
        plain=settings.WEBHOOK_PLAIN_HTTP,
        seconds=float(settings.WEBHOOK_SECONDS),
    )


def deliver(tenant_id: uuid.UUID) -> int:
    """Send what is due to the tenant's endpoints, several at once, so that none waits for a slow one; how many attempts were made."""
    with tenant_transaction(tenant_id):
        due = store.due_webhooks(get_clock().now())
    if len(due) < 2:
        return sum(deliver_to(tenant_id, one) for one in due)
    with ThreadPoolExecutor(min(AT_ONCE, len(due)), thread_name_prefix="webhook") as pool:
        return sum(pool.map(lambda one: _in_thread(tenant_id, one), due))


def _in_thread(tenant_id: uuid.UUID, webhook_id: uuid.UUID) -> int:
    try:
        return deliver_to(tenant_id, webhook_id)
    finally:
        connections.close_all()


def deliver_to(tenant_id: uuid.UUID, webhook_id: uuid.UUID) -> int:
    """The same for one endpoint, for SLICE at most; 0 when another worker is at it. Rings for what is left."""
    owner = f"{socket.gethostname()[:24]}:{os.getpid()}:{uuid.uuid4().hex[:12]}"
    began, attempts, more = time.monotonic(), 0, True
    while more and (parcel := _next(tenant_id, webhook_id, owner)) is not None:
        asked = time.time()
        answer = post(parcel.url, parcel.body, _headers(parcel, int(asked)), rules())
        attempts += 1
        more = _note(tenant_id, webhook_id, parcel.delivery_id, owner, answer)
        more = more and time.monotonic() - began < SLICE
    spent = time.monotonic() - began
    rest = spent if attempts and spent / attempts > SLOW else 0.0
    wait = _release(tenant_id, webhook_id, owner, rest)
    if attempts and wait is not None:
        ring(tenant_id, delay=wait)
    return attempts


def _next(tenant_id: uuid.UUID, webhook_id: uuid.UUID, owner: str) -> _Parcel | None:
    now = get_clock().now()
    with tenant_transaction(tenant_id):
        if not store.claim(webhook_id, owner=owner, now=now, until=now + LEASE):
            return None
        delivery_id = store.next_due(webhook_id, now)
        if delivery_id is None:
            return None
        webhook: Webhook = Webhook.objects.get(pk=webhook_id)
        delivery: WebhookDelivery = WebhookDelivery.objects.get(pk=delivery_id)
        secrets = [str(webhook.secret)]
        if webhook.previous_secret and webhook.previous_until and webhook.previous_until > now:
            secrets.append(str(webhook.previous_secret))
        body = body_of(message(webhook, delivery))
        return _Parcel(delivery_id, webhook.url, tuple(secrets), body)


def _headers(parcel: _Parcel, timestamp: int) -> dict[str, str]:
    message_id = str(parcel.delivery_id)
    return {
        "Content-Type": "application/json; charset=utf-8",
        "User-Agent": "MemoryHub-Webhooks/1",
        "Connection": "close",
        "webhook-id": message_id,
        "webhook-timestamp": str(timestamp),
        "webhook-signature": signatures(
            parcel.secrets, message_id=message_id, timestamp=timestamp, body=parcel.body
        ),
    }


def _note(
    tenant_id: uuid.UUID, webhook_id: uuid.UUID, delivery_id: uuid.UUID, owner: str, answer: Answer
) -> bool:
    """Keep what came of an attempt; whether the endpoint may be sent the next message at once."""
    now = get_clock().now()
    with tenant_transaction(tenant_id):
        webhook: Webhook | None = Webhook.objects.select_for_update().filter(pk=webhook_id).first()
        delivery: WebhookDelivery | None = (
            WebhookDelivery.objects.select_for_update()
            .filter(pk=delivery_id, state=WebhookDelivery.State.PENDING)
            .first()
        )
        if webhook is None or delivery is None or webhook.lease_owner != owner:
            # Deleted meanwhile, or so late that another worker sends it again: at least once.
            return False
        delivery.attempts += 1
        delivery.status, delivery.error_code = answer.status, _code(answer)
        if answer.ok:
            delivery.state, delivery.finished_at = WebhookDelivery.State.DELIVERED, now
            webhook.failures, webhook.next_at = 0, None
            webhook.last_success_at, webhook.last_error = now, ""
        else:
            _failed(webhook, delivery, answer, now)
        delivery.save(update_fields=["attempts", "status", "error_code", "state", "finished_at", "next_at"])
        webhook.save(
            update_fields=["failures", "next_at", "last_success_at", "last_error", "state", "disabled_why"]
        )
    if not answer.ok:
        log.warning(
            "webhook.failed",
            webhook_id=str(webhook_id),
            delivery_id=str(delivery_id),
            attempt=delivery.attempts,
            error=delivery.error_code,
            dead=delivery.state == WebhookDelivery.State.DEAD,
        )
    return webhook.next_at is None and webhook.state != Webhook.State.DISABLED


def _failed(webhook: Webhook, delivery: WebhookDelivery, answer: Answer, now: datetime) -> None:
    """The event comes back later, or is dead; an endpoint that seems down is left alone for a while as a whole."""
    asked_for = min(timedelta(seconds=retry_after(answer.retry_after, now=now)), BACKOFF_CAP)
    delivery.next_at = now + max(delay(delivery.attempts, chance=random.random()), asked_for)
    webhook.last_error = delivery.error_code
    if delivery.attempts >= settings.WEBHOOK_ATTEMPTS:
        delivery.state, delivery.finished_at = WebhookDelivery.State.DEAD, now
    if answer.status == GONE:
        webhook.state, webhook.disabled_why = Webhook.State.DISABLED, "gone"
    elif answer.status is None or answer.status >= 500 or answer.status == 429:
        webhook.failures += 1
        webhook.next_at = now + max(delay(webhook.failures, chance=random.random()), asked_for)


def _code(answer: Answer) -> str:
    if answer.ok:
        return ""
    return answer.error or f"http_{answer.status}"


def _release(tenant_id: uuid.UUID, webhook_id: uuid.UUID, owner: str, rest: float) -> float | None:
    """Give the lease back; seconds until there is something to do again, None when nothing waits."""
    now = get_clock().now()
    with tenant_transaction(tenant_id):
        webhook: Webhook | None = (
            Webhook.objects.select_for_update().filter(pk=webhook_id, lease_owner=owner).first()
        )
        if webhook is None:
            return None
        webhook.lease_owner, webhook.leased_until = "", None
        if rest and webhook.next_at is None:
            webhook.next_at = now + timedelta(seconds=rest)
        webhook.save(update_fields=["lease_owner", "leased_until", "next_at"])
        if webhook.state == Webhook.State.DISABLED:
            return None
    # After the lease is gone: who wrote an event meanwhile found it taken and went away.
    with tenant_transaction(tenant_id):
        pending = WebhookDelivery.objects.filter(webhook_id=webhook_id, state=WebhookDelivery.State.PENDING)
        at = pending.order_by("next_at").values_list("next_at", flat=True).first()
    if at is None:
        return None
    wait: float = (max(at, webhook.next_at or at) - now).total_seconds()
    return max(0.0, wait)
