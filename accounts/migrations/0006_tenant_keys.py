"""Each tenant has data keys of its own, wrapped under the master key."""

from __future__ import annotations

import django.db.models.deletion
from django.db import migrations, models

import memoryhub.common.ids


class Migration(migrations.Migration):
    dependencies = [("accounts", "0005_lookups_ignore_temp_tables")]

    operations = [
        migrations.CreateModel(
            name="TenantKey",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=memoryhub.common.ids.uuid7, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("number", models.PositiveIntegerField()),
                ("wrapped", models.BinaryField(default=bytes)),
                ("master", models.CharField(blank=True, max_length=16)),
                (
                    "state",
                    models.CharField(
                        choices=[("active", "Active"), ("retired", "Retired"), ("destroyed", "Destroyed")],
                        default="active",
                        max_length=16,
                    ),
                ),
                ("created_at", models.DateTimeField()),
                ("retired_at", models.DateTimeField(blank=True, null=True)),
                ("destroyed_at", models.DateTimeField(blank=True, null=True)),
                (
                    "tenant",
                    models.ForeignKey(
                        editable=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="accounts.tenant",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=["tenant", "number"], name="one_tenant_key_a_number"),
                    models.UniqueConstraint(
                        condition=models.Q(state="active"), fields=["tenant"], name="one_active_key_a_tenant"
                    ),
                ],
            },
        ),
    ]
