"""Several querysets read in one trip to the database instead of one each."""

from __future__ import annotations

import secrets
import uuid
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from django.db import connection, connections
from django.db.models import QuerySet
from django.db.models.sql.compiler import SQLCompiler

from memoryhub.common.db import TENANT_SETTING, bare_scope, joins_open_work, tenant_transaction
from memoryhub.common.fields import EncryptedTextField

Build = Callable[[Mapping[str, Any]], Sequence[QuerySet[Any, Any]]]


@dataclass(frozen=True, slots=True)
class _Composed:
    """A queryset with its statement, and its parameters: a value, or a Name where it comes from the call."""

    rows: QuerySet[Any, Any]
    compiler: SQLCompiler
    """Without a connection: the thread that composed may end before the process does."""
    sql: str
    params: tuple[Any, ...]


class _Name(str):
    """The name of a value."""


_TENANT = _Name("")


class ReadTogether:
    """Querysets that are composed once and then read in one trip, with other values each time.

    `build` makes them from named values (UUID, datetime, int; None and bool, which decide about their shape) inside the tenant's
    scope. It may pass a value on but not compute with it, or ValueError: Django takes ten times as long to compose a query as
    PostgreSQL to answer it, so the values are put into the statement that another call composed.
    Whatever else `build` reads (a policy, a setting, the time) is fixed for the process by the first call of each shape, unseen.
    No encrypted column, or ValueError: its key is read within the tenant's transaction, which has ended by then; defer it.
    """

    def __init__(self, build: Build) -> None:
        self._build = build
        self._composed: dict[tuple[Any, ...], list[_Composed]] = {}

    def read(self, tenant_id: uuid.UUID, values: Mapping[str, Any]) -> list[list[Any]]:
        """The rows of each, as it would be read by itself; they do not see one another's result.

        In the open transaction where there is one, one after the other.
        """
        if joins_open_work():
            with tenant_transaction(tenant_id):
                return [list(rows) for rows in self._build(values)]
        shape = tuple(value if _shapes(value) else name for name, value in values.items())
        parts = self._composed.get(shape)
        if parts is None:
            parts = self._composed[shape] = self._compose(values)
        known = {**values, _TENANT: tenant_id}
        texts = [
            _bound(part.sql, [known[value] if isinstance(value, _Name) else value for value in part.params])
            for part in parts
        ]
        return [_made(part, read) for part, read in zip(parts, _send(tenant_id, texts), strict=True)]

    def _compose(self, values: Mapping[str, Any]) -> list[_Composed]:
        """Twice, with other values that stand for the real ones: what stays the same is fixed, what is one of them is named."""
        first, second = self._with_places(values), self._with_places(values)
        if [(one.sql, one.params) for one in first] != [(one.sql, one.params) for one in second]:
            raise ValueError("a value was changed on its way into a query")
        return first

    def _with_places(self, values: Mapping[str, Any]) -> list[_Composed]:
        tenant_id = uuid.uuid4()
        stand_ins = {name: _stand_in(value) for name, value in values.items()}
        names: dict[Any, _Name] = {
            value: _Name(name) for name, value in stand_ins.items() if not _shapes(value)
        }
        names[tenant_id] = _TENANT
        made = []
        with bare_scope(tenant_id):
            for rows in self._build(stand_ins):
                compiler = rows.query.get_compiler(connection.alias)
                sql, params = compiler.as_sql()
                _refuse_encrypted(compiler)
                setattr(compiler, "connection", None)  # noqa: B010
                made.append(_Composed(rows, compiler, sql, tuple(_named(value, names) for value in params)))
        return made


def _shapes(value: Any) -> bool:
    return value is None or isinstance(value, bool)


def _stand_in(value: Any) -> Any:
    """Another value of its type, which occurs nowhere else."""
    if _shapes(value):
        return value
    number = secrets.randbelow(2**30)
    if isinstance(value, uuid.UUID):
        return uuid.uuid4()
    if isinstance(value, datetime):
        return datetime(2000, 1, 1, tzinfo=UTC) + timedelta(microseconds=number)
    if isinstance(value, int):
        return number
    raise TypeError(f"ReadTogether takes no {type(value).__name__}")


def _named(value: Any, names: Mapping[Any, _Name]) -> Any:
    return names.get(value, value) if isinstance(value, uuid.UUID | datetime | int) else value


def _refuse_encrypted(compiler: SQLCompiler) -> None:
    for column, *_ in compiler.select:
        if isinstance(column.output_field, EncryptedTextField):
            raise ValueError("an encrypted column cannot be read together; defer it")


def _bound(sql: str, params: Any) -> str:
    operations: Any = connection.ops
    return str(operations.compose_sql(sql, params))


def _send(tenant_id: uuid.UUID, texts: Sequence[str]) -> list[list[tuple[Any, ...]]]:
    """Each statement's rows. Several statements in one message are a transaction."""
    setting = _bound(f"SELECT set_config('{TENANT_SETTING}', %s, true)", [str(tenant_id)])
    rows: list[list[tuple[Any, ...]]] = []
    with connection.cursor() as cursor:
        cursor.execute("; ".join([setting, *texts]))
        while cursor.nextset():
            rows.append(list(cursor.fetchall()) if cursor.description else [])
    return rows


def _made(part: _Composed, read: list[tuple[Any, ...]]) -> list[Any]:
    """What the queryset would have made of the rows that were read for it."""
    if not read:
        return []
    compiler: Any = copy(part.compiler)
    compiler.connection = connections[connection.alias]
    compiler.execute_sql = lambda *args, **kwargs: [read]
    rows = part.rows.all()
    setattr(rows.query, "get_compiler", lambda *args, **kwargs: compiler)  # noqa: B010
    return list(rows)
