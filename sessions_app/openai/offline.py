"""The model `memoryhub-offline`: answers without an endpoint, in OpenAI's form, by quoting what is stored."""

from __future__ import annotations

import asyncio
import json
import time
import uuid
from collections.abc import AsyncIterator, Mapping
from typing import Any

from memories.adapters.chat_offline import compose
from memories.core.text.tokens import count, count_messages
from memories.ports import ChatMessage, ChatRequest
from memoryhub.common.executor import run_in_services
from sessions_app.openai.body import ChatBody

MODEL = "memoryhub-offline"
LABEL = "offline"
"""What its answers are labelled with where they are stored: they only say again what is there already."""
_PIECE = 24
_PAUSE = 0.01


def description() -> dict[str, Any]:
    """The model as an entry of /v1/models."""
    return {"id": MODEL, "object": "model", "created": 0, "owned_by": "memoryhub"}


class OfflineFlight:
    """An answer that is made here. Tools, formats and several choices are not its business: it quotes, in words."""

    status = 200

    def __init__(self, body: ChatBody, request: ChatRequest | None) -> None:
        self._body = body
        self._request = request or ChatRequest([ChatMessage(role, text) for role, text in body.spoken])
        self.headers: Mapping[str, str] = {
            "content-type": "text/event-stream" if body.streams else "application/json"
        }

    async def chunks(self) -> AsyncIterator[bytes]:
        text = await run_in_services(compose, self._request)
        sent = [{"content": words} for _, words in self._body.spoken]
        asked, said = count_messages(sent), count(text)
        usage = {"prompt_tokens": asked, "completion_tokens": said, "total_tokens": asked + said}
        head = {"id": f"chatcmpl-{uuid.uuid4().hex}", "created": int(time.time()), "model": MODEL}
        if not self._body.streams:
            message = {"role": "assistant", "content": text, "refusal": None}
            choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": "stop"}
            whole = {**head, "object": "chat.completion", "choices": [choice], "usage": usage}
            yield json.dumps(whole).encode()
            return
        head["object"] = "chat.completion.chunk"
        deltas: list[dict[str, str]] = [{"role": "assistant", "content": ""}]
        deltas += [{"content": text[at : at + _PIECE]} for at in range(0, len(text), _PIECE)]
        for delta in deltas:
            yield _event({**head, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]})
            await asyncio.sleep(_PAUSE)
        yield _event({**head, "choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]})
        options = self._body.data.get("stream_options")
        if isinstance(options, dict) and options.get("include_usage"):
            yield _event({**head, "choices": [], "usage": usage})
        yield b"data: [DONE]\n\n"

    async def aclose(self) -> None:
        """Nothing is held."""


def _event(data: dict[str, Any]) -> bytes:
    return f"data: {json.dumps(data)}\n\n".encode()
