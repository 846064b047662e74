"""Row-level security, composite keys and grants of the memory tables."""

from __future__ import annotations

from django.db import migrations

from memoryhub.common.rls import GlobalTable, TenantForeignKey, TenantTable

TABLES = [
    "approval",
    "contradiction",
    "embedding",
    "episode",
    "evidence",
    "fact",
    "feedback",
    "forgetrule",
    "idempotencykey",
    "job",
    "memory",
    "memoryversion",
    "policyversion",
    "posting",
    "recalltrace",
    "slot",
    "sweeprun",
    "tombstone",
]

SUBJECT_KEYS = [
    "approval",
    "contradiction",
    "embedding",
    "episode",
    "fact",
    "feedback",
    "forgetrule",
    "job",
    "memory",
    "posting",
    "recalltrace",
    "slot",
    "tombstone",
]

MEMORY_KEYS = [
    ("approval", "memory_id", "CASCADE"),
    ("contradiction", "older_id", "CASCADE"),
    ("contradiction", "newer_id", "CASCADE"),
    ("evidence", "memory_id", "CASCADE"),
    ("fact", "memory_id", "CASCADE"),
    ("feedback", "memory_id", "CASCADE"),
    ("memory", "superseded_by_id", "SET NULL"),
    ("memoryversion", "memory_id", "CASCADE"),
    ("tombstone", "memory_id", "CASCADE"),
]


class Migration(migrations.Migration):
    dependencies = [("memories", "0001_initial"), ("accounts", "0002_tenant_wall")]

    operations = [
        GlobalTable("memories_embeddingspace"),
        *[TenantForeignKey(f"memories_{name}", "subject_id", "accounts_subject") for name in SUBJECT_KEYS],
        TenantForeignKey("memories_memory", "agent_id", "accounts_subject"),
        TenantForeignKey("memories_episode", "agent_id", "accounts_subject"),
        *[
            TenantForeignKey(f"memories_{name}", column, "memories_memory", act)
            for name, column, act in MEMORY_KEYS
        ],
        TenantForeignKey("memories_tombstone", "run_id", "memories_sweeprun", "SET NULL"),
        *[TenantTable(f"memories_{name}") for name in TABLES],
    ]
