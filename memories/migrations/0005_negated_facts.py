"""A fact that was denied ("no longer at …") is told apart from one that holds."""

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("memories", "0004_hits_of_a_turn")]

    operations = [migrations.AddField("fact", "negated", models.BooleanField(default=False))]
