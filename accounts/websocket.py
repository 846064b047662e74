"""Who is behind a websocket: session and user looked up in the services' pool, never in the loop's one shared thread."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from http.cookies import CookieError, SimpleCookie
from importlib import import_module
from typing import Any

from asgiref.sync import ThreadSensitiveContext
from django.conf import settings
from django.contrib.auth import get_user
from django.http import HttpRequest

from memoryhub.common.executor import run_in_services

Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]
Application = Callable[[dict[str, Any], Receive, Send], Awaitable[None]]


class SessionAuthMiddleware:
    """Sets scope["session"] and scope["user"] from the session cookie, like Channels' stack, without its shared thread.

    A thread-sensitive context a socket keeps any remaining database_sync_to_async of one socket from waiting for another's.
    """

    def __init__(self, app: Application) -> None:
        self.app = app

    async def __call__(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        key = _session_key(scope)
        session, user = await run_in_services(_look_up, key)
        async with ThreadSensitiveContext():
            await self.app({**scope, "session": session, "user": user}, receive, send)


def _session_key(scope: dict[str, Any]) -> str | None:
    for name, value in scope.get("headers", []):
        if name == b"cookie":
            try:
                morsel = SimpleCookie(value.decode("latin1")).get(settings.SESSION_COOKIE_NAME)
            except CookieError:
                return None
            return morsel.value if morsel else None
    return None


def _look_up(key: str | None) -> tuple[Any, Any]:
    request = HttpRequest()
    request.session = import_module(settings.SESSION_ENGINE).SessionStore(key)
    return request.session, get_user(request)
