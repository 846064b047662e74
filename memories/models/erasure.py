"""An erasure of a subject: asked for, at work, done with its receipt. It outlives the subject, which it names by id alone."""

from __future__ import annotations

from django.db import models

from accounts.tenancy import TenantModel


class Erasure(TenantModel):
    """`found` are the rows of each place before anything was deleted; `handles` names what stands outside the database."""

    class State(models.TextChoices):
        REQUESTED = "requested"
        RUNNING = "running"
        DONE = "done"

    # No key: the row that it would point at is what goes.
    subject_ref = models.UUIDField()
    external_print = models.BinaryField()
    state = models.CharField(max_length=16, choices=State, default=State.REQUESTED)
    requested_by_kind = models.CharField(max_length=16)
    requested_by = models.CharField(max_length=64, blank=True)
    requested_at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True, blank=True)
    found = models.JSONField(default=dict)
    handles = models.JSONField(default=list)
    ledger_seq = models.PositiveIntegerField(null=True, blank=True)
    replayed = models.BooleanField(default=False)
    receipt = models.JSONField(null=True, blank=True)
    referenced = False

    class Meta:
        constraints = [
            # Asked for twice at once, it is one erasure.
            models.UniqueConstraint(
                fields=["tenant", "subject_ref"],
                condition=~models.Q(state="done"),
                name="one_open_erasure_a_subject",
            )
        ]
        indexes = [models.Index(fields=["tenant", "subject_ref"], name="erasure_by_subject")]
