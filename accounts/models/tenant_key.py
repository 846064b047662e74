"""A tenant's data keys: random, wrapped under a master key that is not in the database, numbered from 1."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from accounts.tenancy import TenantModel


class TenantKey(TenantModel):
    """One is active and seals; retired ones open what is not re-sealed yet; of a destroyed one only the number is left.

    Number 0 stands for the key that was derived from the master key before tenants had keys of their own.
    """

    class State(models.TextChoices):
        ACTIVE = "active"
        RETIRED = "retired"
        DESTROYED = "destroyed"

    number = models.PositiveIntegerField()
    wrapped = models.BinaryField(default=bytes)
    # Which of the master keys it is wrapped under, by a name that tells nothing about it.
    master = models.CharField(max_length=16, blank=True)
    state = models.CharField(max_length=16, choices=State, default=State.ACTIVE)
    created_at = models.DateTimeField()
    retired_at = models.DateTimeField(null=True, blank=True)
    destroyed_at = models.DateTimeField(null=True, blank=True)
    referenced = False

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["tenant", "number"], name="one_tenant_key_a_number"),
            models.UniqueConstraint(
                fields=["tenant"], condition=Q(state="active"), name="one_active_key_a_tenant"
            ),
        ]
