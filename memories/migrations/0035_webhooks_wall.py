"""Row-level security and grants of webhooks and of what is told to them."""

from __future__ import annotations

from django.db import migrations

from memoryhub.common.rls import TenantForeignKey, TenantTable

HOOKS, DELIVERIES = "memories_webhook", "memories_webhookdelivery"


class Migration(migrations.Migration):
    dependencies = [("memories", "0034_webhooks"), ("accounts", "0002_tenant_wall")]

    operations = [
        TenantTable(HOOKS),
        TenantTable(DELIVERIES),
        TenantForeignKey(DELIVERIES, "webhook_id", HOOKS),
    ]
