"""Row-level security, composite keys and grants of the session tables."""

from __future__ import annotations

from django.db import migrations

from memoryhub.common.rls import TenantForeignKey, TenantTable


class Migration(migrations.Migration):
    dependencies = [("sessions_app", "0001_initial"), ("memories", "0002_tenant_wall")]

    operations = [
        TenantForeignKey("sessions_app_chatsession", "subject_id", "accounts_subject"),
        TenantForeignKey("sessions_app_chatsession", "agent_id", "accounts_subject"),
        TenantForeignKey("sessions_app_turn", "session_id", "sessions_app_chatsession"),
        TenantForeignKey("sessions_app_turn", "reply_to_id", "sessions_app_turn", "SET NULL"),
        TenantForeignKey("sessions_app_turn", "digest_id", "sessions_app_digest", "SET NULL"),
        TenantForeignKey("sessions_app_digest", "session_id", "sessions_app_chatsession"),
        TenantForeignKey("sessions_app_digest", "memory_id", "memories_memory"),
        TenantForeignKey("sessions_app_digest", "replaced_by_id", "sessions_app_digest", "SET NULL"),
        TenantTable("sessions_app_chatsession"),
        TenantTable("sessions_app_turn"),
        TenantTable("sessions_app_digest"),
    ]
