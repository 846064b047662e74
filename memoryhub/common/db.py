"""The tenant transaction: the only way to tenant data, set local to a transaction and checked again by row-level security."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

import psycopg
from django.db import connection, transaction
from psycopg.pq import ExecStatus, TransactionStatus

from memoryhub.common.errors import TenantMismatch, TenantNotSet

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


_scope: ContextVar[TenantScope | None] = ContextVar("memoryhub_tenant_scope", default=None)


def current_scope() -> TenantScope:
    """The open scope; TenantNotSet outside of one."""
    scope = _scope.get()
    if scope is None:
        raise TenantNotSet("open tenant_transaction(tenant_id) before touching tenant data")
    return scope


def current_tenant_id() -> uuid.UUID:
    """The tenant of the open scope; TenantNotSet outside of one."""
    return current_scope().tenant_id


@contextmanager
def tenant_transaction(tenant_id: uuid.UUID) -> Iterator[TenantScope]:
    """Open a transaction scoped to one tenant.

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
    scope = TenantScope(tenant_id)
    surrounded = connection.in_atomic_block
    with transaction.atomic():
        _begin(tenant_id)
        token = _scope.set(scope)
        try:
            yield scope
            for action in scope.before_commit:
                action()
        finally:
            _scope.reset(token)
        if surrounded:
            _set_tenant("")


def _begin(tenant_id: uuid.UUID) -> None:
    """Set the tenant, in one trip with the BEGIN that stands before a transaction's first statement."""
    connection.ensure_connection()
    raw: psycopg.Connection[Any] = connection.connection
    if connection.queries_logged or raw.pgconn.transaction_status != TransactionStatus.IDLE:
        _set_tenant(str(tenant_id))
        return
    sql = f"BEGIN; SELECT set_config('{TENANT_SETTING}', '{uuid.UUID(str(tenant_id))}', true)"
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
