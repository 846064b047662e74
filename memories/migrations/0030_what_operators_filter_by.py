"""Indexes for what operators search and filter lists by, and for the sweeps of a period."""

from __future__ import annotations

from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("memories", "0029_numbers_of_an_experiment")]

    operations = [
        AddIndexConcurrently(
            "recalltrace",
            models.Index(
                fields=["tenant", "session_id", "-id"],
                condition=Q(session_id__isnull=False),
                name="trace_by_session",
            ),
        ),
        AddIndexConcurrently(
            "recalltrace",
            models.Index(fields=["tenant", "-id"], condition=Q(abstained=True), name="trace_abstained"),
        ),
        AddIndexConcurrently("fact", models.Index(fields=["tenant", "entity"], name="fact_by_entity")),
        AddIndexConcurrently(
            "forgetrequest",
            models.Index(
                fields=["tenant", "-id"], condition=Q(standing=True), name="forget_request_standing"
            ),
        ),
        AddIndexConcurrently(
            "memory",
            models.Index(fields=["tenant", "-id"], condition=Q(pinned=True), name="memory_pinned"),
        ),
        AddIndexConcurrently(
            "memory",
            models.Index(
                fields=["tenant", "status", "-id"], condition=~Q(status="current"), name="memory_past"
            ),
        ),
        AddIndexConcurrently(
            "sweeprun", models.Index(fields=["tenant", "-started_at"], name="sweep_run_of_tenant")
        ),
    ]
