"""A rule for one session, or of one agent, stands beside the person's own rule of the same key."""

from __future__ import annotations

from django.db import migrations, models
from django.db.models import Q

from memoryhub.common.indexes import IndexBeside

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
                IndexBeside(
                    NEW,
                    "ON memories_memory (tenant_id, subject_id, agent_id, scope, session_id, key) "
                    f"NULLS NOT DISTINCT WHERE {WHERE}",
                    unique=True,
                ),
                IndexBeside(
                    OLD,
                    "ON memories_memory (tenant_id, subject_id, agent_id, key) "
                    f"NULLS NOT DISTINCT WHERE {WHERE}",
                    unique=True,
                    drops=True,
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
