"""The two narrow index tables of recall: vectors by embedding space, and postings by term."""

from __future__ import annotations

from typing import Any

from django.db import models
from pgvector.django import HalfVectorField

from accounts.models import Subject, Tenant
from accounts.tenancy import TenantForeignKey, TenantModel


class EmbeddingSpace(models.Model):
    """One generation of vectors: an embedder's identity and what becomes of its rows. Global, no content (docs/adr/0028).

    A change of model, or of its dimension, is a new row here and a backfill, never a migration. The one that is active
    answers; one that is building is filled beside it; one on standby was active and is kept up to date for a rollback; one
    that is retired gets nothing more, and its vectors are dropped.
    """

    class State(models.TextChoices):
        BUILDING = "building"
        ACTIVE = "active"
        STANDBY = "standby"
        RETIRED = "retired"

    id = models.SmallAutoField(primary_key=True)
    name = models.CharField(max_length=100)
    revision = models.CharField(max_length=64)
    dimension = models.PositiveSmallIntegerField()
    state = models.CharField(max_length=8, choices=State, default=State.BUILDING)
    switches_itself = models.BooleanField(default=False, db_default=False)
    created_at = models.DateTimeField(auto_now_add=True)
    changed_at = models.DateTimeField(null=True, editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["name", "revision", "dimension"], name="one_space_an_embedder"),
            models.UniqueConstraint(
                fields=["state"], condition=models.Q(state="active"), name="one_active_embedding_space"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name}@{self.revision}"


class ItemKind(models.TextChoices):
    MEMORY = "memory"
    EPISODE = "episode"


class BitsField(models.Field):
    """A string of bits of any length (`varbit`), as binary_quantize makes it."""

    def db_type(self, connection: Any) -> str:
        return "varbit"


class Embedding(TenantModel):
    """A unit vector of one item in one space: halfvec, stored in line (STORAGE MAIN), so that an exact scan is cheap.

    `bits` are the signs of its numbers. They stand in the index, too: over a large subject a first pass reads nothing else
    (docs/adr/0027).
    """

    tenant = models.ForeignKey(
        Tenant, on_delete=models.CASCADE, related_name="+", editable=False, db_index=False
    )
    subject = TenantForeignKey(Subject, db_index=False)
    # An index of it alone would tempt the planner while a generation fills: statistics say then that it is empty.
    space = models.ForeignKey(EmbeddingSpace, on_delete=models.PROTECT, related_name="+", db_index=False)
    item_kind = models.CharField(max_length=8, choices=ItemKind)
    item_id = models.UUIDField()
    vector = HalfVectorField()
    bits = BitsField(null=True, editable=False)
    referenced = False

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["tenant", "space", "item_id"], name="one_vector_an_item_and_space"
            )
        ]
        indexes = [
            models.Index(
                fields=["tenant", "subject", "space", "item_kind"],
                include=["item_id", "bits"],
                name="embedding_first_pass",
            )
        ]


class Posting(TenantModel):
    """One term of one item. Equality on text is leakproof, so row-level security keeps this table's index (docs/adr/0014)."""

    id = None  # type: ignore[assignment]
    pk = models.CompositePrimaryKey("tenant_id", "item_id", "term")
    referenced = False
    # Indexes of one column would tempt the planner to read all of a subject's postings, and double the table. The key to the
    # subject, over (tenant, id), holds the tenant, too: a second look for each term would say nothing more.
    tenant = models.ForeignKey(
        Tenant,
        on_delete=models.CASCADE,
        related_name="+",
        editable=False,
        db_index=False,
        db_constraint=False,
    )
    subject = TenantForeignKey(Subject, db_index=False)
    item_kind = models.CharField(max_length=8, choices=ItemKind)
    item_id = models.UUIDField()
    term = models.CharField(max_length=64)
    frequency = models.PositiveSmallIntegerField(default=1)
    # Number of terms of the whole item, repeated here so that BM25 needs no second table.
    length = models.PositiveIntegerField(default=1)

    class Meta:
        indexes = [
            models.Index(
                fields=["tenant", "subject", "term"],
                include=["item_id", "frequency", "length"],
                name="posting_by_term",
            )
        ]
