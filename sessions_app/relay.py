"""Carries frames to every socket of a session, in any web process, and knows which sessions somebody is looking at."""

from __future__ import annotations

import asyncio
import time
import uuid
from typing import Any
from weakref import WeakKeyDictionary

import structlog
from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer
from django.conf import settings
from redis.asyncio import Redis
from redis.exceptions import RedisError

from accounts.sockets import user_group
from memoryhub.common.valkey import valkey
from sessions_app.protocol import Frame

log = structlog.get_logger(__name__)

# A socket that has not been heard of for this long counts as gone; browsers ping every 20 s.
PRESENCE_SECONDS = 50
_NUMBERS_KEPT_SECONDS = 7 * 24 * 3600
SENDS_PER_MINUTE = 30

_clients: WeakKeyDictionary[asyncio.AbstractEventLoop, Redis] = WeakKeyDictionary()


def session_group(session_id: uuid.UUID) -> str:
    """The group of all sockets of a session."""
    return f"chat.{session_id}"


def answer_group(turn_id: uuid.UUID | str) -> str:
    """The group in which the process that generates an answer listens."""
    return f"answer.{turn_id}"


async def publish(session_id: uuid.UUID, frame: Frame) -> None:
    """Number a frame and send it to the session's sockets. A broker that is down is logged: the stored turn is the truth."""
    try:
        pipe = _client().pipeline(transaction=False)
        pipe.incr(_key("n", session_id))
        pipe.expire(_key("n", session_id), _NUMBERS_KEPT_SECONDS)
        n, _ = await pipe.execute()
        await _send_group(
            session_group(session_id),
            {"type": "chat.frame", "frame": {**frame, "n": n}},
        )
    except (RedisError, OSError) as exc:
        log.warning(
            "chat_frame_not_sent",
            session_id=str(session_id),
            kind=frame["type"],
            error=type(exc).__name__,
        )


async def newest_number(session_id: uuid.UUID) -> int:
    """The number of the session's newest frame; 0 before the first one, or with the broker down."""
    try:
        return int(await _client().get(_key("n", session_id)) or 0)
    except (RedisError, OSError):
        return 0


async def tell_answer(turn_id: uuid.UUID, message: dict[str, Any]) -> None:
    """Tell the process that generates an answer, wherever it runs."""
    try:
        await _send_group(answer_group(turn_id), message)
    except (RedisError, OSError) as exc:
        log.warning("answer_not_told", turn_id=str(turn_id), error=type(exc).__name__)


def memory_changed(user_id: uuid.UUID | str, *, memory_id: uuid.UUID, change: str) -> None:
    """Tell a person's open pages that one of their memories was pinned, unpinned, edited, forgotten or restored."""
    frame = {"type": "memory", "memory_id": str(memory_id), "change": change}
    _tell_user(user_id, {"type": "chat.aside", "frame": frame})


def session_changed(session_id: uuid.UUID, frame: Frame) -> None:
    """`publish` for synchronous callers: views, and tasks, whose event loops live for one call."""
    key = _key("n", session_id)
    try:
        n = _counted(key, _NUMBERS_KEPT_SECONDS)
        message = {"type": "chat.frame", "frame": {**frame, "n": n}}
        async_to_sync(_send_group)(session_group(session_id), message)
    except (RedisError, OSError) as exc:
        log.warning(
            "chat_frame_not_sent", session_id=str(session_id), kind=frame["type"], error=type(exc).__name__
        )


def _tell_user(user_id: uuid.UUID | str, message: dict[str, Any]) -> None:
    try:
        async_to_sync(_send_group)(user_group(user_id), message)
    except (RedisError, OSError) as exc:
        log.warning(
            "user_not_told",
            user_id=str(user_id),
            kind=message["type"],
            error=type(exc).__name__,
        )


async def _send_group(group: str, message: dict[str, Any]) -> None:
    layer = get_channel_layer()
    assert layer is not None, "CHANNEL_LAYERS is not set"
    await layer.group_send(group, message)


async def attend(session_id: uuid.UUID, channel: str) -> None:
    """Note, or note again, that this socket looks at the session."""
    try:
        pipe = _client().pipeline(transaction=False)
        pipe.zadd(_key("present", session_id), {channel: time.time() + PRESENCE_SECONDS})
        pipe.expire(_key("present", session_id), PRESENCE_SECONDS)
        await pipe.execute()
    except (RedisError, OSError):
        log.warning("presence_not_noted", session_id=str(session_id))


async def leave(session_id: uuid.UUID, channel: str) -> None:
    """This socket is gone."""
    try:
        await _client().zrem(_key("present", session_id), channel)
    except (RedisError, OSError):
        log.warning("presence_not_noted", session_id=str(session_id))


async def anybody_there(session_id: uuid.UUID) -> bool:
    """Does any socket, in any process, look at the session? True when it cannot be known: an answer is not thrown away."""
    try:
        return bool(await _client().zcount(_key("present", session_id), time.time(), "+inf"))
    except (RedisError, OSError):
        return True


async def may_send(user_id: str) -> bool:
    """At most SENDS_PER_MINUTE messages and retries a person, over all tabs and processes."""
    key = _sends_key(user_id)
    try:
        pipe = _client().pipeline(transaction=False)
        pipe.incr(key)
        pipe.expire(key, 120)
        count, _ = await pipe.execute()
    except (RedisError, OSError):
        return True
    return int(count) <= SENDS_PER_MINUTE


def may_send_now(user_id: str) -> bool:
    """`may_send` for synchronous callers: the same counter."""
    try:
        return _counted(_sends_key(user_id), 120) <= SENDS_PER_MINUTE
    except (RedisError, OSError):
        return True


def _counted(key: str, seconds: int) -> int:
    """One more under the key, which lives for so long from now on; for synchronous callers."""
    pipe = valkey().pipeline(transaction=False)
    pipe.incr(key)
    pipe.expire(key, seconds)
    count, _ = pipe.execute()
    return int(count)


def _sends_key(user_id: str) -> str:
    return f"memoryhub:chat:sends:{user_id}:{int(time.time() // 60)}"


async def close() -> None:
    """Give back this event loop's connections."""
    client = _clients.pop(asyncio.get_running_loop(), None)
    if client is not None:
        await client.aclose()


def keys_of(session_id: uuid.UUID) -> list[str]:
    """Every key that names the session."""
    return [_key(what, session_id) for what in ("n", "present")]


def _key(what: str, session_id: uuid.UUID) -> str:
    return f"memoryhub:chat:{what}:{session_id}"


def _client() -> Redis:
    loop = asyncio.get_running_loop()
    client = _clients.get(loop)
    if client is None:
        client = _clients[loop] = Redis.from_url(
            settings.REDIS_URL, socket_timeout=2, socket_connect_timeout=2
        )
    return client
