"""What hangs on a memory: versions, evidence, structured facts, slots, contradictions and tombstones."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from accounts.models import Subject
from accounts.tenancy import NEWEST, TenantForeignKey, TenantModel
from memories.models.memory import Memory
from memoryhub.common.fields import EncryptedTextField

VERSIONED_COLUMNS = (
    "kind",
    "status",
    "scope",
    "key",
    "tags",
    "metadata",
    "source",
    "speaker",
    "importance",
    "importance_level",
    "pinned",
    "said_at",
    "event_start",
    "event_end",
    "valid_from",
    "valid_to",
    "expires_at",
    "superseded_by_id",
)
"""What a version keeps beside the content; the sweep's SQL keeps the same columns, and a test compares the two."""


class MemoryVersion(TenantModel):
    """What a memory was after one change: who made it, by which rule, from which turn. Ours, so redaction can reach it."""

    memory = TenantForeignKey(Memory, related_name="versions")
    number = models.PositiveIntegerField()
    change = models.CharField(max_length=32)
    content = models.TextField()
    content_encrypted = EncryptedTextField(null=True, blank=True)
    # The other columns as they stood after the change (kind, status, pinned, validity, …); undo restores from here.
    state = models.JSONField()
    actor_kind = models.CharField(max_length=16)
    actor_id = models.CharField(max_length=64, blank=True)
    rule = models.CharField(max_length=64, blank=True)
    reason = models.CharField(max_length=200, blank=True)
    turn_id = models.UUIDField(null=True, blank=True)
    at = models.DateTimeField()
    redacted_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["tenant", "memory", "number"], name="one_version_a_memory_and_number"
            )
        ]


class Evidence(TenantModel):
    """A place where a memory was said or confirmed, with the exact quote."""

    memory = TenantForeignKey(Memory, related_name="evidence")
    turn_id = models.UUIDField(null=True, blank=True)
    session_id = models.UUIDField(null=True, blank=True)
    quote = models.TextField(blank=True)
    role = models.CharField(max_length=16)
    speaker = models.CharField(max_length=200, blank=True)
    said_at = models.DateTimeField()
    created_at = models.DateTimeField()

    class Meta:
        indexes = [models.Index(fields=["tenant", "turn_id"], name="evidence_by_turn")]


class Fact(TenantModel):
    """The structured form of a memory: (entity, attribute, value) with its validity. `entity` "user" is the subject."""

    memory = TenantForeignKey(Memory, related_name="facts")
    subject = TenantForeignKey(Subject)
    entity = models.CharField(max_length=200)
    entity_kind = models.CharField(max_length=16, blank=True)
    attribute = models.CharField(max_length=100)
    value = models.TextField()
    slot_key = models.CharField(max_length=320)
    single_valued = models.BooleanField(default=False)
    # True when the statement says that this does not, or does no longer, hold.
    negated = models.BooleanField(default=False)
    valid_from = models.DateTimeField(null=True, blank=True)
    valid_to = models.DateTimeField(null=True, blank=True)

    class Meta:
        indexes = [
            models.Index(fields=["tenant", "subject", "slot_key"], name="fact_by_slot"),
            models.Index(fields=["tenant", "attribute"], name="fact_by_attribute"),
            models.Index(fields=["tenant", "entity"], name="fact_by_entity"),
            models.Index("tenant", NEWEST, name="fact_newest_first"),
        ]


class Slot(TenantModel):
    """Short-term memory across sessions: an entity, a task's state or an interim conclusion, with its own end."""

    class Kind(models.TextChoices):
        ENTITY = "entity"
        TASK_STATE = "task_state"
        CONCLUSION = "conclusion"

    subject = TenantForeignKey(Subject)
    kind = models.CharField(max_length=16, choices=Kind)
    key = models.CharField(max_length=200)
    value = models.TextField()
    importance = models.FloatField(default=0.5)
    mentions = models.PositiveIntegerField(default=1)
    session_id = models.UUIDField(null=True, blank=True)
    turn_id = models.UUIDField(null=True, blank=True)
    created_at = models.DateTimeField()
    updated_at = models.DateTimeField()
    expires_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["tenant", "subject", "kind", "key"], name="one_slot_a_key")
        ]
        indexes = [models.Index(fields=["tenant", "expires_at"], name="slot_expiring")]


class Contradiction(TenantModel):
    """Two current memories that cannot both hold; `undo` is the record that reverses a resolution."""

    class State(models.TextChoices):
        OPEN = "open"
        RESOLVED = "resolved"

    class Resolution(models.TextChoices):
        KEEP_NEW = "keep_new"
        KEEP_OLD = "keep_old"
        KEEP_BOTH = "keep_both"
        MERGE = "merge"

    subject = TenantForeignKey(Subject)
    slot_key = models.CharField(max_length=320, blank=True)
    older = TenantForeignKey(Memory)
    newer = TenantForeignKey(Memory)
    state = models.CharField(max_length=8, choices=State, default=State.OPEN)
    resolution = models.CharField(max_length=16, choices=Resolution, blank=True)
    undo = models.JSONField(default=dict, blank=True)
    rule = models.CharField(max_length=64, blank=True)
    opened_at = models.DateTimeField()
    resolved_at = models.DateTimeField(null=True, blank=True)
    resolved_by = models.CharField(max_length=64, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["tenant", "older", "newer"],
                condition=Q(state="open"),
                name="one_open_contradiction_a_pair",
            )
        ]
        indexes = [
            models.Index(fields=["tenant", "opened_at"], condition=Q(state="open"), name="contradiction_open")
        ]


class Tombstone(TenantModel):
    """A soft deletion: who, when, why, what it was before, and until when it can be restored."""

    memory = TenantForeignKey(Memory, related_name="tombstones")
    subject = TenantForeignKey(Subject)
    previous_status = models.CharField(max_length=16)
    cause = models.CharField(max_length=16)
    rule = models.CharField(max_length=64, blank=True)
    reason = models.CharField(max_length=200, blank=True)
    actor_kind = models.CharField(max_length=16)
    actor_id = models.CharField(max_length=64, blank=True)
    run = TenantForeignKey("memories.SweepRun", on_delete=models.SET_NULL, null=True, blank=True)
    at = models.DateTimeField()
    purge_after = models.DateTimeField()
    restored_at = models.DateTimeField(null=True, blank=True)
    # Which request to forget laid it, and the words that it took out of other texts: [{holder, row, column, start, text}].
    request = TenantForeignKey("memories.ForgetRequest", on_delete=models.SET_NULL, null=True, blank=True)
    undo = EncryptedTextField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["tenant", "memory"],
                condition=Q(restored_at__isnull=True),
                name="one_open_tombstone_a_memory",
            )
        ]
        indexes = [models.Index(fields=["tenant", "purge_after"], name="tombstone_purge")]
