"""Indexes for the numbers of an experiment: its traces, and a tenant's newest verdicts."""

from __future__ import annotations

from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("memories", "0028_experiments_wall")]

    operations = [
        AddIndexConcurrently(
            "recalltrace",
            models.Index(
                fields=["tenant", "experiment_id", "-at"],
                condition=Q(experiment_id__isnull=False),
                name="trace_of_experiment",
            ),
        ),
        AddIndexConcurrently("feedback", models.Index(fields=["tenant", "-at"], name="feedback_of_tenant")),
    ]
