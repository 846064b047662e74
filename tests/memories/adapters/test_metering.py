"""What calls cost is told to the meter: as the endpoint says it, else counted, and of calls that failed, too."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator

import pytest

from memories.adapters.chat_openai import OpenAIChat
from memories.core.budget import Meter, Spent
from memories.core.text import tokens
from memories.ports import ChatMessage, ChatRequest, ModelMalformed, ModelMisconfigured, ModelUnavailable
from tests.support.model_server import ModelServer, Reply, json_reply, model_server

MESSAGES = [ChatMessage("system", "be brief"), ChatMessage("user", "你好 sesame")]
PROMPT = tokens.count_messages([{"content": message.content} for message in MESSAGES])
SCHEMA = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with model_server() as running:
        yield running


def chat(base_url: str, timeout: float = 10.0) -> OpenAIChat:
    return OpenAIChat(base_url=base_url, model="test-model", timeout=timeout, pause=0.01)


def asked(server: ModelServer, *replies: Reply, error: type[Exception] | None = None) -> Spent:
    """What a structured call cost."""
    server.script(*replies)
    meter = Meter()
    if error is None:
        chat(server.base_url).complete_json(MESSAGES, SCHEMA, meter=meter)
    else:
        with pytest.raises(error):
            chat(server.base_url).complete_json(MESSAGES, SCHEMA, meter=meter)
    return meter.spent


async def streamed(server: ModelServer, *replies: Reply, pieces: int = 99) -> Spent:
    """What a streamed answer cost whose reader leaves after so many pieces."""
    server.script(*replies)
    request = ChatRequest(MESSAGES)
    stream = chat(server.base_url).stream(request)
    try:
        async for _ in stream:
            pieces -= 1
            if not pieces:
                break
    except Exception:  # Whatever ends it: what it cost is asked for here.
        pass
    finally:
        await stream.aclose()  # type: ignore[attr-defined]
    return request.meter.spent


def test_each_repaired_reply_is_a_call(server: ModelServer) -> None:
    spent = asked(server, json_reply({"town": "x"}), json_reply({"city": "苏州"}))
    assert spent == Spent(22, 14, calls=2)


def test_a_reply_that_stays_wrong_has_cost_all_the_same(server: ModelServer) -> None:
    assert asked(server, *[Reply(pieces=["no json"])] * 3, error=ModelMalformed) == Spent(33, 21, calls=3)


def test_a_refused_or_failing_request_is_a_call_without_tokens(server: ModelServer) -> None:
    assert asked(server, Reply(status=503), json_reply({"city": "苏州"})) == Spent(11, 7, calls=2)
    assert asked(server, Reply(status=401), error=ModelMisconfigured) == Spent(calls=1)


def test_without_usage_the_tokens_are_counted_here(server: ModelServer) -> None:
    reply = Reply(pieces=['{"city": "x"}'], usage=False)
    assert asked(server, reply) == Spent(PROMPT, tokens.count('{"city": "x"}'), calls=1, estimated=1)


def test_silence_has_read_the_prompt(server: ModelServer) -> None:
    hold = threading.Event()
    server.script(Reply(hold=hold))
    meter = Meter()
    with pytest.raises(ModelUnavailable):
        chat(server.base_url).complete_json(MESSAGES, SCHEMA, timeout=0.3, meter=meter)
    hold.set()
    assert meter.spent == Spent(PROMPT, 0, calls=1, estimated=1)


def test_what_never_arrived_costs_nothing() -> None:
    meter = Meter()
    with pytest.raises(ModelUnavailable):
        chat("http://127.0.0.1:9/v1").complete_json(MESSAGES, SCHEMA, meter=meter)
    assert meter.spent == Spent()


async def test_a_streamed_answer_is_metered_however_it_ends(server: ModelServer) -> None:
    assert await streamed(server, Reply()) == Spent(11, 7, calls=1)
    assert await streamed(server, Reply(usage=False)) == Spent(
        PROMPT, tokens.count("Hello there."), calls=1, estimated=1
    )
    left = await streamed(server, Reply(), pieces=1)
    assert left == Spent(PROMPT, tokens.count("Hello"), calls=1, estimated=1)
    broken = await streamed(server, Reply(cut_at=2))
    assert broken == Spent(PROMPT, tokens.count("Hello there"), calls=1, estimated=1)
    assert await streamed(server, Reply(status=429), Reply()) == Spent(11, 7, calls=2)


async def test_an_answer_that_is_stopped_before_its_first_word_has_cost_its_prompt(
    server: ModelServer,
) -> None:
    server.script(Reply(pieces=["late"], hold=threading.Event(), hold_at=0))
    request = ChatRequest(MESSAGES)

    async def read() -> None:
        async for _ in chat(server.base_url).stream(request):
            pass

    task = asyncio.create_task(read())
    while not server.requests:
        await asyncio.sleep(0.01)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert request.meter.spent == Spent(PROMPT, 0, calls=1, estimated=1)
