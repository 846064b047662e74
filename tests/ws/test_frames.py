"""Bad frames get an error that says what to do; none of them ends the socket or the process."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.db import InterfaceError, OperationalError
from hypothesis import given
from hypothesis import strategies as st

from sessions_app import consumers, door
from sessions_app.core.limits import MAX_MESSAGE_CHARS
from sessions_app.protocol import MAX_FRAME_BYTES, CloseCode, FrameError, Ping, Send, parse
from tests.support.people import House
from tests.ws.conftest import of

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=12), inner, max_size=4),
    max_leaves=12,
)
fields = st.sampled_from(
    ["client_msg_id", "content", "turn_id", "after_seq", "answer_id", "answer_offset", "n"]
)
near_misses = st.builds(
    lambda kind, rest: {"type": kind, **rest},
    st.sampled_from(["resume", "send", "stop", "retry", "ping", "Ping", "state"]) | json_values,
    st.dictionaries(fields, json_values, max_size=5),
)


@given(st.one_of(st.text(), st.builds(json.dumps, json_values), st.builds(json.dumps, near_misses)))
def test_any_text_is_a_frame_or_a_frame_error(text: str) -> None:
    try:
        frame = parse(text)
    except FrameError as error:
        assert error.code
        assert error.message
    else:
        if isinstance(frame, Send):
            # What passes can be stored: no NUL, no lone surrogate.
            assert "\x00" not in frame.content
            frame.content.encode()


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (None, "binary_frame"),
        ("", "not_json"),
        ("[" * 60_000, "not_json"),
        ("[]", "not_an_object"),
        ('{"type": "drop"}', "unknown_type"),
        ('{"type": ["ping"]}', "unknown_type"),
        ('{"type": "send", "client_msg_id": "a b", "content": "x"}', "bad_field"),
        ('{"type": "send", "client_msg_id": "a", "content": 3}', "bad_field"),
        ('{"type": "send", "client_msg_id": "a", "content": " \\u0000 "}', "message_empty"),
        ('{"type": "stop"}', "bad_field"),
        ('{"type": "resume", "after_seq": -1}', "bad_field"),
        ('{"type": "resume", "after_seq": true}', "bad_field"),
        ('{"type": "resume", "after_seq": 99999999999999999999}', "bad_field"),
        ("x" * (MAX_FRAME_BYTES + 1), "frame_too_large"),
    ],
)
def test_each_kind_of_bad_frame_has_its_code(text: str | None, code: str) -> None:
    with pytest.raises(FrameError) as caught:
        parse(text)
    assert caught.value.code == code


def test_a_message_of_the_longest_length_fits_and_one_more_character_does_not() -> None:
    longest = "字" * MAX_MESSAGE_CHARS
    frame = parse(json.dumps({"type": "send", "client_msg_id": "a", "content": longest}, ensure_ascii=False))
    assert isinstance(frame, Send)
    with pytest.raises(FrameError):
        parse(
            json.dumps({"type": "send", "client_msg_id": "a", "content": longest + "字"}, ensure_ascii=False)
        )


@pytest.mark.django_db(transaction=True)
async def test_the_socket_answers_bad_frames_and_goes_on(acme: House, sit: Any) -> None:
    socket, _, _ = await sit(acme)
    for text in ("nonsense", "[1]", '{"type": "send"}', '{"type": "stop", "turn_id": "x"}'):
        await socket.send_text(text)
        assert of("error")(await socket.hear())
    await socket.send_bytes(b"\x00\x01")
    assert of("error", code="binary_frame")(await socket.hear())
    await socket.say("ping")
    assert of("pong")(await socket.hear())


@pytest.mark.django_db(transaction=True)
async def test_what_breaks_inside_is_an_error_frame_not_a_closed_socket(
    acme: House, sit: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    socket, _, _ = await sit(acme)

    def broken(**_: Any) -> None:
        raise RuntimeError("a bug")

    monkeypatch.setattr(consumers, "post_message", broken)
    await socket.say("send", client_msg_id="a1", content="Hello")
    assert of("error", code="internal", client_msg_id="a1")(await socket.hear())
    await socket.say("ping")
    assert of("pong")(await socket.hear())


@pytest.mark.django_db(transaction=True)
async def test_a_flood_of_frames_closes_the_socket(acme: House, sit: Any) -> None:
    socket, _, _ = await sit(acme)
    for _ in range(door.FRAMES_AT_ONCE + 5):
        await socket.send_text("x")
    assert (await socket.closed())[0] == CloseCode.TOO_MANY


@pytest.mark.django_db(transaction=True)
async def test_too_many_messages_a_minute_are_refused_and_may_be_sent_later(
    acme: House, sit: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(consumers.relay, "SENDS_PER_MINUTE", 0)
    socket, _, _ = await sit(acme)
    await socket.say("send", client_msg_id="a1", content="Hello")
    assert of("error", code="rate_limited", client_msg_id="a1")(await socket.hear())


def test_a_ping_needs_nothing_else() -> None:
    assert parse('{"type": "ping"}') == Ping()


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("kind", [OperationalError, InterfaceError])
async def test_a_database_that_died_has_the_message_sent_again(
    acme: House, sit: Any, monkeypatch: pytest.MonkeyPatch, kind: type[Exception]
) -> None:
    def died(**fields: Any) -> None:
        raise kind("connection already closed")

    monkeypatch.setattr(consumers, "post_message", died)
    socket, _, _ = await sit(acme)
    await socket.say("send", client_msg_id="a1", content="Hello")
    error = (await socket.hear_until(of("error")))[-1]
    assert (error["code"], error["client_msg_id"]) == ("unavailable", "a1")
