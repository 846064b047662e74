"""`/health`: whether database, broker, worker and beat are alive, told within bounded time even when they hang."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Any

import psycopg
import redis.asyncio
from django.conf import settings
from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import never_cache

from memoryhub.common.db import direct_address
from memoryhub.common.heartbeat import key_of

LIMIT_SECONDS = 2.0

Check = dict[str, str | int]


@never_cache
async def health(request: HttpRequest) -> JsonResponse:
    """200 when all four are alive, else 503 with the same shape; it needs no session, tenant or connection pool."""
    database, broker = await asyncio.gather(_timed(_database), _timed(_broker))
    checks: dict[str, Check] = {"database": database, "broker": broker}
    silent = "no sign of life" if broker["status"] == "ok" else "unknown: the broker is down"
    heard = await _heard() if broker["status"] == "ok" else {}
    for part in ("worker", "beat"):
        checks[part] = {"status": "ok"} if heard.get(part) else {"status": "down", "reason": silent}
    fine = all(check["status"] == "ok" for check in checks.values())
    body = {"status": "ok" if fine else "unavailable", "checks": checks}
    return JsonResponse(body, status=200 if fine else 503)


async def _timed(check: Callable[[], Awaitable[None]]) -> Check:
    """Run it for at most LIMIT_SECONDS; the reason names the kind of error, since its text could hold an address."""
    started = time.monotonic()
    try:
        await asyncio.wait_for(check(), LIMIT_SECONDS)
    except TimeoutError:
        return {"status": "down", "reason": f"no answer within {LIMIT_SECONDS:g} s"}
    except Exception as error:  # noqa: BLE001 - whatever it is, the part is down
        return {"status": "down", "reason": type(error).__name__}
    return {"status": "ok", "milliseconds": round((time.monotonic() - started) * 1000)}


async def _database() -> None:
    """A connection of its own: a pool that busy requests have emptied is no dead database."""
    database: dict[str, Any] = dict(settings.DATABASES["default"])
    connection = await psycopg.AsyncConnection.connect(
        **direct_address(database),
        autocommit=True,
        **{
            name: value
            for name, value in database["OPTIONS"].items()
            if name.startswith(("ssl", "channel_", "target_"))
        },
    )
    async with connection:
        await connection.execute("SELECT 1")


def _client() -> redis.asyncio.Redis:
    return redis.asyncio.Redis.from_url(
        settings.REDIS_URL, socket_timeout=LIMIT_SECONDS, socket_connect_timeout=LIMIT_SECONDS
    )


async def _broker() -> None:
    async with _client() as client:
        await client.ping()


async def _heard() -> dict[str, bool]:
    """Which of worker and beat gave a sign of life that has not expired."""
    try:
        async with _client() as client:
            worker, beat = await asyncio.wait_for(
                client.mget(key_of("worker"), key_of("beat")), LIMIT_SECONDS
            )
    except (redis.RedisError, TimeoutError):
        return {}
    return {"worker": worker is not None, "beat": beat is not None}
