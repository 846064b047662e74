"""Talks to any OpenAI-compatible chat endpoint: streamed answers, and structured output for extraction and digests."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from weakref import WeakKeyDictionary

import httpx
import openai

from memories.adapters.json_reply import read_reply
from memories.adapters.openai_errors import domain_error, is_passing, next_pause, was_sent
from memories.core.text import tokens
from memories.ports import (
    ChatMessage,
    ChatRequest,
    Delta,
    Meter,
    ModelInterrupted,
    ModelMalformed,
    ModelRefused,
    ModelTruncated,
    ModelUnavailable,
    Usage,
)

ATTEMPTS: Final = 3
REPAIRS: Final = 2
"""How often a reply that does not fit the schema is asked for again, with what was wrong."""
CONNECT_SECONDS: Final = 5.0


@dataclass
class _Tally:
    """What a stream has brought so far."""

    text: str = ""
    finish: str = ""
    refused: bool = False
    usage: Usage | None = None


class OpenAIChat:
    """A chat model behind `base_url`. One instance serves every event loop and thread of the process.

    `timeout` (seconds) bounds the wait for the first and for each next piece, not the whole answer. A request is tried
    three times, with growing pauses, as long as nothing has been received. Errors hold status codes, never content.
    """

    is_model = True

    def __init__(
        self, *, base_url: str, model: str, api_key: str = "", timeout: float = 60.0, pause: float = 0.5
    ) -> None:
        self.name = model
        self._timeout = timeout
        self._pause = pause
        # The SDK wants some key, also where the endpoint wants none.
        self._client_args: dict[str, Any] = {
            "base_url": base_url,
            "api_key": api_key or "none",
            "max_retries": 0,
            "timeout": httpx.Timeout(timeout, connect=min(CONNECT_SECONDS, timeout)),
        }
        # An async client's connections belong to the loop that opened them.
        self._clients: WeakKeyDictionary[asyncio.AbstractEventLoop, openai.AsyncOpenAI] = WeakKeyDictionary()
        self._sync = openai.OpenAI(**self._client_args)
        self._usage_option = True

    async def stream(self, request: ChatRequest) -> AsyncIterator[Delta]:
        """The answer in pieces, as the port describes it; closing the iterator closes the connection upstream."""
        silence = request.timeout or self._timeout
        response = await self._open(request, silence)
        tally = _Tally()
        try:
            async for delta in self._pieces(response, tally, silence):
                yield delta
        finally:
            await response.close()
            # Also when nobody reads any more: what was asked for is paid for.
            usage = tally.usage or _estimate(request.messages, tally.text)
            _tell(request.meter, usage)
        yield Delta(finish=tally.finish or "cut", usage=usage)
        _raise_for(tally)

    def complete_json(
        self,
        messages: Sequence[ChatMessage],
        schema: Mapping[str, Any],
        timeout: float | None = None,
        meter: Meter | None = None,
    ) -> dict[str, Any]:
        """One object that fits the schema; a reply that does not is asked for twice more, with what was wrong."""
        meter = meter or Meter()
        asked = [{"role": message.role, "content": message.content} for message in messages]
        deadline = time.monotonic() + (timeout or self._timeout)
        problem = ""
        for _ in range(1 + REPAIRS):
            reply = self._complete(asked, schema, deadline, meter)
            value, problem = read_reply(reply, schema)
            if value is not None:
                return value
            asked = [
                *asked,
                {"role": "assistant", "content": reply},
                {"role": "user", "content": f"Not valid: {problem}. Reply with the JSON object alone."},
            ]
        raise ModelMalformed(f"The model's reply does not fit the schema ({problem}).")

    async def _open(self, request: ChatRequest, silence: float) -> openai.AsyncStream[Any]:
        create: Any = self._client().chat.completions.create
        arguments: dict[str, Any] = {
            "model": self.name,
            "messages": [{"role": message.role, "content": message.content} for message in request.messages],
            "stream": True,
            "timeout": httpx.Timeout(silence, connect=min(CONNECT_SECONDS, silence)),
        }
        if request.max_tokens:
            arguments["max_tokens"] = request.max_tokens
        pause = self._pause
        attempt = 0
        while True:
            attempt += 1
            options = {"stream_options": {"include_usage": True}} if self._usage_option else {}
            try:
                stream: openai.AsyncStream[Any] = await create(**arguments, **options)
                return stream
            except asyncio.CancelledError:
                _tell(request.meter, _estimate(request.messages, ""))
                raise
            except openai.BadRequestError as error:
                _tell_failed(request.meter, request.messages, error)
                if not self._usage_option or "stream_options" not in str(error.body):
                    raise domain_error(error) from None
                self._usage_option = (
                    False  # Some servers do not know the option; then tokens are counted here.
                )
            except openai.OpenAIError as error:
                _tell_failed(request.meter, request.messages, error)
                if attempt >= ATTEMPTS or not is_passing(error):
                    raise domain_error(error) from None
                await asyncio.sleep(next_pause(pause, error))
                pause *= 2

    async def _pieces(
        self, response: openai.AsyncStream[Any], tally: _Tally, silence: float
    ) -> AsyncIterator[Delta]:
        chunks = response.__aiter__()
        while True:
            try:
                async with asyncio.timeout(silence):
                    chunk = await chunks.__anext__()
            except StopAsyncIteration:
                return
            except TimeoutError:
                raise _broken(tally, "The model went silent.") from None
            except (openai.OpenAIError, httpx.HTTPError, ValueError):
                raise _broken(tally, "The connection to the model was lost.") from None
            tally.usage = _told(chunk.usage) or tally.usage
            for choice in chunk.choices[:1]:
                tally.finish = choice.finish_reason or tally.finish
                tally.refused = tally.refused or bool(choice.delta and choice.delta.refusal)
                text = ((choice.delta.content or choice.delta.refusal) if choice.delta else "") or ""
                if text:
                    tally.text += text
                    yield Delta(text)

    def _complete(
        self, asked: list[dict[str, str]], schema: Mapping[str, Any], deadline: float, meter: Meter
    ) -> str:
        """The reply's text, asking for a JSON schema, else for JSON, else in words, as the endpoint allows."""
        named = {"type": "json_schema", "json_schema": {"name": "reply", "schema": dict(schema)}}
        formats: list[dict[str, Any]] = [
            {"response_format": named},
            {"response_format": {"type": "json_object"}},
            {},
        ]
        create: Any = self._sync.chat.completions.create
        pause = self._pause
        attempt = 0
        while True:
            attempt += 1
            left = deadline - time.monotonic()
            if left <= 0:
                raise ModelUnavailable(
                    "The model did not answer in time.", hint="Raise CHAT_TIMEOUT_SECONDS."
                )
            messages = _with_schema(asked, schema, formats[0])
            sent = [ChatMessage(message["role"], message["content"]) for message in messages]
            try:
                reply = create(
                    model=self.name,
                    messages=messages,
                    temperature=0,
                    timeout=httpx.Timeout(left, connect=min(CONNECT_SECONDS, left)),
                    **formats[0],
                )
            except openai.OpenAIError as error:
                _tell_failed(meter, sent, error)
                if (
                    isinstance(error, openai.BadRequestError | openai.UnprocessableEntityError)
                    and len(formats) > 1
                ):
                    formats.pop(0)
                    continue
                if attempt >= ATTEMPTS or not is_passing(error):
                    raise domain_error(error) from None
                time.sleep(min(next_pause(pause, error), max(0.0, deadline - time.monotonic())))
                pause *= 2
                continue
            choice = reply.choices[0] if reply.choices else None
            content = (choice.message.content if choice else "") or ""
            _tell(meter, _told(reply.usage) or _estimate(sent, content))
            if choice is None:
                raise ModelMalformed("The model's reply has no choice.")
            _raise_for(_Tally(content, choice.finish_reason or "stop", bool(choice.message.refusal)))
            return content

    def _client(self) -> openai.AsyncOpenAI:
        loop = asyncio.get_running_loop()
        client = self._clients.get(loop)
        if client is None:
            client = self._clients[loop] = openai.AsyncOpenAI(**self._client_args)
        return client


def _with_schema(
    asked: list[dict[str, str]], schema: Mapping[str, Any], chosen: dict[str, Any]
) -> list[dict[str, str]]:
    """Where the endpoint takes no schema, it stands in the words."""
    if chosen.get("response_format", {}).get("type") == "json_schema":
        return asked
    return [
        *asked,
        {"role": "system", "content": f"Reply with one JSON object that fits this schema: {dict(schema)}"},
    ]


def _told(usage: Any) -> Usage | None:
    """What the endpoint says that it cost; None where it says nothing, or that it was nothing."""
    prompt, completion = getattr(usage, "prompt_tokens", 0) or 0, getattr(usage, "completion_tokens", 0) or 0
    return Usage(prompt, completion) if prompt or completion else None


def _estimate(messages: Sequence[ChatMessage], text: str) -> Usage:
    sent = [{"content": message.content} for message in messages]
    return Usage(tokens.count_messages(sent), tokens.count(text), estimated=True)


def _tell(meter: Meter, usage: Usage) -> None:
    meter.add(usage.prompt_tokens, usage.completion_tokens, estimated=usage.estimated)


def _tell_failed(meter: Meter, messages: Sequence[ChatMessage], error: openai.OpenAIError) -> None:
    """A refusal costs no tokens; what the endpoint went silent over was read by it, and is paid for."""
    if isinstance(error, openai.APIStatusError):
        meter.add()
    elif was_sent(error):
        _tell(meter, _estimate(messages, ""))


def _raise_for(tally: _Tally) -> None:
    if tally.refused or tally.finish == "content_filter":
        raise ModelRefused("The model declined to answer.")
    if tally.finish == "length":
        raise ModelTruncated("The answer was cut at the model's token limit.", hint="Ask it to go on.")
    if not tally.finish:
        raise _broken(tally, "The answer ended without its end mark.")


def _broken(tally: _Tally, message: str) -> ModelInterrupted | ModelUnavailable:
    return (
        ModelInterrupted(message, hint="Try again.")
        if tally.text
        else ModelUnavailable(message, hint="Try again.")
    )
