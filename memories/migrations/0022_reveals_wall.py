"""Row-level security, grants and the composite key of reveals."""

from __future__ import annotations

from django.db import migrations

from memoryhub.common.rls import TenantForeignKey, TenantTable

TABLE = "memories_reveal"


class Migration(migrations.Migration):
    dependencies = [("memories", "0021_reveals"), ("accounts", "0002_tenant_wall")]

    operations = [TenantTable(TABLE), TenantForeignKey(TABLE, "memory_id", "memories_memory")]
