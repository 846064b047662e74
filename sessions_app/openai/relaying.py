"""Passes an answer on as it comes, remembers the round before its end is told, and lets go of the endpoint when the reader does."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import httpx
import structlog
from django.conf import settings

from sessions_app.models import Turn
from sessions_app.openai.errors import Busy, UpstreamUnreachable
from sessions_app.openai.metrics import ANSWERING
from sessions_app.openai.upstream import Flight
from sessions_app.openai.watching import Heard, Watcher

log = structlog.get_logger(__name__)

STORE_SECONDS = 2.0
"""How long the end of an answer may wait for the round to be stored; storing goes on afterwards."""

Finish = Callable[[Heard, str], Awaitable[None]]
"""Called once with what was heard, and how it ended (a turn's state)."""

_storing: set[asyncio.Task[None]] = set()
_taken: set[Place] = set()


class Place:
    """One request's place among those that this process answers at once; `leave` as often as one likes."""

    @classmethod
    def take(cls) -> Place:
        """Busy where there is none left."""
        if len(_taken) >= settings.OPENAI_ANSWERS:
            raise Busy("this server passes on as many answers as it may", hint="Try again in a moment.")
        place = cls()
        _taken.add(place)
        ANSWERING.set(len(_taken))
        return place

    def leave(self) -> None:
        _taken.discard(self)
        ANSWERING.set(len(_taken))


class Passage:
    """One answer being passed on; it leaves its request's place when it has ended, however that comes."""

    def __init__(self, flight: Flight, *, place: Place | None = None, finish: Finish | None = None) -> None:
        kind = flight.headers.get("content-type", "")
        self.flight = flight
        self.streams = kind.partition(";")[0].strip().lower() == "text/event-stream"
        self._watcher = Watcher(streams=self.streams)
        self._finish, self._place, self._ended = finish, place, False
        self._loop = asyncio.get_running_loop()

    async def whole(self) -> bytes:
        """The body of an answer that is not streamed; UpstreamUnreachable where it broke off."""
        parts: list[bytes] = []
        state = Turn.State.STOPPED
        try:
            async for chunk in self.flight.chunks():
                parts.append(chunk)
                self._watcher.feed(chunk)
            self._watcher.end()
            state = Turn.State.COMPLETE
            await self._store(state)
        except httpx.HTTPError as error:
            state = Turn.State.INTERRUPTED
            raise UpstreamUnreachable("the model endpoint broke its answer off", hint="Try again.") from error
        finally:
            self._begin_to_store(state)
            await self.end()
        return b"".join(parts)

    async def stream(self, *, first: bytes = b"") -> AsyncIterator[bytes]:
        """The pieces of the body as they come, after `first`; a break at the endpoint is a break here.

        The piece that holds the end mark waits until the round is stored, so that the next request finds it.
        """
        state = Turn.State.STOPPED
        try:
            if first:
                yield first
            async for chunk in self.flight.chunks():
                self._watcher.feed(chunk)
                if self._watcher.done:
                    await self._store(Turn.State.COMPLETE)
                yield chunk
            self._watcher.end()
            state = Turn.State.COMPLETE if self._watcher.heard.finished else Turn.State.INTERRUPTED
            await self._store(state)
        except httpx.HTTPError as error:
            state = Turn.State.INTERRUPTED
            log.warning("openai.answer_cut", error=type(error).__name__)
            # Django takes this for the end of the request, and the server closes the connection without the body's end: what the
            # client sees is what we saw.
            raise asyncio.CancelledError from None
        finally:
            if self._watcher.heard.finished:
                state = Turn.State.COMPLETE  # Who has heard the end may leave before its mark.
            self._begin_to_store(state)
            await self.end()

    async def end(self) -> None:
        """Let go of the endpoint, at once; as often as one likes."""
        self._ended = True
        if self._place is not None:
            self._place.leave()
        await self.flight.aclose()

    def drop(self) -> None:
        """The same from any thread, for an answer that nobody began to read."""
        if not self._ended and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._drop)

    def _drop(self) -> None:
        self._begin_to_store(Turn.State.STOPPED)
        keep(self.end())

    async def _store(self, state: str) -> None:
        """Store the round, and wait for it a little."""
        task = self._begin_to_store(state)
        if task is not None:
            await asyncio.wait({task}, timeout=STORE_SECONDS)

    def _begin_to_store(self, state: str) -> asyncio.Task[None] | None:
        finish, self._finish = self._finish, None
        return keep(finish(self._watcher.heard, state)) if finish is not None else None


def keep(work: Awaitable[None]) -> asyncio.Task[None]:
    """Run it to its end, whoever goes away meanwhile."""

    async def run() -> None:
        await work

    task = asyncio.create_task(run())
    _storing.add(task)
    task.add_done_callback(_storing.discard)
    return task


async def settle(seconds: float = 5.0) -> None:
    """The process stops: wait for what is being stored."""
    if _storing:
        await asyncio.wait(set(_storing), timeout=seconds)


def extension_event(model: str, found: dict[str, Any]) -> bytes:
    """A chunk without choices that tells of the memories, in front of the endpoint's own."""
    chunk = {
        "id": "memoryhub",
        "object": "chat.completion.chunk",
        "created": int(time.time()),
        "model": model,
        "choices": [],
        "memoryhub": found,
    }
    return f"data: {json.dumps(chunk)}\n\n".encode()
