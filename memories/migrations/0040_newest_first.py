"""Indexes for a tenant's newest memories and facts that no other index can stand in for (accounts/tenancy.NEWEST)."""

from __future__ import annotations

from django.contrib.postgres.operations import AddIndexConcurrently, RemoveIndexConcurrently
from django.db import migrations, models
from django.db.models import F, Q


def newest(name: str, *between: str, **only: Q) -> models.Index:
    return models.Index(F("tenant"), *map(F, between), F("id").desc(nulls_last=True), name=name, **only)


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("memories", "0039_dead_letters_by_endpoint")]

    operations = [
        AddIndexConcurrently("memory", newest("memory_newest_first")),
        AddIndexConcurrently("fact", newest("fact_newest_first")),
        AddIndexConcurrently("memory", newest("memory_pinned_first", condition=Q(pinned=True))),
        AddIndexConcurrently("memory", newest("memory_past_first", "status", condition=~Q(status="current"))),
        RemoveIndexConcurrently("memory", "memory_of_tenant"),
        RemoveIndexConcurrently("memory", "memory_pinned"),
        RemoveIndexConcurrently("memory", "memory_past"),
    ]
