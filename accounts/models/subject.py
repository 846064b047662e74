"""A subject: whose memory it is (a user, or an integrator's own user, agent or run), by a literal external id."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from accounts.tenancy import TenantModel


class SubjectKind(models.TextChoices):
    USER = "user"
    AGENT = "agent"
    RUN = "run"


OF_TENANT = "tenant"
"""Kind of the one subject a tenant that is nobody: its operators' rules for everybody hang on it. No caller names it."""


class Subject(TenantModel):
    """`external_id` is any string, compared byte by byte: no wildcard, no case folding."""

    kind = models.CharField(max_length=8, choices=SubjectKind, default=SubjectKind.USER)
    external_id = models.TextField()
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    display_name = models.CharField(max_length=200, blank=True)
    time_zone = models.CharField(max_length=64, default="UTC")
    locale = models.CharField(max_length=16, blank=True)
    memory_paused = models.BooleanField(default=False)
    created_at = models.DateTimeField(auto_now_add=True)
    erased_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["tenant", "kind", "external_id"], name="one_subject_an_external_id"
            ),
            models.UniqueConstraint(fields=["tenant", "user"], name="one_subject_a_user"),
        ]
