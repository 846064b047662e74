"""The ASGI application: HTTP by Django, /mcp by the MCP door, websockets by Channels, and the lifespan that they do not own."""

from __future__ import annotations

import logging
import os
from contextlib import AsyncExitStack
from typing import Any

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "memoryhub.settings")

from django.core.asgi import get_asgi_application

_http = get_asgi_application()  # Sets Django up: everything below needs that.

from channels.routing import URLRouter  # noqa: E402
from channels.security.websocket import AllowedHostsOriginValidator  # noqa: E402
from django.conf import settings  # noqa: E402

from accounts.websocket import Receive, Send, SessionAuthMiddleware  # noqa: E402
from memories.adapters.factory import close_embedders, embed_in_processes  # noqa: E402
from memoryhub.checks import assert_safe_to_serve  # noqa: E402
from memoryhub.common.executor import pool, run_in_services  # noqa: E402
from memoryhub.common.garbage import settle_garbage  # noqa: E402
from sessions_app import live  # noqa: E402
from sessions_app.mcp import door  # noqa: E402
from sessions_app.openai.relaying import settle  # noqa: E402
from sessions_app.routing import websocket_urlpatterns  # noqa: E402

logger = logging.getLogger(__name__)

_websocket = AllowedHostsOriginValidator(SessionAuthMiddleware(URLRouter(websocket_urlpatterns)))


async def application(scope: dict[str, Any], receive: Receive, send: Send) -> None:
    """The one entry for uvicorn and every other ASGI server."""
    if scope["type"] == "http" and scope["path"] in door.PATHS:
        await door.mcp(scope, receive, send)
    elif scope["type"] == "http":
        await _http(scope, receive, send)  # type: ignore[arg-type]
    elif scope["type"] == "websocket":
        await _websocket(scope, receive, send)
    elif scope["type"] == "lifespan":
        await _lifespan(receive, send)
    else:
        raise ValueError(f"unknown kind of connection: {scope['type']}")


async def _lifespan(receive: Receive, send: Send) -> None:
    """Refuse to serve with unsafe settings; let running services end when the server stops."""
    doors = AsyncExitStack()
    while True:
        message = await receive()
        if message["type"] == "lifespan.startup":
            try:
                await _start()
                await doors.enter_async_context(door.running())
            except Exception as refusal:  # noqa: BLE001 - uvicorn would serve on after any exception it gets to see.
                # The server prints this line and exits: it names settings, never values.
                await send({"type": "lifespan.startup.failed", "message": str(refusal)})
                return
            await send({"type": "lifespan.startup.complete"})
        elif message["type"] == "lifespan.shutdown":
            await live.end_all()
            await doors.aclose()
            await settle()
            pool().shutdown(wait=True, cancel_futures=True)
            close_embedders()
            await send({"type": "lifespan.shutdown.complete"})
            return


async def _start() -> None:
    await run_in_services(assert_safe_to_serve)
    embed_in_processes(settings.EMBEDDER_PROCESSES)
    settle_garbage()
    logger.info("serving")
