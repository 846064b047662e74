"""No index holds a vector's generation alone: while one fills, statistics call it empty, and the planner would walk all of it."""

from __future__ import annotations

import django.db.models.deletion
from django.db import migrations, models

TABLE, NAME = "memories_embedding", "memories_embedding_space_id_738b21ca"


class Migration(migrations.Migration):
    dependencies = [("memories", "0016_embedding_generations")]

    operations = [
        migrations.SeparateDatabaseAndState(
            # Django would drop and validate the key again, which forced row-level security does not allow.
            database_operations=[
                migrations.RunSQL(
                    f'DROP INDEX IF EXISTS "{NAME}"',
                    f'CREATE INDEX IF NOT EXISTS "{NAME}" ON "{TABLE}" ("space_id")',
                )
            ],
            state_operations=[
                migrations.AlterField(
                    "embedding",
                    "space",
                    models.ForeignKey(
                        "memories.embeddingspace",
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        db_index=False,
                    ),
                )
            ],
        )
    ]
