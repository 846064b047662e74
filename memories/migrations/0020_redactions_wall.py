"""Row-level security, grants and the composite key of redactions."""

from __future__ import annotations

from django.db import migrations

from memoryhub.common.rls import TenantForeignKey, TenantTable

TABLE = "memories_redaction"


class Migration(migrations.Migration):
    dependencies = [("memories", "0019_redactions"), ("accounts", "0002_tenant_wall")]

    operations = [TenantTable(TABLE), TenantForeignKey(TABLE, "subject_id", "accounts_subject")]
