"""A digest: which turns (or older digests) of a session one memory of kind digest stands for."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from accounts.tenancy import TenantForeignKey, TenantModel
from memories.models import Memory
from sessions_app.models.session import ChatSession


class Digest(TenantModel):
    """The text is the memory's content; this row holds the span, the generation and where it came from."""

    session = TenantForeignKey(ChatSession, related_name="digests")
    memory = TenantForeignKey(Memory)
    generation = models.PositiveSmallIntegerField(default=1)
    first_seq = models.PositiveIntegerField()
    last_seq = models.PositiveIntegerField()
    tokens = models.PositiveIntegerField(default=0)
    source_tokens = models.PositiveIntegerField(default=0)
    method = models.CharField(max_length=16)
    replaced_by = TenantForeignKey("self", on_delete=models.SET_NULL, null=True, blank=True)
    undone_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField()

    class Meta:
        constraints = [
            # What makes compaction idempotent: a span of one generation is compacted once.
            models.UniqueConstraint(
                fields=["tenant", "session", "generation", "first_seq"],
                condition=Q(undone_at__isnull=True),
                name="one_digest_a_span",
            )
        ]
