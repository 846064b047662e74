"""Row-level security and grants of sweep pauses."""

from __future__ import annotations

from django.db import migrations

from memoryhub.common.rls import TenantTable


class Migration(migrations.Migration):
    dependencies = [("memories", "0023_sweep_pauses"), ("accounts", "0002_tenant_wall")]

    operations = [TenantTable("memories_sweeppause")]
