"""Two index tables keep only the composite indexes that recall reads: one-column ones cost space and mislead the planner."""

from __future__ import annotations

from django.db import migrations, models

import accounts.tenancy

INDEXES = [
    ("memories_embedding", "subject_id", "memories_embedding_subject_id_46f9f154"),
    ("memories_embedding", "tenant_id", "memories_embedding_tenant_id_1b127828"),
    ("memories_posting", "subject_id", "memories_posting_subject_id_b125bfb9"),
    ("memories_posting", "tenant_id", "memories_posting_tenant_id_4f1bf627"),
]


def _subject() -> accounts.tenancy.TenantForeignKey:
    return accounts.tenancy.TenantForeignKey(
        "accounts.subject", on_delete=models.CASCADE, related_name="+", db_index=False
    )


def _tenant() -> models.ForeignKey:
    return models.ForeignKey(
        "accounts.tenant", on_delete=models.CASCADE, related_name="+", editable=False, db_index=False
    )


class Migration(migrations.Migration):
    dependencies = [("accounts", "0002_tenant_wall"), ("memories", "0005_negated_facts")]

    operations = [
        migrations.SeparateDatabaseAndState(
            # Django would drop and validate the keys again, which forced row-level security does not allow.
            database_operations=[
                migrations.RunSQL(
                    f'DROP INDEX IF EXISTS "{name}"',
                    f'CREATE INDEX IF NOT EXISTS "{name}" ON "{table}" ("{column}")',
                )
                for table, column, name in INDEXES
            ],
            state_operations=[
                migrations.AlterField(model, name, make())
                for model in ("embedding", "posting")
                for name, make in (("subject", _subject), ("tenant", _tenant))
            ],
        )
    ]
