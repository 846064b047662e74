"""An index of the sessions of an experiment, the newest first."""

from __future__ import annotations

from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("sessions_app", "0004_experiment_of_a_session")]

    operations = [
        AddIndexConcurrently(
            "chatsession",
            models.Index(
                fields=["tenant", "experiment_id", "-id"],
                condition=Q(experiment_id__isnull=False),
                name="session_of_experiment",
            ),
        ),
    ]
