"""Reads webhooks and what was delivered to them; for a tenant's admins."""

from __future__ import annotations

import uuid

from django.db.models import QuerySet

from accounts.actor import Actor
from accounts.permissions import Capability
from memories.models import Webhook, WebhookDelivery
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import NotFound

CAPABILITY = Capability.KEYS_WRITE
"""A webhook is a door for a program, like a key."""


def webhooks_of(*, actor: Actor) -> QuerySet[Webhook]:
    """The tenant's endpoints, without their secrets; evaluated in the open tenant transaction."""
    actor.require(CAPABILITY)
    rows: QuerySet[Webhook] = Webhook.objects.defer("secret", "previous_secret")
    return rows


def get_webhook(*, actor: Actor, webhook_id: uuid.UUID) -> Webhook:
    """One endpoint; NotFound where there is none in this tenant."""
    with tenant_transaction(actor.tenant_id):
        found = webhooks_of(actor=actor).filter(pk=webhook_id).first()
    if found is None:
        raise NotFound("no such webhook")
    return found


def deliveries_of(*, actor: Actor, webhook_id: uuid.UUID, state: str = "") -> QuerySet[WebhookDelivery]:
    """What was, is and will be sent to an endpoint; `state` is pending, delivered, dead or "" for all. In the open tenant transaction."""
    get_webhook(actor=actor, webhook_id=webhook_id)
    rows: QuerySet[WebhookDelivery] = WebhookDelivery.objects.filter(webhook_id=webhook_id)
    return rows.filter(state=state) if state else rows


def locked_webhook(actor: Actor, webhook_id: uuid.UUID) -> Webhook:
    """The endpoint, locked until the open transaction ends; NotFound."""
    actor.require(CAPABILITY)
    found: Webhook | None = Webhook.objects.select_for_update().filter(pk=webhook_id).first()
    if found is None:
        raise NotFound("no such webhook")
    return found
