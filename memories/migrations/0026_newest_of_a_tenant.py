"""Indexes for what operators see first: a tenant's newest memories and traces."""

from __future__ import annotations

from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("memories", "0025_what_waits")]

    operations = [
        AddIndexConcurrently("memory", models.Index(fields=["tenant", "-id"], name="memory_of_tenant")),
        AddIndexConcurrently("recalltrace", models.Index(fields=["tenant", "-at"], name="trace_of_tenant")),
    ]
