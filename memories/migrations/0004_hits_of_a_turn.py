"""What lets the same recall count once a turn, and the look-up of repeats among memories that are not current."""

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("memories", "0003_vectors_in_line")]

    operations = [
        *[
            migrations.AddField(model, name, field)
            for model in ("memory", "episode")
            for name, field in (
                ("hit_turn_id", models.UUIDField(blank=True, null=True)),
                ("hit_events", models.PositiveSmallIntegerField(default=0)),
            )
        ],
        migrations.AddIndex(
            "memory", models.Index(fields=["tenant", "subject", "fingerprint"], name="memory_by_fingerprint")
        ),
    ]
