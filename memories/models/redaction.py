"""A redaction: words taken out of every text for good, who did it and why, how far it came, and the proof that none is left."""

from __future__ import annotations

from django.db import models

from accounts.models import Subject
from accounts.tenancy import TenantForeignKey, TenantModel
from memoryhub.common.fields import EncryptedTextField


class Redaction(TenantModel):
    """No clear words: `target` is encrypted, kept for a run over the whole tenant only, and dropped when that is done.

    `rules` are the ids of what keeps the words from being learnt again; `found` and `proof` are numbers by place, `place`
    is how far a run came: {"phase", "after"}.
    """

    class Scope(models.TextChoices):
        MEMORY = "memory"
        SUBJECT = "subject"
        TENANT = "tenant"

    class State(models.TextChoices):
        RUNNING = "running"
        DONE = "done"

    scope = models.CharField(max_length=8, choices=Scope)
    state = models.CharField(max_length=8, choices=State, default=State.RUNNING)
    subject = TenantForeignKey(Subject, null=True, blank=True)
    # No key: a memory may be purged, the record of its redaction stays.
    memory_ref = models.UUIDField(null=True, blank=True)
    by_pattern = models.BooleanField(default=False)
    standing = models.BooleanField(default=False)
    reason = models.CharField(max_length=200)
    target = EncryptedTextField(null=True, blank=True)
    rules = models.JSONField(default=list, blank=True)
    found = models.JSONField(default=dict, blank=True)
    place = models.JSONField(default=dict, blank=True)
    subjects = models.PositiveIntegerField(default=0)
    subjects_done = models.PositiveIntegerField(default=0)
    proof = models.JSONField(null=True, blank=True)
    requested_by_kind = models.CharField(max_length=16)
    requested_by = models.CharField(max_length=64, blank=True)
    requested_at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True, blank=True)
    lifted_at = models.DateTimeField(null=True, blank=True)
    referenced = False

    class Meta:
        constraints = [
            # Two runs over one tenant would hide and show each other's rows.
            models.UniqueConstraint(
                fields=["tenant"],
                condition=models.Q(scope="tenant", state="running"),
                name="one_open_redaction_of_a_tenant",
            )
        ]
        indexes = [models.Index(fields=["tenant", "subject"], name="redaction_by_subject")]
