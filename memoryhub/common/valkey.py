"""The one client of Valkey for counters and locks, with short timeouts: a slow broker must not hold a request."""

from __future__ import annotations

from functools import lru_cache

import redis
from django.conf import settings


@lru_cache(maxsize=1)
def valkey() -> redis.Redis:
    """A pooled, thread-safe client of settings.REDIS_URL; commands raise redis.RedisError within 0.5 s."""
    return redis.Redis.from_url(settings.REDIS_URL, socket_timeout=0.5, socket_connect_timeout=0.5)
