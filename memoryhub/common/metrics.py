"""`/metrics`: Prometheus text, for the machine itself or for who holds the token."""

from __future__ import annotations

import hmac
from ipaddress import ip_address

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

_PROXY_HEADERS = ("HTTP_X_FORWARDED_FOR", "HTTP_FORWARDED", "HTTP_X_REAL_IP", "HTTP_VIA")


@never_cache
def metrics(request: HttpRequest) -> HttpResponse:
    """The process's counters; 403 with what to do for everybody else."""
    if not (_has_token(request) or _is_local(request)):
        hint = "Ask from the machine itself, or send METRICS_TOKEN: `Authorization: Bearer <token>`.\n"
        return HttpResponse(hint, status=403, content_type="text/plain; charset=utf-8")
    return HttpResponse(generate_latest(), content_type=CONTENT_TYPE_LATEST)


def _has_token(request: HttpRequest) -> bool:
    token = settings.METRICS_TOKEN
    given = request.headers.get("Authorization", "").removeprefix("Bearer ")
    return bool(token) and hmac.compare_digest(given.encode(), token.encode())


def _is_local(request: HttpRequest) -> bool:
    """A loopback peer that forwards for nobody: behind a proxy on this machine every reader looks local."""
    if settings.METRICS_TOKEN or settings.NUM_PROXIES or any(name in request.META for name in _PROXY_HEADERS):
        return False
    try:
        return ip_address(request.META.get("REMOTE_ADDR", "")).is_loopback
    except ValueError:
        return False
