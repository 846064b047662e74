"""Memories without facts get the print of their claim, so that a confirmation in other words finds them."""

from __future__ import annotations

from django.db import migrations, models
from django.db.models import Q

INDEX = "memory_by_claim"


class Migration(migrations.Migration):
    # The column is added at once, and its index built beside the writers.
    atomic = False
    dependencies = [("memories", "0008_constraints_by_reach")]

    operations = [
        migrations.AddField("memory", "claim", models.BinaryField(blank=True, null=True)),
        migrations.SeparateDatabaseAndState(
            database_operations=[
                migrations.RunSQL(
                    f"CREATE INDEX CONCURRENTLY IF NOT EXISTS {INDEX} ON memories_memory (tenant_id, subject_id, claim) "
                    "WHERE status = 'current' AND claim IS NOT NULL",
                    f"DROP INDEX CONCURRENTLY IF EXISTS {INDEX}",
                )
            ],
            state_operations=[
                migrations.AddIndex(
                    "memory",
                    models.Index(
                        fields=["tenant", "subject", "claim"],
                        condition=Q(status="current", claim__isnull=False),
                        name=INDEX,
                    ),
                )
            ],
        ),
    ]
