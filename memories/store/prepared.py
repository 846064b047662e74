"""Runs a large, often repeated statement as a prepared one: planning it anew would take longer than running it."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import nullcontext
from typing import Any

import psycopg
from django.db import connection

SETTINGS = {
    # Compiling or forking costs more than the exact scan of one subject does.
    "jit": "off",
    "max_parallel_workers_per_gather": "0",
    "work_mem": "32MB",
    # One plan for all subjects: every step goes through a subject's index, whatever the parameters.
    "plan_cache_mode": "force_generic_plan",
}
"""Local to the transaction, and sent in the statement's own round trip."""

_NEVER_BY_ITSELF = 2**31
_SET = "SELECT " + ", ".join(f"set_config('{name}', '{value}', true)" for name, value in SETTINGS.items())


class _Prepared(psycopg.Cursor[Any]):
    """Binds on the server and prepares at the first execution; the connection keeps the plan."""

    prepares = True

    def execute(self, query: Any, params: Any = None, **options: Any) -> Any:
        return super().execute(query, params, prepare=self.prepares)


class _Recorded(_Prepared):
    """The same without preparing, so that the statement's text can be looked at."""

    prepares = False


def fetch(sql: str, values: Mapping[str, Any]) -> list[tuple[Any, ...]]:
    """All rows of a statement with named parameters. Inside a transaction; settings and statement are one round trip."""
    connection.ensure_connection()
    raw: psycopg.Connection[Any] = connection.connection
    if raw.prepare_threshold is None:
        # Django turns preparing off; on again, but out of reach for every statement that does not ask for it.
        raw.prepare_threshold = _NEVER_BY_ITSELF
    # As connection.cursor() does: a wrapper that notes queries while somebody records them. It needs the statement's text,
    # which neither a pipeline nor a prepared statement keeps.
    recorded = connection.queries_logged
    kind = _Recorded if recorded else _Prepared
    wrap: Any = connection.make_debug_cursor if recorded else connection.make_cursor
    setter, cursor = wrap(kind(raw)), wrap(kind(raw))
    with setter, cursor, nullcontext() if recorded else raw.pipeline():
        setter.execute(_SET)
        cursor.execute(sql, values)
        rows: list[tuple[Any, ...]] = cursor.fetchall()
    return rows
