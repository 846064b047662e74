"""A tenant: one organisation whose data nobody else sees."""

from __future__ import annotations

from django.db import models

from memoryhub.common.ids import uuid7


class Tenant(models.Model):
    """A global row: it names the tenant and holds nothing that a person said."""

    class Status(models.TextChoices):
        ACTIVE = "active"
        SUSPENDED = "suspended"
        DELETING = "deleting"

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    slug = models.SlugField(unique=True, max_length=63)
    name = models.CharField(max_length=200)
    locale = models.CharField(max_length=16, default="en")
    time_zone = models.CharField(max_length=64, default="UTC")
    status = models.CharField(max_length=16, choices=Status, default=Status.ACTIVE)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["slug"]

    def __str__(self) -> str:
        return self.slug
