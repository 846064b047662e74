"""A session knows the experiment that ran when it was opened; its arm stands in policy_variant."""

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("sessions_app", "0003_sealed_turns")]

    operations = [
        migrations.AddField("chatsession", "experiment_id", models.UUIDField(blank=True, null=True)),
    ]
