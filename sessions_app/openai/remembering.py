"""The async edge of a request's memory: in time or not at all before the answer, stored after it, and never in the answer's way."""

from __future__ import annotations

import asyncio
import time
import uuid
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import structlog
from django.conf import settings
from django.db import Error as DbError

from accounts.actor import Actor
from memoryhub.common.errors import DomainError, Invalid, NotFound, PermissionDenied
from memoryhub.common.executor import run_in_services
from sessions_app.models import Turn
from sessions_app.openai import metrics
from sessions_app.openai.body import ChatBody
from sessions_app.openai.costs import charge_call
from sessions_app.openai.memory import Memory, Recollection
from sessions_app.openai.options import OFF, Options
from sessions_app.openai.watching import Heard

log = structlog.get_logger(__name__)

MOST_IDS = 60
"""In the header; the trace has them all."""


@dataclass(slots=True)
class Around:
    """What stands around one request. `memory` is None in the mode off; `state` is what the header tells."""

    body: ChatBody
    mode: str
    shows_memories: bool
    memory: Memory | None
    tenant_id: uuid.UUID
    pays: bool = False
    """The deployment's key is used, so that the tenant's month of tokens is charged."""
    known: Recollection = field(default_factory=Recollection)
    state: str = OFF
    _subject_id: uuid.UUID | None = None

    @classmethod
    def of(cls, actor: Actor, options: Options, body: ChatBody, mode: str, now: datetime) -> Around:
        memory = Memory(actor, options, body, mode, now) if mode != OFF else None
        return cls(body, mode, options.shows_memories, memory, actor.tenant_id)

    async def recollect(self) -> None:
        """Look up what is known. The caller's own mistakes are raised (Invalid, NotFound, PermissionDenied); whatever else fails,
        or takes too long, leaves the request as it came, and `state` says so.
        """
        if self.memory is None:
            return
        if not self.body.question.strip():
            self.state = f"{self.mode}; no_question"
            return
        started = time.perf_counter()
        try:
            async with asyncio.timeout(float(settings.OPENAI_MEMORY_SECONDS)):
                self.state = await self._recollect(self.memory)
        except TimeoutError:
            self.state = "degraded; timeout"
            log.warning("openai.memory_too_slow")
        finally:
            metrics.MEMORY_SECONDS.observe(time.perf_counter() - started)

    async def _recollect(self, memory: Memory) -> str:
        try:
            self._subject_id = await run_in_services(memory.subject_id)
        except (Invalid, NotFound, PermissionDenied):
            raise
        except Exception as error:  # noqa: BLE001 - whatever it was: the answer does not need it.
            return _failed(error)
        if self._subject_id is None:
            return f"{self.mode}; unknown_subject"
        try:
            self.known = await run_in_services(memory.recollect, self._subject_id)
        except Exception as error:  # noqa: BLE001 - the same.
            return _failed(error)
        return f"degraded; {self.known.degraded}" if self.known.degraded else self.mode

    @property
    def body_to_send(self) -> bytes:
        """As it came, where nothing is known."""
        return self.body.with_memory(self.known.content) if self.known.content else self.body.raw

    async def finish(
        self, heard: Heard, state: str, *, keeps: bool, refused: bool = False, label: str = ""
    ) -> None:
        """The answer has ended: store the round if that is wanted (`keeps`) and something was said, and what the call cost."""
        if keeps and (heard.pieces or (heard.finished and state == Turn.State.COMPLETE)):
            await self._remember(heard, state, label)
        if self.pays:
            await self.charge(heard, refused=refused)

    async def charge(self, heard: Heard, *, refused: bool = False) -> None:
        """Write down what the call took of the tenant's month."""
        try:
            await run_in_services(
                charge_call, self.tenant_id, self.body, self.known.content, heard, refused=refused
            )
        except Exception as error:
            log.exception("openai.not_charged", error=_code(error))

    async def _remember(self, heard: Heard, state: str, label: str) -> None:
        """A failure is logged and counted: the client has its answer."""
        if self.memory is None:
            return
        try:
            stored = await run_in_services(
                self.memory.remember, self._subject_id, self.known, heard, state=state, model=label
            )
            metrics.ROUNDS.labels("stored" if stored else "nothing").inc()
        except Exception as error:
            metrics.ROUNDS.labels("failed").inc()
            log.exception("openai.not_remembered", error=_code(error))

    def headers(self, *, unheard: bool = False) -> dict[str, str]:
        """What is told of memory beside every answer; `unheard` where an answer's encoding keeps it from being remembered."""
        told = {"X-MemoryHub-Memory": "degraded; encoded_answer" if unheard else self.state}
        if self.known.session_id is not None:
            told["X-MemoryHub-Session"] = str(self.known.session_id)
        if self.known.trace_id is not None:
            told["X-MemoryHub-Trace"] = str(self.known.trace_id)
        if self.known.used:
            told["X-MemoryHub-Memories"] = ", ".join(str(one["id"]) for one in self.known.used[:MOST_IDS])
        return told

    def extension(self) -> dict[str, Any]:
        """The same as a field, with every entry's kind, place and score; their words are read over REST."""
        known = self.known
        return {
            "memory": self.state,
            "session": str(known.session_id) if known.session_id else None,
            "trace": str(known.trace_id) if known.trace_id else None,
            "memories": [
                {"id": one["id"], "kind": one["item_kind"], "section": one["section"], "score": one["score"]}
                for one in known.used
            ],
        }


def _failed(error: Exception) -> str:
    log.error("openai.not_recalled", error=_code(error), exc_info=error)
    return f"degraded; {_code(error)}"


def _code(error: Exception) -> str:
    if isinstance(error, DomainError):
        return error.code
    return "database" if isinstance(error, DbError) else "error"
