"""Fixtures of the socket tests: sockets through the real application, and a reader that does what the page does."""

from __future__ import annotations

import asyncio
import contextlib
import json
import uuid
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import pytest
import pytest_asyncio
from asgiref.testing import ApplicationCommunicator
from django.conf import settings

from memories.adapters.chat_openai import OpenAIChat
from memories.adapters.factory import override
from memories.services import embedding_space, policies
from memoryhub.asgi import application
from memoryhub.common.executor import run_in_services
from sessions_app import live, relay
from sessions_app.models import ChatSession
from sessions_app.services.open_session import open_session
from tests.support.model_server import ModelServer, model_server
from tests.support.people import House

ORIGIN = b"http://localhost"
PATIENCE = 60.0
"""Seconds until a test gives up on a frame: the first answer of a process loads the embedder, on a busy machine slowly."""


class Socket(ApplicationCommunicator):
    """A browser's socket at a session. (Channels' own communicator would need its web server, Daphne.)"""

    def __init__(
        self, cookie: str | None, session_id: object, origin: bytes = ORIGIN, query: str = ""
    ) -> None:
        headers = [(b"origin", origin), (b"host", b"localhost")]
        if cookie:
            headers.append((b"cookie", f"{settings.SESSION_COOKIE_NAME}={cookie}".encode()))
        scope = {
            "type": "websocket",
            "path": f"/ws/chat/{session_id}/",
            "query_string": query.encode(),
            "headers": headers,
            "subprotocols": [],
        }
        super().__init__(application, scope)
        self.is_open = False

    async def connect(self, timeout: float = PATIENCE) -> bool:
        """Whether the server accepted."""
        await self.send_input({"type": "websocket.connect"})
        self.is_open = (await self.receive_output(timeout))["type"] == "websocket.accept"
        return self.is_open

    async def disconnect(self) -> None:
        """The browser is gone."""
        if self.is_open:
            self.is_open = False
            with contextlib.suppress(asyncio.CancelledError):  # After a receive that timed out.
                await self.send_input({"type": "websocket.disconnect", "code": 1001})
                await self.wait(5)

    async def send_text(self, text: str) -> None:
        await self.send_input({"type": "websocket.receive", "text": text})

    async def send_bytes(self, data: bytes) -> None:
        await self.send_input({"type": "websocket.receive", "bytes": data})

    async def say(self, type_: str, **fields: Any) -> None:
        await self.send_text(json.dumps({"type": type_, **fields}))

    async def hear(self, timeout: float = PATIENCE) -> dict[str, Any]:
        event = await self.receive_output(timeout)
        assert event["type"] == "websocket.send", event
        frame: dict[str, Any] = json.loads(event["text"])
        return frame

    async def hear_until(
        self, wanted: Callable[[dict[str, Any]], bool], timeout: float = PATIENCE
    ) -> list[dict[str, Any]]:
        """All frames up to the first one that is wanted."""
        frames = [await self.hear(timeout)]
        while not wanted(frames[-1]):
            frames.append(await self.hear(timeout))
        return frames

    async def closed(self, timeout: float = PATIENCE) -> tuple[int, str]:
        """(code, reason) of the server's close, whatever comes before it."""
        while True:
            event = await self.receive_output(timeout)
            if event["type"] == "websocket.close":
                self.is_open = False
                return event["code"], event.get("reason", "")


def of(kind: str, **fields: Any) -> Callable[[dict[str, Any]], bool]:
    """Matches frames of a type with these fields."""
    return lambda frame: (
        frame["type"] == kind and all(frame.get(name) == value for name, value in fields.items())
    )


class Reader:
    """Keeps what the page keeps: finished turns by number, and an answer that grows by offsets in characters."""

    def __init__(self) -> None:
        self.turns: dict[int, dict[str, Any]] = {}
        self.text: dict[str, str] = {}
        self.gaps = 0

    @property
    def streaming(self) -> dict[str, Any] | None:
        return next((turn for turn in self.turns.values() if turn["state"] == "streaming"), None)

    def resume(self) -> dict[str, Any]:
        turn = self.streaming
        if turn is None:
            return {"after_seq": max(self.turns, default=0), "answer_id": None, "answer_offset": 0}
        known = self.text.get(turn["id"], "")
        return {"after_seq": turn["seq"] - 1, "answer_id": turn["id"], "answer_offset": len(known)}

    def take(self, frame: dict[str, Any]) -> None:
        if frame["type"] == "state":
            for row in frame["turns"]:
                self._put(row["turn"])
            for delta in frame["live"]:
                self._grow(delta)
        elif frame["type"] in {"turn", "done"}:
            self._put(frame["turn"])
        elif frame["type"] == "delta":
            self._grow(frame)

    def _put(self, turn: dict[str, Any]) -> None:
        self.turns[turn["seq"]] = turn

    def _grow(self, delta: dict[str, Any]) -> None:
        known = self.text.get(delta["turn_id"], "")
        if delta["offset"] > len(known):
            self.gaps += 1
            return
        self.text[delta["turn_id"]] = known + delta["text"][len(known) - delta["offset"] :]


@pytest.fixture(autouse=True)
def _nothing_cached() -> None:
    """Each test has an empty database: what the process remembers of the last one is wrong."""
    embedding_space.forget_cached()
    policies.forget_cached()


@pytest_asyncio.fixture(autouse=True)
async def _tidy() -> AsyncIterator[None]:
    """No answer outlives its test, and no connection its event loop."""
    yield
    await live.end_all()
    await relay.close()


@pytest.fixture
def open_chat() -> Callable[..., ChatSession]:
    """Open a session of one of a house's people."""

    def opened(house: House, who: str = "user") -> ChatSession:
        actor = house.actor(who)
        assert actor.subject_id is not None
        return open_session(actor=actor, subject_id=actor.subject_id)

    return opened


@pytest.fixture
def cookie() -> Callable[..., str]:
    """The session cookie of one of a house's people."""
    return lambda house, who="user": house.client(who).cookies[settings.SESSION_COOKIE_NAME].value


@pytest.fixture
def model() -> Iterator[ModelServer]:
    """A language model that does what its script says, in the place of the offline responder."""
    with model_server() as server:
        chat_model = OpenAIChat(base_url=server.base_url, api_key="k", model="test-model")
        with override(chat_model=chat_model):
            yield server


Sit = Callable[..., Any]


@pytest_asyncio.fixture
async def sit(open_chat: Any, cookie: Any) -> AsyncIterator[Sit]:
    """Connect to a session (a new one unless given) and resume; (socket, session id, the `state` frame)."""
    sockets: list[Socket] = []

    async def connected(
        house: House, session_id: uuid.UUID | None = None, who: str = "user", **options: Any
    ) -> tuple[Socket, uuid.UUID, dict[str, Any]]:
        if session_id is None:
            session_id = (await run_in_services(open_chat, house, who)).pk
        key = await run_in_services(cookie, house, who)
        socket = Socket(key, session_id, **options)
        sockets.append(socket)
        assert await socket.connect()
        await socket.say("resume")
        # What comes before the state is older than it.
        state = (await socket.hear_until(of("state")))[-1]
        return socket, session_id, state

    yield connected
    for socket in sockets:
        await socket.disconnect()
