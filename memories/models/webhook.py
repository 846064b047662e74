"""Where a tenant's changes are told, and the outbox of what is told there: ids, codes and times, never what was said."""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.db import models

from accounts.tenancy import TenantForeignKey, TenantModel
from memoryhub.common.fields import EncryptedTextField


class Webhook(TenantModel):
    """An endpoint of a tenant's own program. `events` empty stands for all of them.

    Both secrets are sealed under the tenant's key; the former one signs, too, until `previous_until`. `next_at` and `failures` are the
    endpoint's own back-off; whoever delivers holds the lease. FULL is one for which so much waits that nothing more is taken in, since
    `lost_since`; what waits goes out.
    """

    class State(models.TextChoices):
        ENABLED = "enabled"
        DISABLED = "disabled"
        FULL = "full"

    name = models.CharField(max_length=100, blank=True)
    url = models.CharField(max_length=2000)
    events = ArrayField(models.CharField(max_length=32), default=list, blank=True)
    with_content = models.BooleanField(default=False)
    state = models.CharField(max_length=8, choices=State, default=State.ENABLED)
    disabled_why = models.CharField(max_length=16, blank=True)
    secret = EncryptedTextField()
    previous_secret = EncryptedTextField(null=True, blank=True)
    previous_until = models.DateTimeField(null=True, blank=True)
    version = models.PositiveIntegerField(default=1)
    failures = models.PositiveIntegerField(default=0)
    next_at = models.DateTimeField(null=True, blank=True)
    lease_owner = models.CharField(max_length=64, blank=True)
    leased_until = models.DateTimeField(null=True, blank=True)
    last_success_at = models.DateTimeField(null=True, blank=True)
    last_error = models.CharField(max_length=64, blank=True)
    lost_since = models.DateTimeField(null=True, blank=True)
    created_by = models.CharField(max_length=64, blank=True)
    created_at = models.DateTimeField()
    updated_at = models.DateTimeField()

    class Meta:
        indexes = [
            # What the triggers ask of each change.
            models.Index(fields=["tenant"], condition=models.Q(state="enabled"), name="webhook_enabled")
        ]


class WebhookDelivery(TenantModel):
    """One event for one endpoint; its id is the event's id there, the same at each attempt.

    Written by triggers (migration 0036) in the transaction of the change itself. `seq` is the order in which things changed: of a
    subject, a later one waits for the earlier. Subjects, memories and so on are named by id without a key: an event outlives them.
    """

    class State(models.TextChoices):
        PENDING = "pending"
        DELIVERED = "delivered"
        DEAD = "dead"

    webhook = TenantForeignKey(Webhook)
    seq = models.BigIntegerField()
    event = models.CharField(max_length=32)
    subject_ref = models.UUIDField(null=True, blank=True)
    memory_ref = models.UUIDField(null=True, blank=True)
    # The contradiction's or the erasure's id, where the event is of one.
    other_ref = models.UUIDField(null=True, blank=True)
    # Ids, numbers and codes: version, change, rule, kind, successor, resolution.
    detail = models.JSONField(default=dict, blank=True)
    at = models.DateTimeField()
    state = models.CharField(max_length=9, choices=State, default=State.PENDING)
    attempts = models.PositiveIntegerField(default=0)
    next_at = models.DateTimeField()
    status = models.PositiveSmallIntegerField(null=True, blank=True)
    error_code = models.CharField(max_length=64, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    referenced = False

    class Meta:
        verbose_name_plural = "webhook deliveries"
        indexes = [
            models.Index(
                fields=["tenant", "webhook", "next_at", "seq"],
                condition=models.Q(state="pending"),
                name="webhook_due",
            ),
            models.Index(
                fields=["tenant", "webhook", "subject_ref", "seq"],
                condition=models.Q(state="pending"),
                name="webhook_chain",
            ),
            models.Index(fields=["tenant", "webhook", "-id"], name="webhook_delivery_newest"),
            models.Index(
                fields=["tenant", "finished_at"], condition=models.Q(state="delivered"), name="webhook_done"
            ),
            models.Index(
                fields=["tenant", "finished_at"], condition=models.Q(state="dead"), name="webhook_dead"
            ),
            models.Index(
                fields=["tenant", "webhook", "seq"],
                condition=models.Q(state="dead"),
                name="webhook_dead_letters",
            ),
        ]
