"""Look-ups that no temporary table can shadow, and one that says whether a person also belongs to another tenant."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import migrations

from memoryhub.common.rls import AppFunction, _SqlOperation


class TemporaryTablesLast(_SqlOperation):
    """Put pg_temp at the end of a look-up's search path; unnamed it is searched first."""

    def __init__(self, signature: str) -> None:
        self.signature = signature

    def up(self) -> Sequence[str]:
        return [f"ALTER FUNCTION {self.signature} SET search_path = pg_catalog, public, pg_temp"]

    def down(self) -> Sequence[str]:
        return [f"ALTER FUNCTION {self.signature} SET search_path = pg_catalog, public"]

    def describe(self) -> str:
        return f"Search temporary tables last in {self.signature}"


class Migration(migrations.Migration):
    dependencies = [("accounts", "0004_live_memberships")]

    operations = [
        TemporaryTablesLast("accounts_memberships_of(p_user uuid)"),
        TemporaryTablesLast("accounts_tenant_of_key(p_prefix text)"),
        TemporaryTablesLast("accounts_tenant_of_invitation(p_token_hash bytea)"),
        AppFunction(
            "accounts_belongs_elsewhere(p_user uuid, p_tenant uuid)",
            "boolean",
            "SELECT EXISTS (SELECT FROM accounts_membership m WHERE m.user_id = p_user AND m.tenant_id <> p_tenant)",
        ),
    ]
