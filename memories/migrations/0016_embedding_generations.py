"""A generation of vectors may stand by for a rollback, and may take over by itself once it is complete."""

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("memories", "0015_bits_of_a_vector")]

    operations = [
        migrations.AddField(
            "embeddingspace", "switches_itself", models.BooleanField(default=False, db_default=False)
        ),
        migrations.AddField("embeddingspace", "changed_at", models.DateTimeField(null=True, editable=False)),
        migrations.AlterField(
            "embeddingspace",
            "state",
            models.CharField(
                choices=[
                    ("building", "Building"),
                    ("active", "Active"),
                    ("standby", "Standby"),
                    ("retired", "Retired"),
                ],
                default="building",
                max_length=8,
            ),
        ),
    ]
