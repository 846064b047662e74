"""A pause of a tenant's sweeps: as long as the row stands, none begins and a running one stops after its batch."""

from __future__ import annotations

from django.db import models

from accounts.tenancy import TenantModel


class SweepPause(TenantModel):
    """At most one a tenant."""

    paused_at = models.DateTimeField()
    paused_by_kind = models.CharField(max_length=16)
    paused_by = models.CharField(max_length=64)
    referenced = False

    class Meta:
        constraints = [models.UniqueConstraint(fields=["tenant"], name="one_sweep_pause_a_tenant")]
