"""A migration operation that builds an index beside the writers, and may be run again after it was interrupted."""

from __future__ import annotations

from typing import Any

from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState

_VALID = "SELECT i.indisvalid FROM pg_index i WHERE i.indexrelid = to_regclass(%s)"


class IndexBeside(Operation):
    """CREATE INDEX CONCURRENTLY; `sql` is all after its name ("ON table (columns) WHERE …").

    An interrupted build leaves an INVALID index, which checks nothing and which IF NOT EXISTS takes for the real one: it is
    dropped and built anew. Needs a migration with `atomic = False`. Given `drops`, it is the other way about.
    """

    reversible = True
    reduces_to_sql = True

    def __init__(self, name: str, sql: str, *, unique: bool = False, drops: bool = False) -> None:
        self.name, self.sql, self.unique, self.drops = name, sql, unique, drops

    def state_forwards(self, app_label: str, state: ProjectState) -> None:
        return None

    def database_forwards(
        self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, from_state: Any, to_state: Any
    ) -> None:
        (self._drop if self.drops else self._build)(schema_editor)

    def database_backwards(
        self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, from_state: Any, to_state: Any
    ) -> None:
        (self._build if self.drops else self._drop)(schema_editor)

    def describe(self) -> str:
        return f"{'Drop' if self.drops else 'Build'} index {self.name} beside the writers"

    def _build(self, schema_editor: BaseDatabaseSchemaEditor) -> None:
        if not schema_editor.collect_sql:
            with schema_editor.connection.cursor() as cursor:
                cursor.execute(_VALID, [self.name])
                found = cursor.fetchone()
            if found is not None and found[0]:
                return
            if found is not None:
                self._drop(schema_editor)
        kind = "UNIQUE INDEX" if self.unique else "INDEX"
        schema_editor.execute(f'CREATE {kind} CONCURRENTLY "{self.name}" {self.sql}', params=None)

    def _drop(self, schema_editor: BaseDatabaseSchemaEditor) -> None:
        schema_editor.execute(f'DROP INDEX CONCURRENTLY IF EXISTS "{self.name}"', params=None)
