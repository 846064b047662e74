"""The answers that this process generates: they outlive the socket that asked, and end when nobody is left to read."""

from __future__ import annotations

import asyncio
import time
import uuid
from typing import Any

import structlog
from channels.layers import get_channel_layer
from redis.exceptions import RedisError

from accounts.actor import Actor
from sessions_app import generation, relay
from sessions_app.protocol import Frame, delta_frame, error_frame
from sessions_app.services.results import PostedMessage

log = structlog.get_logger(__name__)

GRACE_SECONDS = 60.0
"""How long an answer goes on with no socket at its session."""
LOOK_EVERY_SECONDS = 5.0
GATHER_SECONDS = 0.03
"""Pieces that come faster than this travel as one frame; the first one is never held back."""

_answers: dict[uuid.UUID, LiveAnswer] = {}


class LiveAnswer:
    """One running generation, with the exact text so far: ahead of the database, which is flushed once a second."""

    def __init__(self, posted: PostedMessage, actor: Actor) -> None:
        self.turn_id = posted.answer_turn.id
        self.session_id = posted.answer_turn.session_id
        self.text = ""
        self._sent = 0
        self._sent_at = 0.0
        self._timer: asyncio.TimerHandle | None = None
        self._flushing: asyncio.Task[None] | None = None
        self._order = asyncio.Lock()
        self._helpers = [
            asyncio.create_task(self._listen()),
            asyncio.create_task(self._watch()),
        ]
        self.task = asyncio.create_task(self._run(posted, actor), name=f"answer {self.turn_id}")

    async def _run(self, posted: PostedMessage, actor: Actor) -> None:
        try:
            await generation.generate(posted, actor=actor, publish=self._publish)
        except asyncio.CancelledError:
            raise
        except Exception:
            log.exception("answer_broke", turn_id=str(self.turn_id))
            text = "the answer broke off"
            await relay.publish(
                self.session_id,
                error_frame("internal", text, turn_id=str(self.turn_id)),
            )
        finally:
            _answers.pop(self.turn_id, None)
            if self._timer is not None:
                self._timer.cancel()
            for helper in self._helpers:
                helper.cancel()

    async def _publish(self, frame: Frame) -> None:
        """What the generation says: pieces are gathered for a moment, everything else goes out at once and in order."""
        if frame["type"] != "delta":
            await self._flush()
            await relay.publish(self.session_id, frame)
            return
        self.text = self.text[: frame["offset"]] + frame["text"]
        wait = self._sent_at + GATHER_SECONDS - time.monotonic()
        if wait <= 0:
            await self._flush()
        elif self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(wait, self._flush_soon)

    def _flush_soon(self) -> None:
        self._flushing = asyncio.create_task(self._flush())

    async def _flush(self) -> None:
        async with self._order:
            self._timer = None
            start, self._sent, self._sent_at = (
                self._sent,
                len(self.text),
                time.monotonic(),
            )
            if start < len(self.text):
                await relay.publish(self.session_id, delta_frame(self.turn_id, start, self.text[start:]))

    async def _listen(self) -> None:
        """Stop and catch-up requests of readers whose sockets other processes hold."""
        layer = get_channel_layer()
        assert layer is not None, "CHANNEL_LAYERS is not set"
        try:
            channel = await layer.new_channel()
            await layer.group_add(relay.answer_group(self.turn_id), channel)
            while True:
                message = await layer.receive(channel)
                if message["type"] == "answer.stop":
                    generation.cancel(self.turn_id)
                elif message["type"] == "answer.catch_up":
                    await self._catch_up(layer, message)
        except (RedisError, OSError) as exc:
            log.warning(
                "answer_not_reachable",
                turn_id=str(self.turn_id),
                error=type(exc).__name__,
            )

    async def _catch_up(self, layer: Any, message: dict[str, Any]) -> None:
        offset = message["offset"]
        frame = delta_frame(self.turn_id, offset, self.text[offset:])
        await layer.send(message["reply"], {"type": "chat.aside", "frame": frame})

    async def _watch(self) -> None:
        """Give up when nobody has looked at the session for the time of grace."""
        alone_since: float | None = None
        while True:
            await asyncio.sleep(min(LOOK_EVERY_SECONDS, GRACE_SECONDS))
            if await relay.anybody_there(self.session_id):
                alone_since = None
                continue
            now = time.monotonic()
            alone_since = now if alone_since is None else alone_since
            if now - alone_since >= GRACE_SECONDS:
                log.info("answer_given_up", turn_id=str(self.turn_id))
                generation.cancel(self.turn_id, state="interrupted", code="reader_left")
                return


def start(posted: PostedMessage, actor: Actor) -> LiveAnswer:
    """Generate in this process, independent of the caller."""
    answer = _answers[posted.answer_turn.id] = LiveAnswer(posted, actor)
    return answer


def find(turn_id: uuid.UUID) -> LiveAnswer | None:
    """The answer, if this process generates it."""
    return _answers.get(turn_id)


def running() -> list[LiveAnswer]:
    """All answers that this process generates."""
    return list(_answers.values())


async def end_all() -> None:
    """The process stops: each answer is stored as interrupted, with all that was said."""
    tasks = {answer.task for answer in running()}
    for answer in running():
        generation.cancel(answer.turn_id, state="interrupted", code="process_stopping")
    if tasks:
        await asyncio.wait(tasks, timeout=5)


async def stop(turn_id: uuid.UUID) -> bool:
    """End an answer of this process at once; False when it is not one, and then its own process is told."""
    if generation.cancel(turn_id):
        return True
    await relay.tell_answer(turn_id, {"type": "answer.stop"})
    return False
