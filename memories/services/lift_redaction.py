"""Lift what a redaction forbids from now on: what was taken out stays out, but its words may be learnt again."""

from __future__ import annotations

import uuid

from accounts import audit
from accounts.actor import Actor
from accounts.permissions import Capability
from memories.adapters.factory import get_clock
from memories.models import ForgetRule, Redaction
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import Conflict, NotFound


def lift_redaction(*, actor: Actor, redaction_id: uuid.UUID) -> Redaction:
    """The record; lifting twice changes nothing. NotFound without one, Conflict while its run is not done."""
    actor.require(Capability.REDACT)
    now = get_clock().now()
    with tenant_transaction(actor.tenant_id):
        found: Redaction | None = (
            Redaction.objects.select_for_update(of=("self",)).filter(pk=redaction_id).first()
        )
        if found is None:
            raise NotFound("no such redaction")
        if found.state != Redaction.State.DONE:
            raise Conflict("the redaction is not done yet", hint="Wait for it, then lift it.")
        if found.lifted_at is not None:
            return found
        ForgetRule.objects.filter(pk__in=found.rules, removed_at__isnull=True).update(removed_at=now)
        found.lifted_at = now
        found.save(update_fields=["lifted_at"])
        audit.record(
            actor,
            "memory.redact_lifted",
            target_kind="redaction",
            target_id=found.pk,
            subject_id=found.subject_id,
        )
    return found
