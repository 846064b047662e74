"""Row-level security and grants of the texts of bulk calls."""

from __future__ import annotations

from django.db import migrations

from memoryhub.common.rls import TenantForeignKey, TenantTable

TABLE = "memories_queuedtext"


class Migration(migrations.Migration):
    dependencies = [("memories", "0037_queued_texts"), ("accounts", "0002_tenant_wall")]

    operations = [
        TenantTable(TABLE),
        TenantForeignKey(TABLE, "job_id", "memories_job"),
        TenantForeignKey(TABLE, "subject_id", "accounts_subject"),
    ]
