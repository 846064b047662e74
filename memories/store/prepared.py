"""Runs a large, often repeated statement as a prepared one: planning it anew would take longer than running it."""

from __future__ import annotations

import re
import uuid
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from functools import lru_cache
from typing import Any

import numpy as np
import psycopg
from django.db import connection
from numpy.typing import NDArray
from psycopg.adapt import Dumper
from psycopg.pq import ExecStatus, Format

from memories.store.arrays import Array, head
from memoryhub.common.db import (
    TENANT_SETTING,
    current_scope,
    joins_open_work,
    set_locally,
    tenant_transaction,
)

SETTINGS = {
    # Compiling or forking costs more than the exact scan of one subject does.
    "jit": "off",
    "max_parallel_workers_per_gather": "0",
    "work_mem": "32MB",
    # A plan that was made while the tables were small stays right when they have grown.
    "enable_seqscan": "off",
    # One plan for all subjects: every step goes through a subject's index, whatever the parameters.
    "plan_cache_mode": "force_generic_plan",
}
"""Local to the transaction: one that is opened with them saves a trip."""

_NEVER_BY_ITSELF = 2**31
_NAMED = re.compile(r"%\((\w+)\)s|%%")


class HalfVecs(bytes):
    """Several of them as an array, in PostgreSQL's binary form; to be cast, too (`$1::halfvec[]`)."""


class HalfVec(bytes):
    """A vector in pgvector's binary form of halfvec; its parameter has to be cast (`%(name)s::halfvec`)."""

    def as_text(self) -> str:
        """pgvector's text form."""
        return str(np.frombuffer(self[4:], dtype=">f2").astype(float).tolist())


class _BinaryDumper(Dumper):
    format = Format.BINARY

    def dump(self, obj: HalfVec | HalfVecs | Array) -> bytes:
        return obj


def halfvec(vector: Sequence[float]) -> HalfVec:
    """The parameter for a vector: a fifth of the time that its text takes to write and to read."""
    values = np.asarray(vector, dtype=">f2")
    return HalfVec(len(values).to_bytes(2, "big") + b"\0\0" + values.tobytes())


def halfvecs(vectors: NDArray[np.float32]) -> HalfVecs:
    """The parameter for many vectors, the rows of `vectors`."""
    number, dimension = vectors.shape
    rows = np.zeros(
        number,
        dtype=[("size", ">i4"), ("dim", ">i2"), ("unused", ">i2"), ("values", ">f2", (dimension,))],
    )
    rows["size"], rows["dim"], rows["values"] = 4 + 2 * dimension, dimension, vectors
    return HalfVecs(head(_oid(), number) + rows.tobytes())


def from_halfvecs(sent: Sequence[bytes]) -> NDArray[np.float32]:
    """The rows that as many vectors of one length are, each as `halfvec_send` gives it."""
    values = np.frombuffer(b"".join([one[4:] for one in sent]), dtype=">f2")
    return values.astype(np.float32).reshape(len(sent), -1)


_oids: dict[str, int] = {}


def _oid() -> int:
    """The number of the type halfvec, which each database gives anew."""
    name = str(connection.settings_dict["NAME"])
    if name not in _oids:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 'halfvec'::regtype::oid")
            row = cursor.fetchone()
        assert row is not None
        _oids[name] = int(row[0])
    return _oids[name]


def send(sql: str, values: Sequence[Any]) -> list[tuple[Any, ...]]:
    """Run a statement with $1, $2, … once; its values are bound on the server. Its rows, where it gives any."""
    raw = _ready()
    made: Any = psycopg.RawCursor(raw)
    cursor: Any = connection.make_cursor(made)
    with cursor, connection.wrap_database_errors:
        cursor.execute(sql, list(values))
        return list(cursor.fetchall()) if made.description else []


class _Prepared(psycopg.RawCursor[Any]):
    """Prepares at the first execution; the connection keeps the plan."""

    def execute(self, query: Any, params: Any = None, **options: Any) -> Any:
        return super().execute(query, params, prepare=True, binary=True)


class _Recorded(psycopg.Cursor[Any]):
    """Keeps the statement's text, for whoever records queries."""

    def execute(self, query: Any, params: Any = None, **options: Any) -> Any:
        return super().execute(query, params, prepare=False, binary=True)


def fetch(sql: str, values: Mapping[str, Any]) -> list[tuple[Any, ...]]:
    """All rows of a statement with named parameters. Inside a tenant transaction."""
    raw = _ready()
    rows: list[tuple[Any, ...]]
    if connection.queries_logged:
        # Who records queries wants the statement's text, which a prepared one does not keep.
        _set_locally(raw)
        recorded: Any = _Recorded(raw)
        plain: Any = connection.make_debug_cursor(recorded)
        with plain:
            plain.execute(sql, {name: _readable(value) for name, value in values.items()})
            rows = plain.fetchall()
            return rows
    text, names = _numbered(sql)
    made: Any = _Prepared(raw)
    cursor: Any = connection.make_cursor(made)
    with cursor, connection.wrap_database_errors:
        _set_locally(raw)
        cursor.execute(text, [values[name] for name in names])
        rows = cursor.fetchall()
        return rows


def fetch_alone(
    tenant_id: uuid.UUID, *statements: tuple[str, Mapping[str, Any]]
) -> list[list[tuple[Any, ...]]]:
    """All rows of each reading statement, in a transaction of their own, in one trip; in the open one where there is one."""
    if joins_open_work():
        with tenant_transaction(tenant_id, settings=SETTINGS):
            return [fetch(sql, values) for sql, values in statements]
    raw = _ready()
    cursors = []
    with ExitStack() as opened:
        opened.enter_context(connection.wrap_database_errors)
        # What goes out together, without a BEGIN, is a transaction.
        with raw.pipeline():
            for sql, values in ((_BEGINNING, {"tenant": str(tenant_id)}), *statements):
                text, names = _numbered(sql)
                made: Any = _Prepared(raw)
                cursor: Any = opened.enter_context(connection.make_cursor(made))
                cursor.execute(text, [values[name] for name in names])
                cursors.append(cursor)
        return [list(cursor.fetchall()) for cursor in cursors[1:]]


_BEGINNING = "SELECT " + ", ".join(
    [
        f"set_config('{TENANT_SETTING}', %(tenant)s, true)",
        *(f"set_config('{name}', '{value}', true)" for name, value in SETTINGS.items()),
    ]
)


def _ready() -> psycopg.Connection[Any]:
    """The connection, which may prepare and knows vectors."""
    connection.ensure_connection()
    raw: psycopg.Connection[Any] = connection.connection
    if raw.prepare_threshold is None:
        # Django turns preparing off; on again, but out of reach for every statement that does not ask for it.
        raw.prepare_threshold = _NEVER_BY_ITSELF
        for kind in (HalfVec, HalfVecs, Array):
            raw.adapters.register_dumper(kind, _BinaryDumper)
    return raw


def _readable(value: Any) -> Any:
    return value.as_text() if isinstance(value, HalfVec) else value


def _set_locally(raw: psycopg.Connection[Any]) -> None:
    """All settings in one trip, without the cost of a cursor; none where the transaction began with them."""
    if current_scope().settings == SETTINGS:
        return
    result = raw.pgconn.exec_(set_locally(SETTINGS).encode())
    if result.status != ExecStatus.COMMAND_OK:
        raise psycopg.OperationalError(result.error_message.decode(errors="replace"))


@lru_cache(maxsize=512)
def _numbered(sql: str) -> tuple[str, tuple[str, ...]]:
    """The statement with $1, $2, …, and the parameters' names in that order."""
    names: dict[str, int] = {}

    def number(match: re.Match[str]) -> str:
        return f"${names.setdefault(match[1], len(names) + 1)}" if match[1] else "%"

    return _NAMED.sub(number, sql), tuple(names)
