"""Each vector gets its bits, which stand in the subject's index: a first pass over a large subject reads nothing else."""

from __future__ import annotations

from typing import Any

from django.db import migrations, models

import memories.models.index
from memoryhub.common.indexes import IndexBeside

TABLE = "memories_embedding"
NEW, OLD = "embedding_first_pass", "embedding_by_subject"
BATCH = 5_000


def fill(apps: Any, schema_editor: Any) -> None:
    """In batches of one transaction each, tenant by tenant: the owner stands behind the wall, too."""
    connection = schema_editor.connection
    with connection.cursor() as cursor:
        cursor.execute("SELECT id FROM accounts_tenant")
        for (tenant_id,) in cursor.fetchall():
            cursor.execute("SELECT set_config('memoryhub.tenant', %s, false)", [str(tenant_id)])
            filled = BATCH
            while filled == BATCH:
                cursor.execute(
                    f"UPDATE {TABLE} SET bits = binary_quantize(vector)::varbit WHERE id IN "  # noqa: S608
                    f"(SELECT id FROM {TABLE} WHERE tenant_id = %s AND bits IS NULL LIMIT {BATCH})",
                    [tenant_id],
                )
                filled = cursor.rowcount
        cursor.execute("SELECT set_config('memoryhub.tenant', '', false)")


class Migration(migrations.Migration):
    # The column is added at once, filled in batches, and its index built beside the writers.
    atomic = False
    dependencies = [("memories", "0014_forget_requests_wall")]

    operations = [
        migrations.SeparateDatabaseAndState(
            database_operations=[
                migrations.RunSQL(
                    f"ALTER TABLE {TABLE} ADD COLUMN IF NOT EXISTS bits varbit NULL",
                    f"ALTER TABLE {TABLE} DROP COLUMN IF EXISTS bits",
                ),
                migrations.RunSQL(
                    f"ALTER TABLE {TABLE} ALTER COLUMN bits SET STORAGE MAIN", migrations.RunSQL.noop
                ),
                # The map of what everybody sees is what lets a scan stay in the index; new rows come all the time.
                migrations.RunSQL(
                    f"ALTER TABLE {TABLE} SET (autovacuum_vacuum_insert_scale_factor = 0.02)",
                    f"ALTER TABLE {TABLE} RESET (autovacuum_vacuum_insert_scale_factor)",
                ),
            ],
            state_operations=[
                migrations.AddField(
                    "embedding", "bits", memories.models.index.BitsField(null=True, editable=False)
                )
            ],
        ),
        migrations.RunPython(fill, migrations.RunPython.noop),
        migrations.SeparateDatabaseAndState(
            database_operations=[
                IndexBeside(
                    NEW, f"ON {TABLE} (tenant_id, subject_id, space_id, item_kind) INCLUDE (item_id, bits)"
                ),
                IndexBeside(OLD, f"ON {TABLE} (tenant_id, subject_id, space_id, item_kind)", drops=True),
            ],
            state_operations=[
                migrations.AddIndex(
                    "embedding",
                    models.Index(
                        fields=["tenant", "subject", "space", "item_kind"],
                        include=["item_id", "bits"],
                        name=NEW,
                    ),
                ),
                migrations.RemoveIndex("embedding", OLD),
            ],
        ),
    ]
