"""A chat session: not a connection, but what a person would call one conversation."""

from __future__ import annotations

from django.db import models

from accounts.models import Subject
from accounts.tenancy import TenantForeignKey, TenantModel


class ChatSession(TenantModel):
    """`next_seq` numbers turns without gaps under the row's lock; `window_from` is the first turn not yet in a digest.

    `policy_variant` is the arm (a, b) of the experiment that ran when it was opened. `conversation` is a keyed print of the name
    that a program gave it; "" for most.
    """

    class State(models.TextChoices):
        OPEN = "open"
        ENDED = "ended"

    class Mode(models.TextChoices):
        FULL = "full"
        READ_ONLY = "read_only"
        PRIVATE = "private"

    subject = TenantForeignKey(Subject)
    agent = TenantForeignKey(Subject, null=True, blank=True)
    title = models.CharField(max_length=200, blank=True)
    mode = models.CharField(max_length=16, choices=Mode, default=Mode.FULL)
    preset = models.CharField(max_length=16, default="chat")
    state = models.CharField(max_length=8, choices=State, default=State.OPEN)
    ended_reason = models.CharField(max_length=16, blank=True)
    outcome = models.CharField(max_length=16, blank=True)
    experiment_id = models.UUIDField(null=True, blank=True)
    policy_variant = models.CharField(max_length=32, blank=True)
    conversation = models.CharField(max_length=64, blank=True, default="", db_default="")
    next_seq = models.PositiveIntegerField(default=1)
    window_from = models.PositiveIntegerField(default=1)
    started_at = models.DateTimeField()
    last_activity_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        indexes = [
            models.Index(fields=["tenant", "subject", "-last_activity_at", "-id"], name="session_newest"),
            models.Index(
                fields=["tenant", "last_activity_at"], condition=models.Q(state="open"), name="session_idle"
            ),
            models.Index(
                fields=["tenant", "experiment_id", "-id"],
                condition=models.Q(experiment_id__isnull=False),
                name="session_of_experiment",
            ),
            models.Index(
                fields=["tenant", "subject", "conversation", "-id"],
                condition=~models.Q(conversation=""),
                name="session_of_conversation",
            ),
        ]
