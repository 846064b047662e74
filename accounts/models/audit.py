"""The audit chain: append-only, hash-chained per tenant, ids and numbers only."""

from __future__ import annotations

from django.db import models

from accounts.tenancy import TenantModel


class AuditEntry(TenantModel):
    """One entry a transaction; `changes` is a list of {action, target_kind, target_id, subject_id, detail} without content."""

    seq = models.BigIntegerField()
    at = models.DateTimeField()
    actor_kind = models.CharField(max_length=16)
    actor_id = models.CharField(max_length=64, blank=True)
    door = models.CharField(max_length=16)
    action = models.CharField(max_length=64)
    changes = models.JSONField()
    prev_hash = models.BinaryField()
    hash = models.BinaryField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["tenant", "seq"], name="one_audit_entry_a_sequence_number")
        ]
        indexes = [
            models.Index(fields=["tenant", "action", "-seq"], name="audit_by_action"),
            models.Index(fields=["tenant", "actor_id", "-seq"], name="audit_by_actor"),
        ]
        ordering = ["-seq"]
        verbose_name_plural = "audit entries"


class AuditHead(TenantModel):
    """The chain's last link; locked as the last statement of a transaction."""

    seq = models.BigIntegerField(default=0)
    hash = models.BinaryField(default=bytes)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["tenant"], name="one_audit_head_a_tenant")]
