"""Every sealed column of the schema, found from the models, and the SQL that a rotation needs on it."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.apps import apps
from django.db import connection

from accounts.tenancy import TenantModel
from memoryhub.common.db import current_tenant_id
from memoryhub.common.fields import EncryptedTextField
from memoryhub.common.sealing import HEAD_BYTES, head


@dataclass(frozen=True, slots=True)
class SealedColumn:
    """A column of a tenant table that holds sealed values; all methods work in the open tenant transaction."""

    table: str
    column: str

    def others(self, number: int) -> int:
        """Rows sealed under another key than this one."""
        with connection.cursor() as cursor:
            cursor.execute(f"SELECT count(*) FROM {self._other_rows()}", self._values(number))  # noqa: S608
            row = cursor.fetchone()
        return int(row[0]) if row else 0

    def take(self, number: int, limit: int, *, wait: bool) -> list[tuple[uuid.UUID, bytes]]:
        """Some of those rows, locked. Without `wait` rows that others hold are passed over, so that nobody waits for us."""
        skip = "" if wait else "SKIP LOCKED"
        sql = f'SELECT id, "{self.column}" FROM {self._other_rows()} ORDER BY id LIMIT {int(limit)} FOR UPDATE {skip}'  # noqa: S608
        with connection.cursor() as cursor:
            cursor.execute(sql, self._values(number))
            return [(row_id, bytes(token)) for row_id, token in cursor.fetchall()]

    def put(self, rows: list[tuple[uuid.UUID, bytes]]) -> None:
        """Store the rows' new tokens."""
        sql = (
            f'UPDATE "{self.table}" t SET "{self.column}" = n.token '  # noqa: S608
            "FROM unnest(%s::uuid[], %s::bytea[]) AS n(id, token) WHERE t.tenant_id = %s AND t.id = n.id"
        )
        with connection.cursor() as cursor:
            ids, tokens = [row_id for row_id, _ in rows], [token for _, token in rows]
            cursor.execute(sql, [ids, tokens, current_tenant_id()])

    def _other_rows(self) -> str:
        return (
            f'"{self.table}" WHERE tenant_id = %s AND "{self.column}" IS NOT NULL '
            f'AND substring("{self.column}" FROM 1 FOR {HEAD_BYTES}) <> %s'
        )

    def _values(self, number: int) -> list[Any]:
        return [current_tenant_id(), head(number)]


def sealed_columns() -> Iterator[SealedColumn]:
    """Of all apps; a new encrypted field is among them at once."""
    for model in apps.get_models():
        if issubclass(model, TenantModel):
            for field in model._meta.concrete_fields:
                if isinstance(field, EncryptedTextField):
                    yield SealedColumn(model._meta.db_table, str(field.column))
