"""Redactions: what was taken out for good, by whom, why, how far a run came, and the proof."""

import django.db.models.deletion
from django.db import migrations, models

import accounts.tenancy
import memoryhub.common.fields
import memoryhub.common.ids


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0008_derived_keys"),
        ("memories", "0018_requests_being_undone"),
    ]

    operations = [
        migrations.CreateModel(
            name="Redaction",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=memoryhub.common.ids.uuid7, editable=False, primary_key=True, serialize=False
                    ),
                ),
                (
                    "scope",
                    models.CharField(
                        choices=[("memory", "Memory"), ("subject", "Subject"), ("tenant", "Tenant")],
                        max_length=8,
                    ),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[("running", "Running"), ("done", "Done")], default="running", max_length=8
                    ),
                ),
                ("memory_ref", models.UUIDField(blank=True, null=True)),
                ("by_pattern", models.BooleanField(default=False)),
                ("standing", models.BooleanField(default=False)),
                ("reason", models.CharField(max_length=200)),
                ("target", memoryhub.common.fields.EncryptedTextField(blank=True, null=True)),
                ("rules", models.JSONField(blank=True, default=list)),
                ("found", models.JSONField(blank=True, default=dict)),
                ("place", models.JSONField(blank=True, default=dict)),
                ("subjects", models.PositiveIntegerField(default=0)),
                ("subjects_done", models.PositiveIntegerField(default=0)),
                ("proof", models.JSONField(blank=True, null=True)),
                ("requested_by_kind", models.CharField(max_length=16)),
                ("requested_by", models.CharField(blank=True, max_length=64)),
                ("requested_at", models.DateTimeField()),
                ("finished_at", models.DateTimeField(blank=True, null=True)),
                ("lifted_at", models.DateTimeField(blank=True, null=True)),
                (
                    "subject",
                    accounts.tenancy.TenantForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="accounts.subject",
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
            options={
                "indexes": [models.Index(fields=["tenant", "subject"], name="redaction_by_subject")],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("scope", "tenant"), ("state", "running")),
                        fields=("tenant",),
                        name="one_open_redaction_of_a_tenant",
                    )
                ],
            },
        ),
    ]
