"""The two recallable things: a memory (gated, decaying, versioned) and an episode (a turn or a chunk of one)."""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q

from accounts.models import Subject
from accounts.tenancy import NEWEST, TenantForeignKey, TenantManager, TenantModel
from memories.querysets import EpisodeQuerySet, MemoryQuerySet
from memoryhub.common.fields import EncryptedTextField


class Status(models.TextChoices):
    """Only `current` is recalled; the others say why it is not."""

    CURRENT = "current"
    SUPERSEDED = "superseded"
    ARCHIVED = "archived"
    EXPIRED = "expired"
    FORGOTTEN = "forgotten"
    MERGED = "merged"
    PENDING = "pending"
    QUARANTINED = "quarantined"
    REDACTED = "redacted"


class Scope(models.TextChoices):
    """How far a memory reaches; recall never widens it."""

    USER = "user"
    AGENT = "agent"
    SESSION = "session"


class Source(models.TextChoices):
    """Where it comes from; sets its credibility."""

    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"
    IMPORT = "import"
    OPERATOR = "operator"


class Memory(TenantModel):
    """One remembered thing. `content` is the text that may be shown, embedded and indexed (masked where policy says so)."""

    subject = TenantForeignKey(Subject)
    agent = TenantForeignKey(Subject, null=True, blank=True)
    scope = models.CharField(max_length=8, choices=Scope, default=Scope.USER)
    # Sessions live in the app above; the id is enough to scope and filter by.
    session_id = models.UUIDField(null=True, blank=True)

    kind = models.CharField(max_length=16)
    content = models.TextField()
    content_encrypted = EncryptedTextField(null=True, blank=True)
    language = models.CharField(max_length=8, default="en")
    key = models.CharField(max_length=200, blank=True)
    tags = ArrayField(models.CharField(max_length=64), default=list, blank=True)
    metadata = models.JSONField(default=dict, blank=True)
    fingerprint = models.BinaryField()
    # Of what a memory without facts claims, whatever the words that carry nothing (R17).
    claim = models.BinaryField(null=True, blank=True)

    source = models.CharField(max_length=16, choices=Source, default=Source.USER)
    speaker = models.CharField(max_length=200, blank=True)
    importance = models.FloatField(default=0.5)
    importance_level = models.CharField(max_length=8, blank=True)
    credibility = models.FloatField(default=1.0)

    strength = models.FloatField(default=1.0)
    hits = models.PositiveIntegerField(default=0)
    last_hit_at = models.DateTimeField(null=True, blank=True)
    # The turn of the newest hit and which events of it were counted (a bit each): the same recall counts once a turn.
    hit_turn_id = models.UUIDField(null=True, blank=True)
    hit_events = models.PositiveSmallIntegerField(default=0)
    pinned = models.BooleanField(default=False)

    said_at = models.DateTimeField()
    event_start = models.DateTimeField(null=True, blank=True)
    event_end = models.DateTimeField(null=True, blank=True)
    valid_from = models.DateTimeField(null=True, blank=True)
    valid_to = models.DateTimeField(null=True, blank=True)
    expires_at = models.DateTimeField(null=True, blank=True)
    expires_after_turns = models.PositiveIntegerField(null=True, blank=True)
    expires_with_session = models.BooleanField(default=False)

    status = models.CharField(max_length=16, choices=Status, default=Status.CURRENT)
    superseded_by = TenantForeignKey("self", on_delete=models.SET_NULL, null=True, blank=True)
    asked_about_at = models.DateTimeField(null=True, blank=True)
    rule = models.CharField(max_length=64, blank=True)
    reasons = models.JSONField(default=list, blank=True)
    version = models.PositiveIntegerField(default=1)
    created_at = models.DateTimeField()
    updated_at = models.DateTimeField()

    # A manager that offers the queryset's sentences; to the type checker it is that queryset.
    objects: MemoryQuerySet = TenantManager.of_queryset(MemoryQuerySet)  # type: ignore[assignment]

    class Meta:
        verbose_name_plural = "memories"
        constraints = [
            # What makes two equal concurrent writes one memory (R17).
            models.UniqueConstraint(
                fields=["tenant", "subject", "agent", "scope", "session_id", "fingerprint"],
                condition=Q(status="current"),
                nulls_distinct=False,
                name="one_current_memory_a_fingerprint",
            ),
            models.UniqueConstraint(
                fields=["tenant", "subject", "agent", "scope", "session_id", "key"],
                condition=Q(status="current", kind="constraint") & ~Q(key=""),
                nulls_distinct=False,
                name="one_current_constraint_a_reach_and_key",
            ),
        ]
        indexes = [
            models.Index(fields=["tenant", "subject", "status", "kind"], name="memory_by_subject"),
            models.Index(fields=["tenant", "subject", "-created_at", "-id"], name="memory_newest"),
            # The admin's list and its health page: ids rise with time.
            models.Index("tenant", NEWEST, name="memory_newest_first"),
            models.Index("tenant", NEWEST, condition=Q(pinned=True), name="memory_pinned_first"),
            models.Index(
                "tenant", "status", NEWEST, condition=~Q(status="current"), name="memory_past_first"
            ),
            models.Index(
                fields=["tenant", "expires_at"], condition=Q(status="current"), name="memory_expiring"
            ),
            # A repeat of an archived or superseded memory is looked for too, so the partial unique index is not enough.
            models.Index(fields=["tenant", "subject", "fingerprint"], name="memory_by_fingerprint"),
            models.Index(
                fields=["tenant", "subject", "claim"],
                condition=Q(status="current", claim__isnull=False),
                name="memory_by_claim",
            ),
        ]


class Episode(TenantModel):
    """The recallable form of something said: a turn, a chunk of a long one, or a chunk of a tool result or document.

    No gate and no capacity; decay changes only its rank (docs/adr/0016). `source_id` is the turn, which lives above.
    """

    subject = TenantForeignKey(Subject)
    agent = TenantForeignKey(Subject, null=True, blank=True)
    session_id = models.UUIDField(null=True, blank=True)
    source_kind = models.CharField(max_length=16, default="turn")
    source_id = models.UUIDField()
    part = models.PositiveSmallIntegerField(default=0)
    seq = models.PositiveIntegerField(default=0)
    role = models.CharField(max_length=16)
    speaker = models.CharField(max_length=200, blank=True)
    said_at = models.DateTimeField()
    text = models.TextField()
    hits = models.PositiveIntegerField(default=0)
    last_hit_at = models.DateTimeField(null=True, blank=True)
    hit_turn_id = models.UUIDField(null=True, blank=True)
    hit_events = models.PositiveSmallIntegerField(default=0)
    status = models.CharField(max_length=16, choices=Status, default=Status.CURRENT)
    created_at = models.DateTimeField()

    objects: EpisodeQuerySet = TenantManager.of_queryset(EpisodeQuerySet)  # type: ignore[assignment]

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["tenant", "source_kind", "source_id", "part"], name="one_episode_a_part"
            )
        ]
        indexes = [
            models.Index(fields=["tenant", "subject", "status"], name="episode_by_subject"),
            models.Index(fields=["tenant", "session_id", "seq"], name="episode_by_session"),
        ]
