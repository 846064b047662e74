"""Reveals: which memory an operator read in clear, when and why."""

import django.db.models.deletion
from django.db import migrations, models

import accounts.tenancy
import memoryhub.common.ids


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0008_derived_keys"),
        ("memories", "0020_redactions_wall"),
    ]

    operations = [
        migrations.CreateModel(
            name="Reveal",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=memoryhub.common.ids.uuid7, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("actor_kind", models.CharField(max_length=16)),
                ("actor_id", models.CharField(max_length=64)),
                ("reason", models.CharField(max_length=200)),
                ("at", models.DateTimeField()),
                (
                    "memory",
                    accounts.tenancy.TenantForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="reveals",
                        to="memories.memory",
                    ),
                ),
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
        ),
    ]
