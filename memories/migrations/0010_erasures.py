"""Erasures of subjects and their receipts, which outlive the subjects."""

from __future__ import annotations

import django.db.models.deletion
from django.db import migrations, models
from django.db.models import Q

import memoryhub.common.ids


class Migration(migrations.Migration):
    dependencies = [("accounts", "0008_derived_keys"), ("memories", "0009_claims")]

    operations = [
        migrations.CreateModel(
            name="Erasure",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=memoryhub.common.ids.uuid7, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("subject_ref", models.UUIDField()),
                ("external_print", models.BinaryField()),
                (
                    "state",
                    models.CharField(
                        choices=[("requested", "Requested"), ("running", "Running"), ("done", "Done")],
                        default="requested",
                        max_length=16,
                    ),
                ),
                ("requested_by_kind", models.CharField(max_length=16)),
                ("requested_by", models.CharField(blank=True, max_length=64)),
                ("requested_at", models.DateTimeField()),
                ("finished_at", models.DateTimeField(blank=True, null=True)),
                ("found", models.JSONField(default=dict)),
                ("handles", models.JSONField(default=list)),
                ("ledger_seq", models.PositiveIntegerField(blank=True, null=True)),
                ("replayed", models.BooleanField(default=False)),
                ("receipt", models.JSONField(blank=True, null=True)),
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
                        fields=["tenant", "subject_ref"],
                        condition=~Q(state="done"),
                        name="one_open_erasure_a_subject",
                    )
                ],
                "indexes": [models.Index(fields=["tenant", "subject_ref"], name="erasure_by_subject")],
            },
        ),
    ]
