"""Django's cache in Valkey, which goes on in this process's memory while Valkey is down: signing in never fails for it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import redis
import structlog
from django.core.cache.backends.locmem import LocMemCache
from django.core.cache.backends.redis import RedisCache
from prometheus_client import Counter

T = TypeVar("T")
log = structlog.get_logger(__name__)

CACHE_LOCAL = Counter(
    "memoryhub_cache_local_total",
    "Cache operations answered from this process's memory: Valkey did not answer",
)


class SurvivingCache(RedisCache):
    """Valkey's cache; what Valkey does not answer goes to a cache of this process.

    Sign-in counts its attempts here. Then each process counts its own: guessing stays slowed down, by the number of
    processes less, instead of being free (failing open) or nobody signing in at all (failing closed). Short timeouts
    belong into OPTIONS, since a broker that hangs is asked again by every operation.
    """

    def __init__(self, server: str | list[str], params: dict[str, Any]) -> None:
        super().__init__(server, params)
        plain = {key: value for key, value in params.items() if key != "OPTIONS"}
        self._local = LocMemCache("memoryhub-while-valkey-is-down", plain)

    def add(self, *args: Any, **kwargs: Any) -> bool:
        return self._ask(super().add, self._local.add, args, kwargs)

    def get(self, *args: Any, **kwargs: Any) -> Any:
        return self._ask(super().get, self._local.get, args, kwargs)

    def set(self, *args: Any, **kwargs: Any) -> None:
        return self._ask(super().set, self._local.set, args, kwargs)

    def touch(self, *args: Any, **kwargs: Any) -> bool:
        return self._ask(super().touch, self._local.touch, args, kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> bool:
        return self._ask(super().delete, self._local.delete, args, kwargs)

    def has_key(self, *args: Any, **kwargs: Any) -> bool:
        return self._ask(super().has_key, self._local.has_key, args, kwargs)

    def incr(self, *args: Any, **kwargs: Any) -> int:
        return self._ask(super().incr, self._local.incr, args, kwargs)

    def get_many(self, *args: Any, **kwargs: Any) -> dict[Any, Any]:
        return self._ask(super().get_many, self._local.get_many, args, kwargs)

    def set_many(self, *args: Any, **kwargs: Any) -> list[Any]:
        return self._ask(super().set_many, self._local.set_many, args, kwargs)

    def delete_many(self, *args: Any, **kwargs: Any) -> None:
        return self._ask(super().delete_many, self._local.delete_many, args, kwargs)

    def clear(self) -> None:
        self._local.clear()
        return self._ask(super().clear, self._local.clear, (), {})

    def _ask(
        self, there: Callable[..., T], here: Callable[..., T], args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> T:
        try:
            return there(*args, **kwargs)
        except (redis.RedisError, OSError) as error:
            CACHE_LOCAL.inc()
            log.warning("cache_is_local", error=type(error).__name__)
            return here(*args, **kwargs)
