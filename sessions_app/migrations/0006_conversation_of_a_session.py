"""A session may carry the keyed print of the name that a program gave its conversation."""

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("sessions_app", "0005_sessions_of_an_experiment")]

    operations = [
        migrations.AddField(
            "chatsession",
            "conversation",
            models.CharField(blank=True, db_default="", default="", max_length=64),
        ),
    ]
