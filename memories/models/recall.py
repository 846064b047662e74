"""The stored trace of a recall and of the context it went into, from which it can be explained and replayed."""

from __future__ import annotations

from django.db import models

from accounts.models import Subject
from accounts.tenancy import TenantForeignKey, TenantModel


class RecallTrace(TenantModel):
    """`considered` is a list of {id, item_kind, scores, used}; `sections` the tokens a section of the context.

    It went by the policy of `policy_version`; in `arm` b of an experiment, by the experiment's overrides over that.
    """

    subject = TenantForeignKey(Subject)
    session_id = models.UUIDField(null=True, blank=True)
    turn_id = models.UUIDField(null=True, blank=True)
    query = models.TextField(blank=True)
    standalone_query = models.TextField(blank=True)
    considered = models.JSONField(default=list)
    sections = models.JSONField(default=dict, blank=True)
    context = models.JSONField(default=list, blank=True)
    budget_tokens = models.PositiveIntegerField(default=0)
    used_tokens = models.PositiveIntegerField(default=0)
    abstained = models.BooleanField(default=False)
    degraded = models.CharField(max_length=32, blank=True)
    gate = models.CharField(max_length=16, blank=True)
    policy_version = models.PositiveIntegerField(default=0)
    experiment_id = models.UUIDField(null=True, blank=True)
    arm = models.CharField(max_length=1, blank=True, default="", db_default="")
    space = models.ForeignKey(
        "memories.EmbeddingSpace", null=True, on_delete=models.SET_NULL, related_name="+"
    )
    milliseconds = models.FloatField(default=0)
    redacted = models.PositiveIntegerField(default=0)
    at = models.DateTimeField()

    class Meta:
        indexes = [
            models.Index(fields=["tenant", "subject", "-at"], name="trace_by_subject"),
            models.Index(fields=["tenant", "turn_id"], name="trace_by_turn"),
            models.Index(fields=["tenant", "-at"], name="trace_of_tenant"),
            models.Index(
                fields=["tenant", "experiment_id", "-at"],
                condition=models.Q(experiment_id__isnull=False),
                name="trace_of_experiment",
            ),
            # What operators search and filter the list by.
            models.Index(
                fields=["tenant", "session_id", "-id"],
                condition=models.Q(session_id__isnull=False),
                name="trace_by_session",
            ),
            models.Index(
                fields=["tenant", "-id"], condition=models.Q(abstained=True), name="trace_abstained"
            ),
        ]
