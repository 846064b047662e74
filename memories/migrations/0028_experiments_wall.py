"""Row-level security and grants of experiments."""

from __future__ import annotations

from django.db import migrations

from memoryhub.common.rls import TenantTable


class Migration(migrations.Migration):
    dependencies = [("memories", "0027_experiments"), ("accounts", "0002_tenant_wall")]

    operations = [TenantTable("memories_experiment")]
