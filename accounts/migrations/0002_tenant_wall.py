"""Row-level security, composite keys, grants, and the look-ups that run before a tenant is known."""

from __future__ import annotations

from django.db import migrations

from memoryhub.common.rls import AppFunction, GlobalTable, TenantForeignKey, TenantTable


class Migration(migrations.Migration):
    dependencies = [("accounts", "0001_initial")]

    operations = [
        TenantForeignKey("accounts_apikey", "subject_id", "accounts_subject"),
        GlobalTable("accounts_tenant", "SELECT, INSERT, UPDATE"),
        GlobalTable("accounts_user"),
        GlobalTable("accounts_user_groups"),
        GlobalTable("accounts_user_user_permissions"),
        TenantTable("accounts_membership", owner_reads=True),
        TenantTable("accounts_subject"),
        TenantTable("accounts_apikey", owner_reads=True),
        TenantTable("accounts_invitation", owner_reads=True),
        TenantTable("accounts_auditentry", grants="SELECT, INSERT"),
        TenantTable("accounts_audithead", grants="SELECT, INSERT, UPDATE"),
        AppFunction(
            "accounts_memberships_of(p_user uuid)",
            "TABLE (tenant_id uuid, role text)",
            "SELECT m.tenant_id, m.role::text FROM accounts_membership m JOIN accounts_tenant t ON t.id = m.tenant_id "
            "WHERE m.user_id = p_user AND m.is_active AND t.status = 'active' ORDER BY t.slug",
        ),
        AppFunction(
            "accounts_tenant_of_key(p_prefix text)",
            "uuid",
            "SELECT k.tenant_id FROM accounts_apikey k WHERE k.prefix = p_prefix",
        ),
        AppFunction(
            "accounts_tenant_of_invitation(p_token_hash bytea)",
            "uuid",
            "SELECT i.tenant_id FROM accounts_invitation i WHERE i.token_hash = p_token_hash",
        ),
    ]
