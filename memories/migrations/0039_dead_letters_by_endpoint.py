"""Dead letters of one endpoint, in order: replays and lists read them so."""

from __future__ import annotations

from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("memories", "0038_queued_texts_wall")]

    operations = [
        AddIndexConcurrently(
            "webhookdelivery",
            models.Index(
                fields=["tenant", "webhook", "seq"], condition=Q(state="dead"), name="webhook_dead_letters"
            ),
        ),
    ]
