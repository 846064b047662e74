"""Chat models with a script, for what a real one does now and then: stall, break, be cut, be down."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any

from memories.ports import ChatMessage, ChatRequest, Delta, Meter, ModelMalformed, Usage


class ScriptedModel:
    """Streams the pieces given; an exception among them is raised, an event waited for, a callable called."""

    name, is_model = "scripted", True

    def __init__(self, *pieces: Any, usage: Usage | None = None) -> None:
        self.pieces, self.usage = pieces, usage
        self.requests: list[ChatRequest] = []
        self.closed = False

    async def stream(self, request: ChatRequest) -> AsyncIterator[Delta]:
        self.requests.append(request)
        try:
            for piece in self.pieces:
                if isinstance(piece, Exception):
                    raise piece
                if isinstance(piece, asyncio.Event):
                    await piece.wait()
                elif callable(piece):
                    piece()
                else:
                    yield Delta(piece)
            yield Delta(finish="stop", usage=self.usage)
        finally:
            self.closed = True

    def complete_json(
        self,
        messages: Sequence[ChatMessage],
        schema: Mapping[str, Any],
        timeout: float | None = None,
        meter: Meter | None = None,
    ) -> dict[str, Any]:
        raise ModelMalformed("no structure here")
