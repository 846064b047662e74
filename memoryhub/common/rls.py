"""Migration operations that put PostgreSQL's own tenant wall below the ORM: forced row-level security, composite keys, grants."""

from __future__ import annotations

from collections.abc import Sequence

from django.conf import settings
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState


class _SqlOperation(Operation):
    """An operation of plain SQL whose text may need settings, so it is built when it runs."""

    reduces_to_sql = True
    reversible = True

    def up(self) -> Sequence[str]:
        raise NotImplementedError

    def down(self) -> Sequence[str]:
        raise NotImplementedError

    def state_forwards(self, app_label: str, state: ProjectState) -> None:
        return None

    def database_forwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,
        to_state: ProjectState,
    ) -> None:
        for sql in self.up():
            schema_editor.execute(sql, params=None)

    def database_backwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,
        to_state: ProjectState,
    ) -> None:
        for sql in self.down():
            schema_editor.execute(sql, params=None)


class TenantTable(_SqlOperation):
    """Force row-level security on a tenant table and grant the app role what it needs.

    `grants` are table privileges (an append-only table gets SELECT, INSERT). `owner_reads` adds a SELECT policy for the
    owner role, which the SECURITY DEFINER look-ups (docs/adr/0013) need, because FORCE binds the owner too.
    """

    def __init__(
        self, table: str, grants: str = "SELECT, INSERT, UPDATE, DELETE", owner_reads: bool = False
    ) -> None:
        self.table, self.grants, self.owner_reads = table, grants, owner_reads

    def up(self) -> Sequence[str]:
        t = self.table
        yield_ = [
            f'ALTER TABLE "{t}" ENABLE ROW LEVEL SECURITY',
            f'ALTER TABLE "{t}" FORCE ROW LEVEL SECURITY',
            f"CREATE POLICY tenant_wall ON \"{t}\" USING (tenant_id = current_setting('memoryhub.tenant')::uuid) "
            f"WITH CHECK (tenant_id = current_setting('memoryhub.tenant')::uuid)",
            f'GRANT {self.grants} ON "{t}" TO "{settings.APP_DB_ROLE}"',
        ]
        if self.owner_reads:
            # Permissive policies are OR-ed, and the tenant wall would raise for an unset tenant: the owner gets its own.
            yield_[2] = yield_[2].replace(" USING", f' TO "{settings.APP_DB_ROLE}" USING', 1)
            yield_.append(f'CREATE POLICY owner_all ON "{t}" TO CURRENT_USER USING (true) WITH CHECK (true)')
        return yield_

    def down(self) -> Sequence[str]:
        t = self.table
        sql = [f'DROP POLICY IF EXISTS owner_all ON "{t}"', f'DROP POLICY tenant_wall ON "{t}"']
        return [
            *sql,
            f'ALTER TABLE "{t}" NO FORCE ROW LEVEL SECURITY',
            f'ALTER TABLE "{t}" DISABLE ROW LEVEL SECURITY',
        ]

    def describe(self) -> str:
        return f"Force row-level security on {self.table}"


class GlobalTable(_SqlOperation):
    """Grant the app role its privileges on a table that belongs to no tenant."""

    def __init__(self, table: str, grants: str = "SELECT, INSERT, UPDATE, DELETE") -> None:
        self.table, self.grants = table, grants

    def up(self) -> Sequence[str]:
        return [f'GRANT {self.grants} ON "{self.table}" TO "{settings.APP_DB_ROLE}"']

    def down(self) -> Sequence[str]:
        return [f'REVOKE ALL ON "{self.table}" FROM "{settings.APP_DB_ROLE}"']

    def describe(self) -> str:
        return f"Grant {self.table} to the app role"


_FORCE_AGAIN = (
    "DO $do$ BEGIN IF (SELECT relrowsecurity FROM pg_class WHERE oid = '\"{table}\"'::regclass) THEN "
    'ALTER TABLE "{table}" FORCE ROW LEVEL SECURITY; END IF; END $do$'
)


class TenantForeignKey(_SqlOperation):
    """A foreign key over (tenant_id, column): a plain one accepts another tenant's row, since its check bypasses RLS."""

    def __init__(self, table: str, column: str, to_table: str, on_delete: str = "CASCADE") -> None:
        self.table, self.column, self.to_table, self.on_delete = table, column, to_table, on_delete

    @property
    def name(self) -> str:
        return f"{self.table}_{self.column}_tenant_fk"[:63]

    def up(self) -> Sequence[str]:
        # SET NULL must name the column, or it would null tenant_id too (PostgreSQL 15+).
        action = f"SET NULL ({self.column})" if self.on_delete == "SET NULL" else self.on_delete
        # The validating scan of ADD CONSTRAINT is subject to forced RLS, so it is lifted inside this transaction, whose
        # table locks keep everybody else out meanwhile.
        both = (self.table, self.to_table)
        return [
            *[f'ALTER TABLE "{t}" NO FORCE ROW LEVEL SECURITY' for t in both],
            f'ALTER TABLE "{self.table}" ADD CONSTRAINT "{self.name}" FOREIGN KEY (tenant_id, "{self.column}") '
            f'REFERENCES "{self.to_table}" (tenant_id, id) ON DELETE {action} DEFERRABLE INITIALLY DEFERRED',
            *[_FORCE_AGAIN.format(table=t) for t in both],
        ]

    def down(self) -> Sequence[str]:
        return [f'ALTER TABLE "{self.table}" DROP CONSTRAINT "{self.name}"']

    def describe(self) -> str:
        return f"Composite tenant key {self.table}.{self.column} -> {self.to_table}"


class AppFunction(_SqlOperation):
    """A SECURITY DEFINER look-up that answers one narrow question before a tenant is known.

    pg_temp stands last in its search path: unnamed it would come first, and a temporary table could shadow a real one.
    """

    def __init__(self, signature: str, returns: str, body: str) -> None:
        self.signature, self.returns, self.body = signature, returns, body

    def up(self) -> Sequence[str]:
        types = self.signature
        return [
            f"CREATE FUNCTION {types} RETURNS {self.returns} LANGUAGE sql STABLE SECURITY DEFINER "
            f"SET search_path = pg_catalog, public, pg_temp AS $fn$ {self.body} $fn$",
            f"REVOKE ALL ON FUNCTION {types} FROM PUBLIC",
            f'GRANT EXECUTE ON FUNCTION {types} TO "{settings.APP_DB_ROLE}"',
        ]

    def down(self) -> Sequence[str]:
        return [f"DROP FUNCTION {self.signature}"]

    def describe(self) -> str:
        return f"Look-up {self.signature}"


def grant_everything(tables: Sequence[str]) -> list[migrations.operations.base.Operation]:
    """Grants for a list of global tables."""
    return [GlobalTable(table) for table in tables]
