"""Calls that start together, each in a thread with a database connection of its own."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from django.db import connection, connections


def all_at_once(calls: Sequence[Callable[[], Any]], *, seconds: float = 300) -> list[Any]:
    """What each call returned, or the exception that it raised, in order; a deadlock shows as a DatabaseError among them."""
    barrier = threading.Barrier(len(calls))

    def run(call: Callable[[], Any]) -> Any:
        try:
            connection.ensure_connection()
            barrier.wait(timeout=60)
            return call()
        except Exception as error:
            return error
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(calls)) as pool:
        return [one.result(timeout=seconds) for one in [pool.submit(run, call) for call in calls]]
