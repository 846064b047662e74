"""Experiments, and in a trace which arm of which experiment its recall went by."""

import django.db.models.deletion
from django.db import migrations, models

import memories.models.experiment
import memoryhub.common.ids


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0008_derived_keys"),
        ("memories", "0026_newest_of_a_tenant"),
    ]

    operations = [
        migrations.CreateModel(
            name="Experiment",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=memoryhub.common.ids.uuid7, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("name", models.CharField(max_length=100)),
                ("hypothesis", models.CharField(max_length=500)),
                ("overrides", models.JSONField(default=dict)),
                ("share", models.FloatField(default=0.5)),
                ("salt", models.BinaryField(default=memories.models.experiment.new_salt)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("draft", "Draft"),
                            ("running", "Running"),
                            ("stopped", "Stopped"),
                            ("adopted", "Adopted"),
                        ],
                        default="draft",
                        max_length=8,
                    ),
                ),
                ("base_version", models.PositiveIntegerField(blank=True, null=True)),
                ("ended_by_version", models.PositiveIntegerField(blank=True, null=True)),
                ("note", models.CharField(blank=True, max_length=200)),
                ("created_at", models.DateTimeField()),
                ("created_by", models.CharField(max_length=64)),
                ("started_at", models.DateTimeField(blank=True, null=True)),
                ("started_by", models.CharField(blank=True, max_length=64)),
                ("stopped_at", models.DateTimeField(blank=True, null=True)),
                ("stopped_by", models.CharField(blank=True, max_length=64)),
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
                    models.UniqueConstraint(
                        condition=models.Q(("state", "running")),
                        fields=("tenant",),
                        name="one_running_experiment_a_tenant",
                    )
                ],
            },
        ),
        migrations.AddField("recalltrace", "experiment_id", models.UUIDField(blank=True, null=True)),
        migrations.AddField(
            "recalltrace", "arm", models.CharField(blank=True, db_default="", default="", max_length=1)
        ),
    ]
