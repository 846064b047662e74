"""The async edge of an answer: streams the model, publishes frames, keeps what was said so far, and finishes or fails."""

from __future__ import annotations

import asyncio
import contextlib
import uuid
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import structlog
from django.db import Error as DbError

from accounts.actor import Actor
from memories.adapters.chat_offline import OfflineResponder
from memories.adapters.factory import get_chat_model
from memories.core.budget import Spent
from memories.core.text import tokens
from memories.ports import ChatModel, ChatRequest, ModelTruncated, Usage
from memoryhub.common.errors import DomainError
from memoryhub.common.executor import run_in_services
from sessions_app.core.errors import NotRunning
from sessions_app.models import Turn
from sessions_app.services.fail_answer import fail_answer
from sessions_app.services.finish_answer import finish_answer
from sessions_app.services.flush_answer import flush_answer
from sessions_app.services.get_turns import get_turn
from sessions_app.services.results import PostedMessage
from sessions_app.services.turn_data import turn_data

log = structlog.get_logger(__name__)

Frame = dict[str, Any]
Publish = Callable[[Frame], Awaitable[None]]

FLUSH_SECONDS = 1.0
STORE_DELAYS = (0.2, 0.5, 1.0, 2.0, 4.0)
"""Waits between attempts to store an answer's end: a database that restarts is back within some seconds."""

_running: dict[uuid.UUID, _Generation] = {}


async def generate(posted: PostedMessage, *, actor: Actor, publish: Publish) -> None:
    """Stream the answer to its end, whatever that is, and store it.

    Frames: {"type": "delta", "turn_id", "offset", "text"} (offset in characters), then {"type": "done", "turn": {...}} with
    the turn as it is stored; when it broke, {"type": "error", "turn_id", "code", "message", "hint"} comes before `done`.
    Cancelling the caller's task stores the answer as interrupted. A failing `publish` does not end the answer.
    """
    turn = posted.answer_turn
    if not posted.to_generate or posted.context is None:
        data = await run_in_services(_data_of, actor, turn.pk)
        if data["state"] == Turn.State.FAILED:
            await publish(
                _error(turn.pk, data["error_code"], "the answer could not be prepared", "Try again.")
            )
        await publish({"type": "done", "turn": data})
        return
    running = _Generation(turn, posted.context.request, actor, publish, renews=posted.renews)
    _running[turn.pk] = running
    try:
        await running.run()
    finally:
        _running.pop(turn.pk, None)


def cancel(turn_id: uuid.UUID, *, state: str = "stopped", code: str = "") -> bool:
    """End a generation of this process at once: `stopped` (asked for) or `interrupted` (nobody reads). False if unknown.

    May be called from any thread; the end is stored, and published, by the generation itself.
    """
    running = _running.get(turn_id)
    if running is None:
        return False
    running.loop.call_soon_threadsafe(running.end, _Ending(state, code))
    return True


@dataclass(frozen=True, slots=True)
class _Ending:
    """How an answer ended: a turn's state and an error code; `lost` when its turn is not ours to write any more."""

    state: str
    code: str = ""
    message: str = ""
    hint: str = ""
    lost: bool = False


class _Generation:
    """One answer being generated: a task that reads the model, and one that flushes beside it."""

    def __init__(
        self,
        turn: Turn,
        request: ChatRequest,
        actor: Actor,
        publish: Publish,
        *,
        renews: datetime | None = None,
    ) -> None:
        self.turn_id, self.owner = turn.pk, turn.lease_owner
        self.request, self.actor, self._publish = request, actor, publish
        self.loop = asyncio.get_running_loop()
        self.model: ChatModel = OfflineResponder(renews=renews) if renews else get_chat_model()
        self.renews = renews
        self.pieces: list[str] = []
        self.length = 0
        self.usage: Usage | None = None
        self.ending: _Ending | None = None
        self._stream: asyncio.Task[None] | None = None

    @property
    def text(self) -> str:
        return "".join(self.pieces)

    def end(self, ending: _Ending) -> None:
        """The first reason to end wins."""
        if self.ending is None and self._stream is not None and not self._stream.done():
            self.ending = ending
            self._stream.cancel()

    async def run(self) -> None:
        self._stream = asyncio.create_task(self._read_model())
        keeper = asyncio.create_task(self._keep())
        cancelled = False
        try:
            ending = await self._outcome()
        except asyncio.CancelledError:
            cancelled = True
            ending = _Ending("interrupted", "process_stopping")
            self._stream.cancel()
        finally:
            keeper.cancel()
            await asyncio.gather(keeper, self._stream, return_exceptions=True)
        store = asyncio.create_task(self._store(ending))
        await asyncio.shield(store)
        if cancelled:
            raise asyncio.CancelledError

    async def _outcome(self) -> _Ending:
        """Wait for the stream and say how it ended."""
        assert self._stream is not None
        done, _ = await asyncio.wait({self._stream})
        task = done.pop()
        if self.ending is not None:
            return self.ending
        if task.cancelled():
            return _Ending("interrupted", "process_stopping")
        error = task.exception()
        if error is None:
            if self.length and self.renews:
                hint = (
                    f"Answers quote what is remembered until it begins anew on {self.renews:%Y-%m-%d} (UTC)."
                )
                return _Ending(
                    "complete",
                    "model_budget",
                    "your organisation's budget of model tokens for this month is spent",
                    hint,
                )
            if self.length:
                return _Ending("complete")
            return _Ending("failed", "model_empty", "the model gave no answer", "Try again.")
        if isinstance(error, ModelTruncated) and self.length:
            return _Ending("complete", error.code, error.message, error.hint)
        if isinstance(error, DomainError):
            return _Ending("failed", error.code, error.message, error.hint)
        log.error("answer.broke", turn_id=str(self.turn_id), error=type(error).__name__, exc_info=error)
        return _Ending("failed", "internal", "the answer broke off on our side", "Try again.")

    async def _read_model(self) -> None:
        async with contextlib.aclosing(self.model.stream(self.request)) as stream:  # type: ignore[type-var]
            async for delta in stream:
                self.usage = delta.usage or self.usage
                if delta.text:
                    offset = self.length
                    self.pieces.append(delta.text)
                    self.length += len(delta.text)
                    frame = {
                        "type": "delta",
                        "turn_id": str(self.turn_id),
                        "offset": offset,
                        "text": delta.text,
                    }
                    await self.publish(frame)

    async def _keep(self) -> None:
        """Flush each second, also while the model is silent: the lease says that this process lives."""
        while True:
            await asyncio.sleep(FLUSH_SECONDS)
            try:
                ours = await run_in_services(
                    flush_answer, actor=self.actor, turn_id=self.turn_id, owner=self.owner, text=self.text
                )
            except DbError as error:
                log.warning("answer.not_flushed", turn_id=str(self.turn_id), error=type(error).__name__)
                continue
            if not ours:
                self.end(_Ending("stopped", lost=True))
                return

    async def _store(self, ending: _Ending) -> None:
        """Store the end, trying again while the database is away, and tell the readers."""
        for delay in (*STORE_DELAYS, None):
            try:
                data = await run_in_services(self._write, ending)
                break
            except DbError as error:
                log.warning("answer.not_stored", turn_id=str(self.turn_id), error=type(error).__name__)
                if delay is None:
                    # The lease lapses, and the turn is shown as interrupted with what was flushed last.
                    hint = "Your message is kept. Try again in a moment."
                    await self.publish(
                        _error(self.turn_id, "not_stored", "the answer could not be stored", hint)
                    )
                    return
                await asyncio.sleep(delay)
        if ending.code and not ending.lost:
            await self.publish(_error(self.turn_id, ending.code, ending.message or ending.code, ending.hint))
        await self.publish({"type": "done", "turn": data})

    def _write(self, ending: _Ending) -> dict[str, Any]:
        """Synchronous: the answer's last transaction, and the turn as data."""
        key: dict[str, Any] = {
            "actor": self.actor,
            "turn_id": self.turn_id,
            "owner": self.owner,
            "text": self.text,
            "usage": self._usage(),
            "spent": self._spent(),
        }
        with contextlib.suppress(
            NotRunning
        ):  # Taken over, or ended by another process: what is stored stands.
            if ending.state in {"complete", "stopped"}:
                finish_answer(
                    **key,
                    state=ending.state,
                    error_code=ending.code,
                    model=self.model.name,
                )
            else:
                fail_answer(**key, code=ending.code, state=ending.state)
        return _data_of(self.actor, self.turn_id)

    def _usage(self) -> dict[str, Any]:
        usage = self.usage
        if usage is None:
            sent = [{"content": message.content} for message in self.request.messages]
            usage = Usage(tokens.count_messages(sent), tokens.count(self.text), estimated=True)
        return {
            "prompt_tokens": usage.prompt_tokens,
            "completion_tokens": usage.completion_tokens,
            "estimated": usage.estimated,
        }

    def _spent(self) -> Spent:
        """What the calls cost, failed ones included; an adapter that meters nothing is taken at the answer's usage."""
        metered = self.request.meter.spent
        if metered.calls or not self.model.is_model or not self.length:
            return metered
        usage = self._usage()
        return Spent(
            usage["prompt_tokens"], usage["completion_tokens"], calls=1, estimated=int(usage["estimated"])
        )

    async def publish(self, frame: Frame) -> None:
        """The answer goes on when a reader's channel fails: the stored turn is the truth."""
        try:
            await self._publish(frame)
        except Exception as error:  # noqa: BLE001  (whatever a transport raises)
            log.warning("answer.not_published", turn_id=str(self.turn_id), error=type(error).__name__)


def _data_of(actor: Actor, turn_id: uuid.UUID) -> dict[str, Any]:
    return turn_data(actor=actor, turns=[get_turn(actor=actor, turn_id=turn_id)])[0]


def _error(turn_id: uuid.UUID, code: str, message: str, hint: str) -> Frame:
    return {"type": "error", "turn_id": str(turn_id), "code": code, "message": message, "hint": hint}
