"""A kept answer names whose memory it is about, so that erasing one subject leaves the other subjects' answers."""

from __future__ import annotations

import django.db.models.deletion
from django.db import migrations

import accounts.tenancy
from memoryhub.common.rls import TenantForeignKey


class Migration(migrations.Migration):
    dependencies = [("memories", "0006_leaner_index_tables"), ("accounts", "0002_tenant_wall")]

    operations = [
        migrations.AddField(
            "idempotencykey",
            "subject",
            accounts.tenancy.TenantForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to="accounts.subject",
            ),
        ),
        TenantForeignKey("memories_idempotencykey", "subject_id", "accounts_subject"),
    ]
