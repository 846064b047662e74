"""Memories without facts get the print of their claim, so that a confirmation in other words finds them."""

from __future__ import annotations

from django.db import migrations, models
from django.db.models import Q

from memoryhub.common.indexes import IndexBeside

INDEX = "memory_by_claim"


class Migration(migrations.Migration):
    # The column is added at once, and its index built beside the writers.
    atomic = False
    dependencies = [("memories", "0008_constraints_by_reach")]

    operations = [
        migrations.SeparateDatabaseAndState(
            database_operations=[
                # Where the index was interrupted, the column stands already.
                migrations.RunSQL(
                    "ALTER TABLE memories_memory ADD COLUMN IF NOT EXISTS claim bytea NULL",
                    "ALTER TABLE memories_memory DROP COLUMN IF EXISTS claim",
                )
            ],
            state_operations=[
                migrations.AddField("memory", "claim", models.BinaryField(blank=True, null=True))
            ],
        ),
        migrations.SeparateDatabaseAndState(
            database_operations=[
                IndexBeside(
                    INDEX,
                    "ON memories_memory (tenant_id, subject_id, claim) "
                    "WHERE status = 'current' AND claim IS NOT NULL",
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
