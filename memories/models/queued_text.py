"""A text of a bulk call that a job remembers: encrypted until then, and afterwards what became of it, in ids and codes."""

from __future__ import annotations

from django.db import models

from accounts.models import Subject
from accounts.tenancy import TenantForeignKey, TenantModel
from memories.models.control import Job
from memoryhub.common.fields import EncryptedTextField


class QueuedText(TenantModel):
    """`given` are the arguments of remember as JSON, None once it was done."""

    job = TenantForeignKey(Job)
    subject = TenantForeignKey(Subject)
    number = models.PositiveIntegerField()
    given = EncryptedTextField(null=True, blank=True)
    outcomes = models.JSONField(default=list, blank=True)
    error = models.CharField(max_length=64, blank=True)
    done_at = models.DateTimeField(null=True, blank=True)
    referenced = False

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["tenant", "job", "number"], name="one_queued_text_a_place")
        ]
        indexes = [models.Index(fields=["tenant", "subject"], name="queued_text_by_subject")]
