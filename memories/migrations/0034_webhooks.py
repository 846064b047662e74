"""Where a tenant's changes are told, and the outbox of what is told there."""

import django.contrib.postgres.fields
import django.db.models.deletion
from django.db import migrations, models

import accounts.tenancy
import memoryhub.common.fields
import memoryhub.common.ids


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0009_audit_by_action_and_actor"),
        ("memories", "0033_postings_lean_on_the_subject"),
    ]

    operations = [
        migrations.CreateModel(
            name="Webhook",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=memoryhub.common.ids.uuid7, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("name", models.CharField(blank=True, max_length=100)),
                ("url", models.CharField(max_length=2000)),
                (
                    "events",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=32), blank=True, default=list, size=None
                    ),
                ),
                ("with_content", models.BooleanField(default=False)),
                (
                    "state",
                    models.CharField(
                        choices=[("enabled", "Enabled"), ("disabled", "Disabled"), ("full", "Full")],
                        default="enabled",
                        max_length=8,
                    ),
                ),
                ("disabled_why", models.CharField(blank=True, max_length=16)),
                ("secret", memoryhub.common.fields.EncryptedTextField()),
                ("previous_secret", memoryhub.common.fields.EncryptedTextField(blank=True, null=True)),
                ("previous_until", models.DateTimeField(blank=True, null=True)),
                ("version", models.PositiveIntegerField(default=1)),
                ("failures", models.PositiveIntegerField(default=0)),
                ("next_at", models.DateTimeField(blank=True, null=True)),
                ("lease_owner", models.CharField(blank=True, max_length=64)),
                ("leased_until", models.DateTimeField(blank=True, null=True)),
                ("last_success_at", models.DateTimeField(blank=True, null=True)),
                ("last_error", models.CharField(blank=True, max_length=64)),
                ("lost_since", models.DateTimeField(blank=True, null=True)),
                ("created_by", models.CharField(blank=True, max_length=64)),
                ("created_at", models.DateTimeField()),
                ("updated_at", models.DateTimeField()),
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
        migrations.CreateModel(
            name="WebhookDelivery",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=memoryhub.common.ids.uuid7, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("seq", models.BigIntegerField()),
                ("event", models.CharField(max_length=32)),
                ("subject_ref", models.UUIDField(blank=True, null=True)),
                ("memory_ref", models.UUIDField(blank=True, null=True)),
                ("other_ref", models.UUIDField(blank=True, null=True)),
                ("detail", models.JSONField(blank=True, default=dict)),
                ("at", models.DateTimeField()),
                (
                    "state",
                    models.CharField(
                        choices=[("pending", "Pending"), ("delivered", "Delivered"), ("dead", "Dead")],
                        default="pending",
                        max_length=9,
                    ),
                ),
                ("attempts", models.PositiveIntegerField(default=0)),
                ("next_at", models.DateTimeField()),
                ("status", models.PositiveSmallIntegerField(blank=True, null=True)),
                ("error_code", models.CharField(blank=True, max_length=64)),
                ("finished_at", models.DateTimeField(blank=True, null=True)),
                (
                    "tenant",
                    models.ForeignKey(
                        editable=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="accounts.tenant",
                    ),
                ),
                (
                    "webhook",
                    accounts.tenancy.TenantForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="memories.webhook"
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "webhook deliveries",
            },
        ),
        migrations.AddIndex(
            model_name="webhook",
            index=models.Index(
                condition=models.Q(("state", "enabled")), fields=["tenant"], name="webhook_enabled"
            ),
        ),
        migrations.AddConstraint(
            model_name="webhook",
            constraint=models.UniqueConstraint(
                fields=("tenant", "id"), name="memories_webhook_tenant_id_key"
            ),
        ),
        migrations.AddIndex(
            model_name="webhookdelivery",
            index=models.Index(
                condition=models.Q(("state", "pending")),
                fields=["tenant", "webhook", "next_at", "seq"],
                name="webhook_due",
            ),
        ),
        migrations.AddIndex(
            model_name="webhookdelivery",
            index=models.Index(
                condition=models.Q(("state", "pending")),
                fields=["tenant", "webhook", "subject_ref", "seq"],
                name="webhook_chain",
            ),
        ),
        migrations.AddIndex(
            model_name="webhookdelivery",
            index=models.Index(fields=["tenant", "webhook", "-id"], name="webhook_delivery_newest"),
        ),
        migrations.AddIndex(
            model_name="webhookdelivery",
            index=models.Index(
                condition=models.Q(("state", "delivered")),
                fields=["tenant", "finished_at"],
                name="webhook_done",
            ),
        ),
        migrations.AddIndex(
            model_name="webhookdelivery",
            index=models.Index(
                condition=models.Q(("state", "dead")), fields=["tenant", "finished_at"], name="webhook_dead"
            ),
        ),
    ]
