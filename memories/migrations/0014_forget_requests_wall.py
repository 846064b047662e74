"""The tenant wall around requests to forget, and composite keys of the columns that point at them."""

from __future__ import annotations

from django.db import migrations

from memoryhub.common.rls import TenantForeignKey, TenantTable

TABLE = "memories_forgetrequest"


class Migration(migrations.Migration):
    dependencies = [("memories", "0013_forget_requests"), ("accounts", "0002_tenant_wall")]

    operations = [
        TenantTable(TABLE),
        TenantForeignKey(TABLE, "subject_id", "accounts_subject"),
        TenantForeignKey("memories_tombstone", "request_id", TABLE, on_delete="SET NULL"),
        TenantForeignKey("memories_forgetrule", "request_id", TABLE, on_delete="SET NULL"),
    ]
