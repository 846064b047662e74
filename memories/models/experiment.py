"""An experiment: sessions of a tenant split between the policy in force and a variant of it (R33)."""

from __future__ import annotations

import secrets

from django.db import models
from django.db.models import Q

from accounts.tenancy import TenantModel


def new_salt() -> bytes:
    """Splits the sessions of each experiment anew."""
    return secrets.token_bytes(16)


class Experiment(TenantModel):
    """Arm A is the policy version `base_version`, in force when it was started; arm B puts `overrides` over that.

    `share` is the part of sessions in B. At most one runs a tenant; `ended_by_version` is the
    version of the policy that ended it: what B became when it was adopted, another one where a policy was saved meanwhile.
    """

    class State(models.TextChoices):
        DRAFT = "draft"
        RUNNING = "running"
        STOPPED = "stopped"
        ADOPTED = "adopted"

    name = models.CharField(max_length=100)
    hypothesis = models.CharField(max_length=500)
    overrides = models.JSONField(default=dict)
    share = models.FloatField(default=0.5)
    salt = models.BinaryField(default=new_salt)
    state = models.CharField(max_length=8, choices=State, default=State.DRAFT)
    base_version = models.PositiveIntegerField(null=True, blank=True)
    ended_by_version = models.PositiveIntegerField(null=True, blank=True)
    note = models.CharField(max_length=200, blank=True)
    created_at = models.DateTimeField()
    created_by = models.CharField(max_length=64)
    started_at = models.DateTimeField(null=True, blank=True)
    started_by = models.CharField(max_length=64, blank=True)
    stopped_at = models.DateTimeField(null=True, blank=True)
    stopped_by = models.CharField(max_length=64, blank=True)
    referenced = False

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["tenant"], condition=Q(state="running"), name="one_running_experiment_a_tenant"
            )
        ]
