"""The model endpoint may be slow, cut, broken or silent: each has its own error, and nothing received is lost."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Iterator

import pytest

from memories.adapters.chat_openai import OpenAIChat
from memories.ports import (
    ChatMessage,
    ChatRequest,
    Delta,
    ModelInterrupted,
    ModelMalformed,
    ModelMisconfigured,
    ModelRefused,
    ModelTruncated,
    ModelUnavailable,
)
from tests.support.model_server import ModelServer, Reply, json_reply, model_server

ASK = ChatRequest([ChatMessage("system", "be brief"), ChatMessage("user", "你好 sesame")])
SCHEMA = {
    "type": "object",
    "properties": {"city": {"type": "string"}},
    "required": ["city"],
    "additionalProperties": False,
}


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with model_server() as running:
        yield running


def chat(server: ModelServer, timeout: float = 10.0) -> OpenAIChat:
    return OpenAIChat(base_url=server.base_url, model="test-model", api_key="k", timeout=timeout, pause=0.01)


async def read(model: OpenAIChat, request: ChatRequest = ASK) -> tuple[list[Delta], Exception | None]:
    got: list[Delta] = []
    try:
        async for delta in model.stream(request):
            got.append(delta)  # noqa: PERF401
    except Exception as error:
        return got, error
    return got, None


def text(deltas: list[Delta]) -> str:
    return "".join(delta.text for delta in deltas)


async def test_an_answer_comes_in_pieces_with_its_usage(server: ModelServer) -> None:
    got, error = await read(chat(server), ChatRequest(ASK.messages, max_tokens=50))
    assert error is None
    assert [delta.text for delta in got] == ["Hello", " there", ".", ""]
    assert got[-1].finish == "stop"
    assert got[-1].usage is not None and got[-1].usage.completion_tokens == 7 and not got[-1].usage.estimated
    sent = server.requests[0]
    assert sent["max_tokens"] == 50
    assert sent["messages"] == [
        {"role": "system", "content": "be brief"},
        {"role": "user", "content": "你好 sesame"},
    ]
    assert sent["auth"] == "Bearer k"


async def test_usage_is_counted_here_when_the_endpoint_gives_none(server: ModelServer) -> None:
    server.script(Reply(usage=False))
    got, _ = await read(chat(server))
    assert got[-1].usage is not None and got[-1].usage.estimated and got[-1].usage.completion_tokens == 3


async def test_an_endpoint_that_does_not_know_the_usage_option_is_asked_without_it(
    server: ModelServer,
) -> None:
    server.script(Reply(status=400, error="unknown field stream_options"))
    got, error = await read(chat(server))
    assert error is None and text(got) == "Hello there."
    assert "stream_options" not in server.requests[1]


async def test_a_server_error_before_the_first_word_is_tried_again(server: ModelServer) -> None:
    server.script(Reply(status=503), Reply(status=429, retry_after="0.01"))
    got, error = await read(chat(server))
    assert error is None and text(got) == "Hello there."
    assert len(server.requests) == 3


async def test_tries_are_bounded(server: ModelServer) -> None:
    server.script(*[Reply(status=500)] * 9)
    _, error = await read(chat(server))
    assert isinstance(error, ModelUnavailable) and "500" in error.message
    assert len(server.requests) == 3


@pytest.mark.parametrize("status", [400, 401, 404])
async def test_a_refused_request_is_not_tried_again_and_says_what_to_check(
    server: ModelServer, status: int
) -> None:
    server.script(Reply(status=status, error="you sent: sesame"))
    _, error = await read(chat(server))
    assert isinstance(error, ModelMisconfigured)
    assert "Check" in error.hint
    assert len(server.requests) == 1


async def test_errors_never_repeat_what_was_said(server: ModelServer) -> None:
    server.script(Reply(status=422, error="bad content: sesame"))
    _, error = await read(chat(server))
    assert isinstance(error, ModelMisconfigured)
    assert "sesame" not in f"{error} {error.message} {error.hint}"
    assert error.__cause__ is None and error.__suppress_context__


async def test_a_connection_that_breaks_keeps_what_came_and_is_not_repeated(server: ModelServer) -> None:
    server.script(Reply(cut_at=2))
    got, error = await read(chat(server))
    assert text(got) == "Hello there"
    assert isinstance(error, ModelInterrupted)
    assert len(server.requests) == 1


async def test_an_answer_without_its_end_mark_counts_as_broken(server: ModelServer) -> None:
    server.script(Reply(finish=None))
    got, error = await read(chat(server))
    assert text(got) == "Hello there."
    assert isinstance(error, ModelInterrupted)


async def test_silence_in_the_middle_ends_the_answer(server: ModelServer) -> None:
    hold = threading.Event()
    server.script(Reply(hold=hold, hold_at=1))
    got, error = await read(chat(server, timeout=0.3))
    hold.set()
    assert text(got) == "Hello"
    assert isinstance(error, ModelInterrupted)


async def test_silence_from_the_start_is_unavailable(server: ModelServer) -> None:
    hold = threading.Event()
    server.script(Reply(hold=hold, hold_at=0))
    got, error = await read(chat(server, timeout=0.3))
    hold.set()
    assert got == []
    assert isinstance(error, ModelUnavailable) and error.code == "model_unavailable"


async def test_nobody_listening_is_unavailable() -> None:
    model = OpenAIChat(base_url="http://127.0.0.1:9/v1", model="m", timeout=1, pause=0.01)
    _, error = await read(model)
    assert isinstance(error, ModelUnavailable) and "OPENAI_BASE_URL" in error.hint


async def test_an_answer_cut_at_the_token_limit_keeps_its_text(server: ModelServer) -> None:
    server.script(Reply(finish="length"))
    got, error = await read(chat(server))
    assert text(got) == "Hello there."
    assert got[-1].usage is not None
    assert isinstance(error, ModelTruncated)


@pytest.mark.parametrize("reply", [Reply(refusal=True), Reply(finish="content_filter")])
async def test_a_refusal_is_told_apart(server: ModelServer, reply: Reply) -> None:
    server.script(reply)
    _, error = await read(chat(server))
    assert isinstance(error, ModelRefused)


async def test_closing_the_stream_ends_the_upstream_call(server: ModelServer) -> None:
    pieces = ["x" * 2000] * 20000
    server.script(Reply(pieces=pieces))
    stream = chat(server).stream(ASK)
    first = await anext(stream)
    await stream.aclose()  # type: ignore[attr-defined]
    assert first.text == pieces[0]
    assert await asyncio.to_thread(server.client_left.wait, 10)


async def test_cancelling_the_reader_ends_the_upstream_call(server: ModelServer) -> None:
    server.script(Reply(pieces=["x" * 2000] * 20000))
    started = asyncio.Event()

    async def reader() -> None:
        async with contextlib.aclosing(chat(server).stream(ASK)) as stream:  # type: ignore[type-var]
            async for _ in stream:
                started.set()
                await asyncio.sleep(0)

    task = asyncio.create_task(reader())
    await started.wait()
    task.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await task
    assert task.cancelled()
    assert await asyncio.to_thread(server.client_left.wait, 10)


def test_one_model_serves_several_event_loops(server: ModelServer) -> None:
    model = chat(server)
    assert [text(asyncio.run(read(model))[0]) for _ in range(2)] == ["Hello there."] * 2


def test_structured_output_fits_the_schema(server: ModelServer) -> None:
    server.script(json_reply({"city": "苏州"}))
    assert chat(server).complete_json(ASK.messages, SCHEMA) == {"city": "苏州"}
    assert server.requests[0]["response_format"]["json_schema"]["schema"] == SCHEMA


def test_json_inside_prose_is_found(server: ModelServer) -> None:
    server.script(json_reply({"city": "苏州"}, prose=True))
    assert chat(server).complete_json(ASK.messages, SCHEMA) == {"city": "苏州"}


def test_a_reply_that_breaks_the_schema_is_asked_for_once_more(server: ModelServer) -> None:
    server.script(json_reply({"town": "苏州"}), json_reply({"city": "苏州"}))
    assert chat(server).complete_json(ASK.messages, SCHEMA) == {"city": "苏州"}
    assert len(server.requests) == 2


def test_a_reply_that_stays_wrong_is_refused(server: ModelServer) -> None:
    server.script(Reply(pieces=["no json"]), Reply(pieces=["{}"]), Reply(pieces=['{"city": 3}']))
    with pytest.raises(ModelMalformed, match="city: type"):
        chat(server).complete_json(ASK.messages, SCHEMA)
    assert len(server.requests) == 3
    assert "no JSON object" in server.requests[1]["messages"][-1]["content"]


def test_an_endpoint_without_schemas_is_asked_in_words(server: ModelServer) -> None:
    server.script(Reply(status=400), Reply(status=400), json_reply({"city": "苏州"}))
    assert chat(server).complete_json(ASK.messages, SCHEMA) == {"city": "苏州"}
    assert "response_format" not in server.requests[2]
    assert "schema" in server.requests[2]["messages"][-1]["content"]


def test_structured_output_has_a_deadline(server: ModelServer) -> None:
    hold = threading.Event()
    server.script(*[Reply(hold=hold)] * 3)
    with pytest.raises(ModelUnavailable):
        chat(server).complete_json(ASK.messages, SCHEMA, timeout=0.3)
    hold.set()


@pytest.mark.parametrize(
    ("reply", "error"), [(Reply(finish="length"), ModelTruncated), (Reply(refusal=True), ModelRefused)]
)
def test_a_cut_or_refused_reply_is_no_output(
    server: ModelServer, reply: Reply, error: type[Exception]
) -> None:
    server.script(reply)
    with pytest.raises(error):
        chat(server).complete_json(ASK.messages, SCHEMA)
