"""Pause and resume a tenant's sweeps: none begins, and a running one stops after its batch; what it took stays taken."""

from __future__ import annotations

import uuid

from accounts import audit
from accounts.actor import Actor
from accounts.permissions import Capability
from memories.adapters.factory import get_clock
from memories.models import SweepPause
from memories.services.start_sweep import ask_for_sweep
from memoryhub.common.db import tenant_transaction


def pause_sweeps(*, actor: Actor) -> SweepPause:
    """The pause; a second one changes nothing. Needs the capability to sweep."""
    actor.require(Capability.SWEEP)
    with tenant_transaction(actor.tenant_id):
        pause: SweepPause
        pause, made = SweepPause.objects.get_or_create(
            defaults={
                "paused_at": get_clock().now(),
                "paused_by_kind": actor.kind,
                "paused_by": actor.id[:64],
            }
        )
        if made:
            audit.record(actor, "sweeps.paused", target_kind="tenant", target_id=actor.tenant_id)
    return pause


def resume_sweeps(*, actor: Actor) -> bool:
    """Whether they were paused; then a sweep is asked for at once, which goes on where the last one stopped."""
    actor.require(Capability.SWEEP)
    with tenant_transaction(actor.tenant_id):
        gone, _ = SweepPause.objects.all().delete()
        if gone:
            audit.record(actor, "sweeps.resumed", target_kind="tenant", target_id=actor.tenant_id)
            ask_for_sweep()
    return bool(gone)


def sweeps_paused(tenant_id: uuid.UUID) -> bool:
    """Whether the tenant's sweeps are paused."""
    with tenant_transaction(tenant_id):
        return SweepPause.objects.exists()
