"""The ASGI edge of /mcp: hosts, origins, keys and limits are looked at before the protocol's SDK sees a request."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Awaitable, Callable, MutableMapping
from contextlib import asynccontextmanager
from typing import Any
from urllib.parse import urlsplit

import structlog
from django.conf import settings
from django.db import OperationalError
from django.http.request import split_domain_port, validate_host
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from rest_framework.exceptions import AuthenticationFailed

from accounts.websocket import Receive, Send
from memoryhub.common.executor import run_in_services
from memoryhub.common.problems import problem
from sessions_app.mcp import server
from sessions_app.mcp.admission import admit
from sessions_app.mcp.metrics import REFUSED

log = structlog.get_logger(__name__)

PATHS = frozenset({"/mcp", "/mcp/"})
_REALM = 'Bearer realm="memoryhub"'
_SAFE = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"}
_SERVER_ERROR = -32_000
"""JSON-RPC's first code for errors of the server's own."""
_open: list[StreamableHTTPSessionManager] = []
"""The one that serves, while the server runs."""


@asynccontextmanager
async def running() -> AsyncIterator[None]:
    """The door is open inside; belongs into the server's lifespan, entered and left by one task."""
    manager = StreamableHTTPSessionManager(
        server.build(),
        # One request, one answer: whichever worker gets it, and nothing is kept between two.
        stateless=True,
        json_response=True,
        max_request_body_size=settings.DATA_UPLOAD_MAX_MEMORY_SIZE,
    )
    async with manager.run():
        _open.append(manager)
        try:
            yield
        finally:
            _open.remove(manager)


async def mcp(scope: dict[str, Any], receive: Receive, send: Send) -> None:
    """One HTTP request to /mcp."""
    headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}
    if (refused := _out_of_place(scope, headers)) is not None:
        await _refuse(send, *refused)
        return
    if scope["method"] != "POST":
        await _refuse(
            send,
            405,
            "method_not_allowed",
            "only POST is served here",
            "Send JSON-RPC by POST.",
            {"Allow": "POST"},
        )
        return
    given = headers.get("authorization", "")
    if not given:
        await _refuse(
            send, 401, "not_authenticated", "no API key was sent", _SEND_KEY, {"WWW-Authenticate": _REALM}
        )
        return
    try:
        actor, counted = await run_in_services(admit, given)
    except AuthenticationFailed as error:
        asked = {"WWW-Authenticate": f'{_REALM}, error="invalid_token"'}
        await _refuse(send, 401, "authentication_failed", str(error.detail), _SEND_KEY, asked)
        return
    except OperationalError as error:
        log.warning("mcp.database", error=type(error).__name__)
        await _refuse(send, 503, "unavailable", "the database does not answer", "", {"Retry-After": "5"})
        return
    limits = counted.headers if counted is not None else {}
    if counted is not None and counted.left < 0:
        wait = f"Wait {counted.reset} seconds, then try again."
        late = {**limits, "Retry-After": str(counted.reset)}
        await _refuse(send, 429, "rate_limited", f"more than {counted.most} requests a minute", wait, late)
        return
    if not _open:
        await _refuse(send, 503, "unavailable", "the server is starting or ending", "", {"Retry-After": "5"})
        return
    await _open[-1].handle_request(
        {**scope, server.ACTOR: actor}, receive, _with_headers(send, {**_SAFE, **limits})
    )


_SEND_KEY = "Send an API key that is in force: Authorization: Bearer mh_…"


def _out_of_place(scope: dict[str, Any], headers: dict[str, str]) -> tuple[int, str, str, str] | None:
    """What REST refuses by Django's settings: a host that is not ours, a foreign page's script, a key in the clear."""
    if not _is_our_host(headers.get("host", "")):
        return 421, "invalid", "this is not a host of ours", "ALLOWED_HOSTS names the hosts that are served."
    if (origin := headers.get("origin")) is not None and not _is_our_origin(origin):
        return 403, "permission_denied", "pages of other sites may not call this", "Call it from a program."
    if settings.SECURE_SSL_REDIRECT and not _is_secure(scope, headers):
        # No redirect: the key went over the wire already, and whoever sent it should learn of that.
        return 403, "permission_denied", "this is served over https only", "Use the https address."
    return None


def _is_our_host(host: str) -> bool:
    domain, _ = split_domain_port(host)
    return bool(domain) and validate_host(domain, settings.ALLOWED_HOSTS)


def _is_our_origin(origin: str) -> bool:
    if origin in settings.CSRF_TRUSTED_ORIGINS:
        return True
    try:
        return _is_our_host(urlsplit(origin).netloc)
    except ValueError:
        return False


def _is_secure(scope: dict[str, Any], headers: dict[str, str]) -> bool:
    if settings.SECURE_PROXY_SSL_HEADER:
        name, value = settings.SECURE_PROXY_SSL_HEADER
        said = headers.get(name.removeprefix("HTTP_").replace("_", "-").lower())
        if said is not None:
            return said.split(",")[0].strip() == value
    return scope.get("scheme") == "https"


def _with_headers(send: Send, more: dict[str, str]) -> Callable[[MutableMapping[str, Any]], Awaitable[None]]:
    async def sending(message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            named = {name.lower() for name, _ in message.get("headers", ())}
            added = [(name.lower().encode(), value.encode()) for name, value in more.items()]
            kept = [*message.get("headers", ()), *(one for one in added if one[0] not in named)]
            message = {**message, "headers": kept}
            if message["status"] >= 400:
                REFUSED.labels(str(message["status"])).inc()
        await send(dict(message))

    return sending


async def _refuse(
    send: Send, status: int, code: str, detail: str, hint: str, headers: dict[str, str] | None = None
) -> None:
    """A JSON-RPC error, which clients of the protocol show, with the problem as its data."""
    REFUSED.labels(str(status)).inc()
    told = problem(status=status, code=code, detail=detail, hint=hint)
    words = f"{detail}. {told['hint']}".strip()
    body = {"jsonrpc": "2.0", "id": None, "error": {"code": _SERVER_ERROR, "message": words, "data": told}}
    content = json.dumps(body).encode()
    sent = {
        **_SAFE,
        "Content-Type": "application/json",
        "Content-Length": str(len(content)),
        **(headers or {}),
    }
    start = [(name.lower().encode(), value.encode()) for name, value in sent.items()]
    await send({"type": "http.response.start", "status": status, "headers": start})
    await send({"type": "http.response.body", "body": content})
