"""PostgreSQL's own wall: what the schema must have on every tenant table, read from the catalogue and tried as the app role."""

from __future__ import annotations

import uuid
from typing import Any

import pytest
from django.apps import apps
from django.db import connection, models, transaction
from django.db.utils import DatabaseError, ProgrammingError

from accounts.members import live_memberships
from accounts.models import AuditEntry, Subject, Tenant
from accounts.tenancy import TenantForeignKey, TenantModel
from memoryhub.common.db import current_tenant_id, tenant_transaction
from memoryhub.common.errors import TenantMismatch, TenantNotSet
from tests.support.people import House

TENANT_MODELS = [model for model in apps.get_models() if issubclass(model, TenantModel)]
# Global by decision (docs/adr/0013): they name tenants or people, or belong to a framework, and hold nothing that was said.
GLOBAL_TABLES = {
    "accounts_tenant",
    "accounts_user",
    "accounts_user_groups",
    "accounts_user_user_permissions",
    "account_emailaddress",
    "account_emailconfirmation",
    "auth_group",
    "auth_group_permissions",
    "auth_permission",
    "django_admin_log",
    "django_celery_beat_clockedschedule",
    "django_celery_beat_crontabschedule",
    "django_celery_beat_intervalschedule",
    "django_celery_beat_periodictask",
    "django_celery_beat_periodictasks",
    "django_celery_beat_solarschedule",
    "django_content_type",
    "django_migrations",
    "django_session",
    "memories_embeddingspace",
    "mfa_authenticator",
}

pytestmark = pytest.mark.django_db


def ask(sql: str, *params: Any) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(sql, params)
        return cursor.fetchall()


def test_every_table_is_a_tenant_table_or_on_the_list_of_global_ones() -> None:
    tables = {row[0] for row in ask("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")}
    tenant_tables = {model._meta.db_table for model in TENANT_MODELS}
    assert tables - tenant_tables == GLOBAL_TABLES


def test_the_app_role_owns_nothing_and_bypasses_nothing() -> None:
    assert ask("SELECT rolsuper, rolbypassrls FROM pg_roles WHERE rolname = current_user") == [(False, False)]
    assert ask("SELECT count(*) FROM pg_class WHERE pg_get_userbyid(relowner) = current_user") == [(0,)]


@pytest.mark.parametrize("model", TENANT_MODELS, ids=lambda model: model._meta.db_table)
def test_a_tenant_table_forces_its_policy(model: type[TenantModel]) -> None:
    table = model._meta.db_table
    assert ask(
        "SELECT relrowsecurity, relforcerowsecurity FROM pg_class WHERE oid = %s::regclass", table
    ) == [(True, True)]
    policies = ask(
        "SELECT qual, with_check FROM pg_policies WHERE tablename = %s AND ('public' = ANY(roles) OR "
        "current_user = ANY(roles))",
        table,
    )
    assert len(policies) == 1
    for condition in policies[0]:
        assert "tenant_id" in condition
        assert (
            "current_setting('memoryhub.tenant'::text)" in condition
        )  # Without `missing_ok`: an unset tenant raises.


@pytest.mark.parametrize("model", TENANT_MODELS, ids=lambda model: model._meta.db_table)
def test_every_key_between_tenant_tables_is_composite(model: type[TenantModel]) -> None:
    table = model._meta.db_table
    constraints = [
        row[0]
        for row in ask(
            "SELECT pg_get_constraintdef(oid) FROM pg_constraint WHERE conrelid = %s::regclass AND contype = 'f'",
            table,
        )
    ]
    for field in model._meta.concrete_fields:
        if not isinstance(field, models.ForeignKey):
            continue
        target = field.remote_field.model
        if not issubclass(target, TenantModel):
            continue
        assert isinstance(field, TenantForeignKey), f"{table}.{field.column} accepts another tenant's row"
        start = f"FOREIGN KEY (tenant_id, {field.column}) REFERENCES {target._meta.db_table}(tenant_id, id)"
        assert any(constraint.startswith(start) for constraint in constraints), f"{table}.{field.column}"
        assert target.referenced, f"{target._meta.db_table} needs its unique (tenant, id)"


@pytest.mark.parametrize("table", ["accounts_subject", "accounts_membership"])
def test_raw_sql_without_a_tenant_raises(table: str, acme: House) -> None:
    with pytest.raises(DatabaseError, match=r"memoryhub\.tenant|uuid"), transaction.atomic():
        ask(f"SELECT id FROM {table}")


def test_the_manager_without_a_tenant_raises(acme: House) -> None:
    with pytest.raises(TenantNotSet):
        Subject.objects.count()


def test_raw_sql_sees_nothing_of_another_tenant(acme: House, globex: House) -> None:
    with tenant_transaction(globex.id):
        rows = ask("SELECT tenant_id, id FROM accounts_subject")
        assert {row[0] for row in rows} == {globex.id}
        assert ask("SELECT count(*) FROM accounts_subject WHERE id = %s", acme.subjects["user"]) == [(0,)]


def test_another_tenants_row_cannot_be_written(acme: House, globex: House) -> None:
    with tenant_transaction(globex.id), connection.cursor() as cursor:
        cursor.execute(
            "UPDATE accounts_subject SET display_name = 'x' WHERE id = %s", [acme.subjects["user"]]
        )
        assert cursor.rowcount == 0
        cursor.execute("DELETE FROM accounts_subject WHERE id = %s", [acme.subjects["user"]])
        assert cursor.rowcount == 0
    with (
        pytest.raises(ProgrammingError, match="row-level security"),
        tenant_transaction(globex.id),
        connection.cursor() as cursor,
    ):
        cursor.execute(
            "UPDATE accounts_subject SET tenant_id = %s WHERE id = %s", [acme.id, globex.subjects["user"]]
        )
    with pytest.raises(ProgrammingError, match="row-level security"), tenant_transaction(globex.id):
        Subject(tenant_id=acme.id, external_id="smuggled").save(force_insert=True)


@pytest.mark.django_db(transaction=True)
def test_a_row_cannot_point_at_another_tenants_row(acme: House, globex: House) -> None:
    with (
        pytest.raises(DatabaseError, match="tenant_fk"),
        tenant_transaction(globex.id),
        connection.cursor() as cursor,
    ):
        cursor.execute(
            "INSERT INTO accounts_apikey (id, tenant_id, name, prefix, key_hash, scopes, created_at, subject_id) "
            "VALUES (%s, %s, 'k', 'p', ''::bytea, '{}', now(), %s)",
            [uuid.uuid4(), globex.id, acme.subjects["user"]],
        )


@pytest.mark.parametrize("verb", ["UPDATE", "DELETE", "TRUNCATE"])
def test_the_audit_table_is_append_only(verb: str) -> None:
    table = AuditEntry._meta.db_table
    assert ask("SELECT has_table_privilege(current_user, %s, %s)", table, verb) == [(False,)]
    assert ask("SELECT has_table_privilege(current_user, %s, 'INSERT')", table) == [(True,)]


def test_a_scope_of_another_tenant_inside_raises_and_the_same_one_joins(acme: House, globex: House) -> None:
    with tenant_transaction(acme.id):
        with tenant_transaction(acme.id):
            assert current_tenant_id() == acme.id
        with pytest.raises(TenantMismatch), tenant_transaction(globex.id):
            pass
        assert {row.tenant_id for row in Subject.objects.all()} == {acme.id}


@pytest.mark.django_db(transaction=True)
def test_the_setting_does_not_survive_the_transaction(acme: House) -> None:
    with tenant_transaction(acme.id):
        backend = ask("SELECT pg_backend_pid()")
    assert ask("SELECT pg_backend_pid()") == backend  # The same connection, as a pool would hand it on.
    assert ask("SELECT current_setting('memoryhub.tenant', true)") == [("",)]
    with pytest.raises(DatabaseError):
        ask("SELECT count(*) FROM accounts_subject")


@pytest.mark.django_db(transaction=True)
def test_the_setting_does_not_survive_an_error_either(acme: House) -> None:
    with pytest.raises(RuntimeError), tenant_transaction(acme.id):
        raise RuntimeError("boom")
    with pytest.raises(DatabaseError):
        ask("SELECT count(*) FROM accounts_subject")


def test_ids_and_never_content_stand_for_a_row() -> None:
    for model in [*TENANT_MODELS, Tenant]:
        if issubclass(model, TenantModel):
            assert model.__str__ is TenantModel.__str__, (
                f"{model.__name__} prints itself: the admin log would keep it"
            )


def test_every_lookup_before_a_tenant_is_known_is_on_the_list() -> None:
    functions = {
        row[0]
        for row in ask(
            "SELECT p.proname FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace "
            "WHERE n.nspname = 'public' AND p.prosecdef"
        )
    }
    assert functions == {
        "accounts_memberships_of",
        "accounts_tenant_of_key",
        "accounts_tenant_of_invitation",
        "accounts_belongs_elsewhere",
    }
    open_to_all = ask(
        "SELECT p.proname FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace "
        "WHERE n.nspname = 'public' AND p.prosecdef AND has_function_privilege('public', p.oid, 'EXECUTE')"
    )
    assert open_to_all == []


def test_a_temporary_table_cannot_shadow_what_a_lookup_reads(acme: House) -> None:
    user = acme.user_of("user").pk
    forged = (
        "CREATE TEMP TABLE accounts_membership ON COMMIT DROP AS "
        "SELECT %s::uuid AS user_id, %s::uuid AS tenant_id, 'admin'::text AS role, true AS is_active"
    )
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute(forged, [user, acme.id])
            cursor.execute("GRANT SELECT ON pg_temp.accounts_membership TO PUBLIC")
        assert [row.role for row in live_memberships(user)] == ["end_user"]
