"""A rule for one session, or of one agent, stands beside the person's own rule of the same key."""

from __future__ import annotations

from django.db import migrations, models
from django.db.models import Q

OLD, NEW = "one_current_constraint_a_key", "one_current_constraint_a_reach_and_key"
WHERE = "status = 'current' AND kind = 'constraint' AND key <> ''"
CONDITION = Q(status="current", kind="constraint") & ~Q(key="")


class Migration(migrations.Migration):
    # Built beside the writers, and the old one goes only when the new one stands.
    atomic = False
    dependencies = [("memories", "0007_kept_answers_of_a_subject")]

    operations = [
        migrations.SeparateDatabaseAndState(
            database_operations=[
                migrations.RunSQL(
                    f"CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS {NEW} ON memories_memory "
                    f"(tenant_id, subject_id, agent_id, scope, session_id, key) NULLS NOT DISTINCT WHERE {WHERE}",
                    f"DROP INDEX CONCURRENTLY IF EXISTS {NEW}",
                ),
                migrations.RunSQL(
                    f"DROP INDEX CONCURRENTLY IF EXISTS {OLD}",
                    f"CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS {OLD} ON memories_memory "
                    f"(tenant_id, subject_id, agent_id, key) NULLS NOT DISTINCT WHERE {WHERE}",
                ),
            ],
            state_operations=[
                migrations.RemoveConstraint("memory", OLD),
                migrations.AddConstraint(
                    "memory",
                    models.UniqueConstraint(
                        fields=["tenant", "subject", "agent", "scope", "session_id", "key"],
                        condition=CONDITION,
                        nulls_distinct=False,
                        name=NEW,
                    ),
                ),
            ],
        )
    ]
