"""Look-ups that know of suspended tenants and deactivated people, and name a member's own subject in the same breath."""

from __future__ import annotations

from collections.abc import Sequence

from django.conf import settings
from django.db import migrations

from memoryhub.common.rls import AppFunction, _SqlOperation


class OwnerReadsSubjects(_SqlOperation):
    """The membership look-up reads the owner's own policy on subjects; everybody else keeps the tenant wall."""

    def up(self) -> Sequence[str]:
        return [
            f'ALTER POLICY tenant_wall ON accounts_subject TO "{settings.APP_DB_ROLE}"',
            "CREATE POLICY owner_all ON accounts_subject TO CURRENT_USER USING (true) WITH CHECK (true)",
        ]

    def down(self) -> Sequence[str]:
        return [
            "DROP POLICY owner_all ON accounts_subject",
            "ALTER POLICY tenant_wall ON accounts_subject TO PUBLIC",
        ]

    def describe(self) -> str:
        return "Let the owner's look-ups read subjects"


class DropFunction(_SqlOperation):
    """Makes room for a function with another result type; going back needs the operation that made it."""

    def __init__(self, made_by: AppFunction) -> None:
        self.made_by = made_by

    def up(self) -> Sequence[str]:
        return self.made_by.down()

    def down(self) -> Sequence[str]:
        return self.made_by.up()

    def describe(self) -> str:
        return f"Drop the look-up {self.made_by.signature}"


OLD_MEMBERSHIPS = AppFunction(
    "accounts_memberships_of(p_user uuid)",
    "TABLE (tenant_id uuid, role text)",
    "SELECT m.tenant_id, m.role::text FROM accounts_membership m JOIN accounts_tenant t ON t.id = m.tenant_id "
    "WHERE m.user_id = p_user AND m.is_active AND t.status = 'active' ORDER BY t.slug",
)
OLD_KEY = AppFunction(
    "accounts_tenant_of_key(p_prefix text)",
    "uuid",
    "SELECT k.tenant_id FROM accounts_apikey k WHERE k.prefix = p_prefix",
)


class Migration(migrations.Migration):
    dependencies = [("accounts", "0003_framework_grants")]

    operations = [
        OwnerReadsSubjects(),
        DropFunction(OLD_MEMBERSHIPS),
        AppFunction(
            "accounts_memberships_of(p_user uuid)",
            "TABLE (tenant_id uuid, role text, subject_id uuid)",
            "SELECT m.tenant_id, m.role::text, s.id FROM accounts_membership m "
            "JOIN accounts_tenant t ON t.id = m.tenant_id JOIN accounts_user u ON u.id = m.user_id "
            "LEFT JOIN accounts_subject s ON s.tenant_id = m.tenant_id AND s.user_id = m.user_id AND s.erased_at IS NULL "
            "WHERE m.user_id = p_user AND m.is_active AND u.is_active AND t.status = 'active' ORDER BY t.slug",
        ),
        DropFunction(OLD_KEY),
        AppFunction(
            "accounts_tenant_of_key(p_prefix text)",
            "uuid",
            "SELECT k.tenant_id FROM accounts_apikey k JOIN accounts_tenant t ON t.id = k.tenant_id "
            "WHERE k.prefix = p_prefix AND t.status = 'active'",
        ),
    ]
