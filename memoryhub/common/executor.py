"""The one bounded pool of threads in which async edges call synchronous services."""

from __future__ import annotations

import asyncio
import contextvars
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from typing import ParamSpec, TypeVar

from django.conf import settings
from django.db import close_old_connections

P = ParamSpec("P")
R = TypeVar("R")


@lru_cache(maxsize=1)
def pool() -> ThreadPoolExecutor:
    """As many threads as the process may hold database connections: a waiting call waits for a thread, not in the pool."""
    return ThreadPoolExecutor(max_workers=settings.SERVICE_THREADS, thread_name_prefix="service")


async def run_in_services(fn: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> R:
    """Run a synchronous service in the pool and await it; its database connection goes back when it ends.

    Cancelling the caller does not stop the service: it is one transaction and finishes or fails as a whole.
    """
    context = contextvars.copy_context()
    loop = asyncio.get_running_loop()
    return await loop.run_in_executor(pool(), lambda: context.run(_call, fn, args, kwargs))


def _call(fn: Callable[..., R], args: tuple[object, ...], kwargs: dict[str, object]) -> R:
    close_old_connections()
    try:
        return fn(*args, **kwargs)
    finally:
        close_old_connections()
