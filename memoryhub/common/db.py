"""The tenant transaction: the only way to tenant data, set local to a transaction and checked again by row-level security."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

import psycopg
from django.db import IntegrityError, connection, transaction
from psycopg.pq import ExecStatus, TransactionStatus

from memoryhub.common.errors import NotFound, TenantMismatch, TenantNotSet

TENANT_SETTING = "memoryhub.tenant"


@dataclass
class TenantScope:
    """One open tenant transaction; `before_commit` callables run once, last, inside it, in the order given.

    `noted` holds what they will write (audit changes): an inner scope that rolls back takes its own notes with it.
    """

    tenant_id: uuid.UUID
    before_commit: list[Callable[[], None]] = field(default_factory=list)
    noted: list[Any] = field(default_factory=list)
    kept: dict[str, Any] = field(default_factory=dict)
    """What was read for this transaction alone; nothing that a savepoint's rollback would make untrue."""
    settings: Mapping[str, str] = field(default_factory=dict)
    """PostgreSQL's settings that the transaction began with."""


_scope: ContextVar[TenantScope | None] = ContextVar("memoryhub_tenant_scope", default=None)
_together: ContextVar[ExitStack | None] = ContextVar("memoryhub_one_commit", default=None)


def current_scope() -> TenantScope:
    """The open scope; TenantNotSet outside of one."""
    scope = _scope.get()
    if scope is None:
        raise TenantNotSet("open tenant_transaction(tenant_id) before touching tenant data")
    return scope


def current_tenant_id() -> uuid.UUID:
    """The tenant of the open scope; TenantNotSet outside of one."""
    return current_scope().tenant_id


def joins_open_work() -> bool:
    """Whether what could be a trip of its own goes statement by statement: into the open scope or transaction, or since queries are recorded."""
    return _scope.get() is not None or connection.in_atomic_block or connection.queries_logged


@contextmanager
def bare_scope(tenant_id: uuid.UUID) -> Iterator[None]:
    """The scope alone, without a transaction: for common.one_trip, which composes queries inside and runs none."""
    token = _scope.set(TenantScope(tenant_id))
    try:
        yield
    finally:
        _scope.reset(token)


@contextmanager
def tenant_transaction(
    tenant_id: uuid.UUID, *, settings: Mapping[str, str] | None = None
) -> Iterator[TenantScope]:
    """Open a transaction scoped to one tenant. `settings` of PostgreSQL hold in it from its beginning, in no trip more;
    they are our own words, not input. A transaction that is open already does not take them up.

    Re-entrant for the same tenant (an inner call joins as a savepoint); TenantMismatch for another, because a nested
    scope would leak the inner tenant into the rest of the outer transaction. The setting is local to the transaction,
    so a pooled connection never carries it on; where another transaction surrounds this one, as in tests, it is cleared. An unset tenant raises in PostgreSQL: a missing scope never means zero rows.
    """
    outer = _scope.get()
    if outer is not None:
        if outer.tenant_id != tenant_id:
            raise TenantMismatch(f"already in tenant {outer.tenant_id}, asked for {tenant_id}")
        mark = len(outer.noted)
        try:
            with transaction.atomic():
                yield outer
        except BaseException:
            del outer.noted[mark:]
            raise
        return
    together = _together.get()
    if together is None:
        with _opened(tenant_id, settings) as scope:
            yield scope
        return
    with ExitStack() as opened:
        yield opened.enter_context(_opened(tenant_id, settings))
        if _has_written():
            together.push(opened.pop_all())


@contextmanager
def _opened(tenant_id: uuid.UUID, settings: Mapping[str, str] | None) -> Iterator[TenantScope]:
    """An outermost transaction with its scope."""
    scope = TenantScope(tenant_id, settings=dict(settings or {}))
    surrounded = connection.in_atomic_block
    with transaction.atomic():
        _begin(tenant_id, scope.settings)
        token = _scope.set(scope)
        try:
            yield scope
            for action in scope.before_commit:
                action()
        finally:
            _scope.reset(token)
        if surrounded:
            _set_tenant("")


@contextmanager
def one_commit() -> Iterator[None]:
    """What is written inside is committed at its end, in one step: the first tenant transaction that writes stays open until then.

    For whoever has to write something beside what a service wrote, of which the service knows nothing (the answer to a caller
    who may ask again), so that both stand or neither. Transactions that only read end as ever, so that what a service does before it
    writes (embedding, for one) happens outside of any. An error takes all of it back.
    """
    together = ExitStack()
    token = _together.set(together)
    try:
        with together:
            yield
    finally:
        _together.reset(token)


@contextmanager
def own_commit() -> Iterator[None]:
    """Inside of `one_commit`, before anything was written: what is written here is committed at once, and stays."""
    token = _together.set(None)
    try:
        yield
    finally:
        _together.reset(token)


def _has_written() -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_current_xact_id_if_assigned() IS NOT NULL")
        row = cursor.fetchone()
    return bool(row and row[0])


@contextmanager
def writing_of_what_was_read(tenant_id: uuid.UUID, gone: NotFound) -> Iterator[TenantScope]:
    """A tenant transaction that writes about rows read before it began; raises `gone` where one was deleted meanwhile."""
    try:
        with tenant_transaction(tenant_id) as scope:
            yield scope
    except IntegrityError as error:
        if not isinstance(error.__cause__, psycopg.errors.ForeignKeyViolation):
            raise
        raise gone from None


def read_alone(tenant_id: uuid.UUID, sql: str, values: Sequence[Any]) -> list[tuple[Any, ...]]:
    """All rows of one reading statement in a tenant transaction of its own, in one trip; in the open one where there is one.

    The trip holds two statements, which PostgreSQL takes only where the client binds the values: `server_side_binding` must be off
    (memoryhub/checks.py sees to it). ValueError where `sql` is itself more than one statement.
    """
    if _scope.get() is not None or connection.in_atomic_block:
        with tenant_transaction(tenant_id), connection.cursor() as cursor:
            cursor.execute(sql, values)
            return list(cursor.fetchall())
    with connection.cursor() as cursor:
        # Several statements in one message are a transaction.
        cursor.execute(f"SELECT set_config('{TENANT_SETTING}', %s, true); {sql}", [str(tenant_id), *values])
        cursor.nextset()
        rows = list(cursor.fetchall())
        if cursor.nextset():
            raise ValueError("read_alone takes one statement")
        return rows


def set_locally(settings: Mapping[str, str]) -> str:
    """The statements that make settings hold until the end of a transaction."""
    return "; ".join(f"SET LOCAL {name} = '{value}'" for name, value in settings.items())


def _begin(tenant_id: uuid.UUID, settings: Mapping[str, str]) -> None:
    """Set the tenant, in one trip with the BEGIN that stands before a transaction's first statement."""
    connection.ensure_connection()
    raw: psycopg.Connection[Any] = connection.connection
    if connection.queries_logged or raw.pgconn.transaction_status != TransactionStatus.IDLE:
        _set_tenant(str(tenant_id))
        if settings:
            with connection.cursor() as cursor:
                cursor.execute(set_locally(settings))
        return
    parts = ["BEGIN", *([set_locally(settings)] if settings else [])]
    sql = "; ".join([*parts, f"SELECT set_config('{TENANT_SETTING}', '{uuid.UUID(str(tenant_id))}', true)"])
    with connection.wrap_database_errors:
        result = raw.pgconn.exec_(sql.encode())
        if result.status != ExecStatus.TUPLES_OK:
            raise psycopg.OperationalError(result.error_message.decode(errors="replace"))


def _set_tenant(value: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT set_config(%s, %s, true)", [TENANT_SETTING, value])


def direct_address(database: Mapping[str, Any]) -> dict[str, Any]:
    """psycopg's arguments for a connection of one's own, beside Django's pool, to a database as in settings.DATABASES."""
    return {
        "host": database["HOST"] or None,
        "port": database["PORT"] or None,
        "dbname": database["NAME"],
        "user": database["USER"],
        "password": database["PASSWORD"],
    }
