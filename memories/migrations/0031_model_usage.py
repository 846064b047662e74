"""What a tenant's calls to chat models cost, by month and use."""

import django.db.models.deletion
from django.db import migrations, models

import memoryhub.common.ids


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0008_derived_keys"),
        ("memories", "0030_what_operators_filter_by"),
    ]

    operations = [
        migrations.CreateModel(
            name="ModelUsage",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=memoryhub.common.ids.uuid7, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("month", models.DateField()),
                (
                    "use",
                    models.CharField(
                        choices=[("answer", "Answer"), ("learning", "Learning"), ("digest", "Digest")],
                        max_length=16,
                    ),
                ),
                ("prompt_tokens", models.BigIntegerField(default=0)),
                ("completion_tokens", models.BigIntegerField(default=0)),
                ("calls", models.BigIntegerField(default=0)),
                ("estimated", models.BigIntegerField(default=0)),
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
                        fields=("tenant", "month", "use"), name="one_usage_a_month_and_use"
                    )
                ],
            },
        ),
    ]
