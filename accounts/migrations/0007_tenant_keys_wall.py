"""Row-level security and grants of the tenants' keys."""

from __future__ import annotations

from django.db import migrations

from memoryhub.common.rls import TenantTable


class Migration(migrations.Migration):
    dependencies = [("accounts", "0006_tenant_keys")]

    operations = [TenantTable("accounts_tenantkey")]
