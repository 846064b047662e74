"""Rate limits per caller and per tenant, counted atomically in Valkey; open (and counted) when Valkey is down."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import redis
from django.conf import settings
from prometheus_client import Counter
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from accounts.actor import Actor
from memoryhub.common.valkey import valkey

if TYPE_CHECKING:
    from rest_framework.views import APIView

WINDOW_SECONDS = 60
THROTTLED = Counter("memoryhub_api_throttled_total", "API requests refused by a rate limit", ["scope"])
THROTTLE_OPEN = Counter(
    "memoryhub_api_throttle_open_total", "API requests let through uncounted: Valkey did not answer"
)

# Both counters move in one step, so that parallel requests cannot slip between reading and writing.
_COUNT = """
local counts = {}
for i, key in ipairs(KEYS) do
  counts[i] = redis.call('INCR', key)
  if counts[i] == 1 then redis.call('EXPIRE', key, ARGV[1]) end
end
return counts
"""


class Limit(NamedTuple):
    """`scope` names the limit in metrics, `key` its counter, `most` the requests a window."""

    scope: str
    key: str
    most: int


class Counted(NamedTuple):
    """What the tightest limit says of a request: `most` a window, of which `left` are left (below 0: refuse it), for `reset` seconds."""

    scope: str
    most: int
    left: int
    reset: int

    @property
    def headers(self) -> dict[str, str]:
        """The RateLimit-* headers."""
        return {
            "RateLimit-Limit": str(self.most),
            "RateLimit-Remaining": str(max(0, self.left)),
            "RateLimit-Reset": str(self.reset),
        }


def limits_of(actor: Actor) -> list[Limit]:
    """The caller's own limit and the tenant's, at every door that counts."""
    return [
        Limit("caller", f"{actor.kind}:{actor.id}", settings.API_REQUESTS_PER_MINUTE),
        Limit("tenant", str(actor.tenant_id), settings.API_TENANT_REQUESTS_PER_MINUTE),
    ]


def count(limits: Sequence[Limit]) -> Counted | None:
    """Count one request against all of them in one step; None when Valkey does not answer, which lets it through."""
    now = time.time()
    window = int(now // WINDOW_SECONDS)
    keys = [f"memoryhub:rate:{limit.scope}:{limit.key}:{window}" for limit in limits]
    try:
        counts = valkey().eval(_COUNT, len(keys), *keys, WINDOW_SECONDS * 2)
    except redis.RedisError:
        THROTTLE_OPEN.inc()
        return None
    reset = max(1, math.ceil((window + 1) * WINDOW_SECONDS - now))
    left = [(limit.most - int(found), limit) for limit, found in zip(limits, counts, strict=True)]
    remaining, tightest = min(left, key=lambda pair: pair[0])
    if remaining < 0:
        THROTTLED.labels(tightest.scope).inc()
    return Counted(tightest.scope, tightest.most, remaining, reset)


class KeyThrottle(BaseThrottle):
    """A fixed window of a minute for the key (or person, or address) and one for its tenant."""

    def __init__(self) -> None:
        self._wait = 0

    def allow_request(self, request: Request, view: APIView) -> bool:
        counted = count(self._limits(request))
        if counted is None:
            return True
        # The middleware turns this into RateLimit-* headers, also on the 429 itself.
        noted = (counted.most, max(0, counted.left), counted.reset)
        request._request.rate_limit = noted  # type: ignore[attr-defined]
        if counted.left < 0:
            self._wait = counted.reset
            return False
        return True

    def wait(self) -> float:
        return self._wait

    def _limits(self, request: Request) -> list[Limit]:
        actor = request.auth
        if not isinstance(actor, Actor):
            return [Limit("address", self.get_ident(request) or "unknown", settings.API_REQUESTS_PER_MINUTE)]
        return limits_of(actor)
