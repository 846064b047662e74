"""Pauses of sweeps, and the state of a run that one of them stopped."""

import django.db.models.deletion
from django.db import migrations, models

import memoryhub.common.ids


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0008_derived_keys"),
        ("memories", "0022_reveals_wall"),
    ]

    operations = [
        migrations.AlterField(
            model_name="sweeprun",
            name="state",
            field=models.CharField(
                choices=[
                    ("running", "Running"),
                    ("done", "Done"),
                    ("failed", "Failed"),
                    ("paused", "Paused"),
                ],
                default="running",
                max_length=8,
            ),
        ),
        migrations.CreateModel(
            name="SweepPause",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=memoryhub.common.ids.uuid7, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("paused_at", models.DateTimeField()),
                ("paused_by_kind", models.CharField(max_length=16)),
                ("paused_by", models.CharField(max_length=64)),
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
                "constraints": [models.UniqueConstraint(fields=("tenant",), name="one_sweep_pause_a_tenant")],
            },
        ),
    ]
