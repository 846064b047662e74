"""Requests to forget in words, the words that they took out of texts, and rules that name what they are about."""

import django.db.models.deletion
from django.db import migrations, models

import accounts.tenancy
import memoryhub.common.fields
import memoryhub.common.ids


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0008_derived_keys"),
        ("memories", "0012_own_patterns"),
    ]

    operations = [
        migrations.AddField(
            model_name="forgetrule",
            name="target",
            field=memoryhub.common.fields.EncryptedTextField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="tombstone",
            name="undo",
            field=memoryhub.common.fields.EncryptedTextField(blank=True, null=True),
        ),
        migrations.CreateModel(
            name="ForgetRequest",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=memoryhub.common.ids.uuid7, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("session_id", models.UUIDField(blank=True, null=True)),
                ("turn_id", models.UUIDField(blank=True, null=True)),
                ("number", models.PositiveSmallIntegerField(default=0)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("waiting", "Waiting"),
                            ("done", "Done"),
                            ("refused", "Refused"),
                            ("restored", "Restored"),
                        ],
                        default="waiting",
                        max_length=8,
                    ),
                ),
                ("scope", models.CharField(max_length=16)),
                ("standing", models.BooleanField(default=False)),
                ("target", memoryhub.common.fields.EncryptedTextField(blank=True, null=True)),
                ("memories", models.PositiveIntegerField(default=0)),
                ("texts", models.PositiveIntegerField(default=0)),
                ("undo", memoryhub.common.fields.EncryptedTextField(blank=True, null=True)),
                ("asked_at", models.DateTimeField()),
                ("expires_at", models.DateTimeField()),
                ("decided_at", models.DateTimeField(blank=True, null=True)),
                ("decided_by", models.CharField(blank=True, max_length=64)),
                ("purge_after", models.DateTimeField(blank=True, null=True)),
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
        ),
        migrations.AddField(
            model_name="forgetrule",
            name="request",
            field=accounts.tenancy.TenantForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to="memories.forgetrequest",
            ),
        ),
        migrations.AddField(
            model_name="tombstone",
            name="request",
            field=accounts.tenancy.TenantForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to="memories.forgetrequest",
            ),
        ),
        migrations.AddIndex(
            model_name="forgetrequest",
            index=models.Index(
                fields=["tenant", "subject", "state", "-asked_at"], name="forget_request_by_subject"
            ),
        ),
        migrations.AddConstraint(
            model_name="forgetrequest",
            constraint=models.UniqueConstraint(
                condition=models.Q(("turn_id__isnull", False)),
                fields=("tenant", "turn_id", "number"),
                name="one_request_a_turn_and_number",
            ),
        ),
        migrations.AddConstraint(
            model_name="forgetrequest",
            constraint=models.UniqueConstraint(
                fields=("tenant", "id"), name="memories_forgetrequest_tenant_id_key"
            ),
        ),
    ]
