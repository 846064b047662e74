"""A policy version holds the tenant's own patterns and fields of sensitive content."""

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("memories", "0011_erasures_wall")]

    operations = [
        migrations.AddField("policyversion", "custom", models.JSONField(blank=True, default=dict)),
    ]
