"""Texts of bulk calls that a job remembers."""

import django.db.models.deletion
from django.db import migrations, models

import accounts.tenancy
import memoryhub.common.fields
import memoryhub.common.ids


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0009_audit_by_action_and_actor"),
        ("memories", "0036_webhooks_told"),
    ]

    operations = [
        migrations.CreateModel(
            name="QueuedText",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=memoryhub.common.ids.uuid7, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("number", models.PositiveIntegerField()),
                ("given", memoryhub.common.fields.EncryptedTextField(blank=True, null=True)),
                ("outcomes", models.JSONField(blank=True, default=list)),
                ("error", models.CharField(blank=True, max_length=64)),
                ("done_at", models.DateTimeField(blank=True, null=True)),
                (
                    "job",
                    accounts.tenancy.TenantForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="memories.job"
                    ),
                ),
                (
                    "subject",
                    accounts.tenancy.TenantForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="accounts.subject"
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
                "indexes": [models.Index(fields=["tenant", "subject"], name="queued_text_by_subject")],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("tenant", "job", "number"), name="one_queued_text_a_place"
                    )
                ],
            },
        ),
    ]
