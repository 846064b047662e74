"""Row-level security and grants of the usage of models."""

from __future__ import annotations

from django.db import migrations

from memoryhub.common.rls import TenantTable


class Migration(migrations.Migration):
    dependencies = [("memories", "0031_model_usage"), ("accounts", "0002_tenant_wall")]

    operations = [TenantTable("memories_modelusage")]
