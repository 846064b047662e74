"""Indexes of what waits for operators: the admin's home counts it at each visit."""

from __future__ import annotations

from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("memories", "0024_sweep_pauses_wall")]

    operations = [
        AddIndexConcurrently(
            "approval",
            models.Index(
                fields=["tenant", "asked_at"], condition=Q(state="waiting"), name="approval_waiting"
            ),
        ),
        AddIndexConcurrently(
            "contradiction",
            models.Index(
                fields=["tenant", "opened_at"], condition=Q(state="open"), name="contradiction_open"
            ),
        ),
        AddIndexConcurrently(
            "forgetrequest",
            models.Index(
                fields=["tenant", "asked_at"],
                condition=Q(state__in=["waiting", "undoing"]),
                name="forget_request_unfinished",
            ),
        ),
        AddIndexConcurrently(
            "job",
            models.Index(
                fields=["tenant", "kind", "finished_at"], condition=Q(state="failed"), name="job_failed"
            ),
        ),
    ]
