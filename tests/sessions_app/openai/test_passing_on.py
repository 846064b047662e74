"""What goes through the door untouched: requests but for one message, answers byte for byte, and the endpoint's refusals."""

from __future__ import annotations

import json
import threading
import time

import httpx
import openai
import pytest
from pydantic import BaseModel

from tests.sessions_app.openai.conftest import MODEL, Door
from tests.support.model_server import ModelServer, Reply

TOOLS: list[openai.types.chat.ChatCompletionToolParam] = [
    {
        "type": "function",
        "function": {
            "name": "weather",
            "parameters": {
                "type": "object",
                "properties": {"city": {"type": "string"}},
                "required": ["city"],
            },
        },
    }
]


def _event(delta: dict[str, object], finish: str | None = None, index: int = 0) -> bytes:
    choice = {"index": index, "delta": delta, "finish_reason": finish, "logprobs": None, "odd": "kept"}
    head = {"id": "c9", "object": "chat.completion.chunk", "created": 7, "model": "m", "choices": [choice]}
    return f"data: {json.dumps(head)}\n\n".encode()


def test_a_stream_arrives_byte_for_byte_and_piece_by_piece(door: Door, model: ModelServer) -> None:
    chunks = [
        b": a comment\r\n\r\n",
        _event({"role": "assistant", "content": ""}),
        _event({"content": "你好"})[:-9],
        _event({"content": "你好"})[-9:] + _event({"content": "!"}),
        b'data: {"broken": \n\n',
        b"event: odd\ndata: not json at all\n\n",
        _event({"content": "other"}, index=1),
        _event({}, "stop"),
        b"data: [DONE]\n\n",
    ]
    held = threading.Event()
    model.script(Reply(chunks=chunks, headers={"x-request-id": "req-1"}, hold=held, hold_at=4))
    body = {
        "model": MODEL,
        "user": "ann",
        "stream": True,
        "n": 2,
        "messages": [{"role": "user", "content": "Hi?"}],
    }
    came = b""
    with httpx.stream(
        "POST",
        f"{door.site.url}/v1/chat/completions",
        json=body,
        headers={"authorization": f"Bearer {door.key}"},
        timeout=60,
    ) as answer:
        assert answer.headers["content-type"] == "text/event-stream"
        assert answer.headers["x-request-id"] == "req-1"
        for piece in answer.iter_raw():
            came += piece
            if came == b"".join(chunks[:4]):
                held.set()  # The rest was not there yet, and yet this much has come.
    assert came == b"".join(chunks)
    assert [text for _, text, _ in door.turns()] == ["Hi?", "你好!"]


def test_the_request_goes_as_it_came_but_for_one_message(door: Door, model: ModelServer) -> None:
    model.script(Reply(["Noted."]), Reply(["Ok."]))
    door.say("Remember: never call me before nine in the morning.")
    door.learn()
    parts = [
        {"type": "text", "text": "When may I call?"},
        {"type": "image_url", "image_url": {"url": "data:,x"}},
    ]
    body = {
        "model": MODEL,
        "user": "ann",
        "messages": [
            {"role": "developer", "content": "Be brief."},
            {"role": "user", "content": parts, "name": "Ann", "odd": [1, 2.5, None, 12345678901234567890]},
        ],
        "temperature": 0.25,
        "logit_bias": {"50256": -100},
        "response_format": {"type": "json_object"},
        "vendor": {"top_k": 40, "text": "é\u2028\ud83d"},
    }
    door.post(json.dumps(body).encode())
    sent = {name: value for name, value in model.requests[1].items() if name not in {"path", "auth"}}
    memory, *rest = sent.pop("messages")
    assert memory["role"] == "developer" and "before nine" in memory["content"]
    assert rest == body.pop("messages")
    assert sent == body
    assert model.requests[1]["auth"] == "Bearer k", "the deployment's key, not MemoryHub's"


def test_without_memory_the_bytes_of_the_request_are_the_callers(door: Door, model: ModelServer) -> None:
    raw = b'{ "model":"m" , "messages": "whatever the endpoint makes of it", "stream": false }'
    answer = door.post(raw, X_MemoryHub_Memory_Mode="off")
    assert answer.status_code == 200
    assert answer.headers["x-memoryhub-memory"] == "off"
    assert model.requests[0]["messages"] == "whatever the endpoint makes of it"
    assert door.sessions() == []


def test_tools_are_called_through_the_door_and_the_round_is_one(door: Door, model: ModelServer) -> None:
    call = {"id": "t1", "type": "function", "function": {"name": "weather", "arguments": '{"city":"Kyoto"}'}}
    asked = {"index": 0, "message": {"role": "assistant", "content": None, "tool_calls": [call]}}
    whole = {
        "id": "c1",
        "object": "chat.completion",
        "created": 0,
        "model": MODEL,
        "choices": [{**asked, "finish_reason": "tool_calls"}],
    }
    model.script(Reply(raw=json.dumps(whole)), Reply(["Sunny", " in Kyoto."]))
    client = door.client()
    messages: list[openai.types.chat.ChatCompletionMessageParam] = [
        {"role": "user", "content": "How is the weather in Kyoto?"}
    ]
    first = client.chat.completions.create(model=MODEL, messages=messages, tools=TOOLS, user="ann")
    made = first.choices[0].message.tool_calls
    assert made is not None and made[0].type == "function"
    assert json.loads(made[0].function.arguments) == {"city": "Kyoto"}
    assert door.turns() == [("user", "How is the weather in Kyoto?", "complete")]
    messages += [
        {"role": "assistant", "tool_calls": [made[0].model_dump()]},  # type: ignore[typeddict-item,list-item]
        {"role": "tool", "tool_call_id": "t1", "content": "21 degrees, sunny"},
    ]
    stream = client.chat.completions.create(
        model=MODEL, messages=messages, tools=TOOLS, user="ann", stream=True
    )
    assert "".join(chunk.choices[0].delta.content or "" for chunk in stream) == "Sunny in Kyoto."
    assert [(role, text) for role, text, _ in door.turns()] == [
        ("user", "How is the weather in Kyoto?"),
        ("assistant", "Sunny in Kyoto."),
    ]


def test_a_json_schema_is_kept_to_by_the_client(door: Door, model: ModelServer) -> None:
    class Trip(BaseModel):
        city: str
        days: int

    model.script(Reply(['{"city": "京都", ', '"days": 3}']))
    answer = door.client().chat.completions.parse(
        model=MODEL,
        messages=[{"role": "user", "content": "Where to, and how long?"}],
        response_format=Trip,
        user="ann",
    )
    assert answer.choices[0].message.parsed == Trip(city="京都", days=3)
    assert answer.usage is not None and answer.usage.total_tokens == 18
    assert model.requests[0]["response_format"]["json_schema"]["name"] == "Trip"


@pytest.mark.parametrize(
    ("status", "raised"),
    [(429, openai.RateLimitError), (500, openai.InternalServerError), (400, openai.BadRequestError)],
)
def test_what_the_endpoint_refuses_is_refused_in_its_own_words_and_not_remembered(
    door: Door, model: ModelServer, status: int, raised: type[openai.APIStatusError]
) -> None:
    model.script(Reply(status=status, retry_after="7", error="the endpoint's own words"))
    with pytest.raises(raised) as caught:
        door.client().chat.completions.create(
            model=MODEL, messages=[{"role": "user", "content": "Hello you."}], user="ann", stream=True
        )
    assert caught.value.body == {"message": "the endpoint's own words", "type": "scripted"}
    assert caught.value.response.headers["retry-after"] == "7"
    assert door.turns() == []
    assert door.sessions() == []


def test_the_clients_own_retries_work_and_store_one_round(door: Door, model: ModelServer) -> None:
    model.script(Reply(status=500), Reply(status=429, retry_after="0"), Reply(["At last."]))
    answer = door.client(max_retries=2).chat.completions.create(
        model=MODEL, messages=[{"role": "user", "content": "Are you there?"}], user="ann"
    )
    assert answer.choices[0].message.content == "At last."
    assert [text for _, text, _ in door.turns()] == ["Are you there?", "At last."]
    assert len(door.sessions()) == 1


def test_a_stream_that_is_cut_is_cut_for_the_client_and_kept_as_interrupted(
    door: Door, model: ModelServer
) -> None:
    model.script(Reply(["It was", " a dark", " and stormy"], cut_at=2), Reply(["It was a bright day."]))
    ask = {"model": MODEL, "messages": [{"role": "user", "content": "Tell a story."}], "user": "ann"}
    stream = door.client().chat.completions.create(**ask, stream=True)  # type: ignore[call-overload]
    heard = ""
    with pytest.raises(openai.APIConnectionError):
        for chunk in stream:
            heard += chunk.choices[0].delta.content or ""
    assert heard == "It was a dark"
    assert door.wait_for_turns(2)[1] == ("assistant", "It was a dark", "interrupted")
    door.client().chat.completions.create(**ask)  # type: ignore[call-overload]
    assert [state for _, _, state in door.turns()] == ["complete", "replaced", "complete"]


def test_who_leaves_mid_stream_ends_the_endpoints_work_and_keeps_what_was_heard(
    door: Door, model: ModelServer
) -> None:
    held = threading.Event()
    model.script(Reply(["First", *[" more"] * 2000], hold=held, hold_at=1))
    stream = door.client().chat.completions.create(
        model=MODEL, messages=[{"role": "user", "content": "Talk at length."}], user="ann", stream=True
    )
    assert next(iter(stream)).choices[0].delta.content == "First"
    stream.close()
    assert door.wait_for_turns(2) == [
        ("user", "Talk at length.", "complete"),
        ("assistant", "First", "stopped"),
    ]
    held.set()
    assert model.client_left.wait(20), "the endpoint was read on"


def test_who_leaves_before_the_first_word_ends_the_endpoints_work(door: Door, model: ModelServer) -> None:
    held = threading.Event()
    model.script(Reply(raw="x" * 20_000_000, hold=held, hold_at=0))
    with pytest.raises(openai.APITimeoutError):
        door.client(timeout=3).chat.completions.create(
            model=MODEL, messages=[{"role": "user", "content": "Think hard."}], user="ann"
        )
    held.set()
    assert model.client_left.wait(20), "the endpoint was read on"
    assert door.turns() == []


def test_models_are_the_endpoints_own(door: Door, model: ModelServer) -> None:
    client = door.client()
    assert [one.id for one in client.models.list()] == ["test-model"]
    client.models.with_raw_response.retrieve("org/some-model")
    client.models.with_raw_response.retrieve("what?is=this#now")
    assert [one["path"] for one in model.requests] == [
        "/v1/models",
        "/v1/models/org/some-model",
        "/v1/models/what%3Fis%3Dthis%23now",
    ]
    # The deployment's key opens its models, not what lies beside them.
    for way_up in ("..%2Ffiles", "%2e%2e/files", "a/%2e%2e/%2e%2e/files"):
        answer = httpx.get(
            f"{door.site.url}/v1/models/{way_up}", headers={"authorization": f"Bearer {door.key}"}
        )
        assert answer.status_code == 404
    assert len(model.requests) == 3


def test_no_connection_to_the_database_is_held_while_the_endpoint_speaks(
    door: Door, model: ModelServer
) -> None:
    held = threading.Event()
    model.script(Reply(["One", " two"], hold=held, hold_at=1))
    stream = door.client().chat.completions.create(
        model=MODEL, messages=[{"role": "user", "content": "Count."}], user="ann", stream=True
    )
    next(iter(stream))
    query = (
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
    )
    deadline = time.monotonic() + 20
    with door.as_owner() as owner:
        # What answered before is still closing.
        while owner.execute(query).fetchone()[0]:
            assert time.monotonic() < deadline, "a connection is held"
    held.set()
    assert list(stream)
